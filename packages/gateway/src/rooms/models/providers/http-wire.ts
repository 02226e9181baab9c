// Runs a wire API that we speak ourselves behind our seam: it never throws and always ends with one finish or failure.
import type { ModelEvent, ModelProvider, ModelRequest } from "@chela/sdk";
import type { HttpFetch, HttpRequest, HttpResponse } from "@chela/sdk/http";
import { abortedEvent, isEnd } from "./endings.ts";
import { cutFailure, toFailure, type FailureContext } from "./failure.ts";
import type { WireSettings } from "./wire.ts";

/** Understands one answer, piece by piece. Throws when it makes no sense; what was understood before counts. */
export interface AnswerReader {
  /** Adds the events of the next bytes. A finish or failure among them is the last; nothing is read after it. */
  read(bytes: Uint8Array, events: ModelEvent[]): void;
  /** Adds the events that were waiting for the last byte. Without an end among them the connection was cut. */
  close(events: ModelEvent[]): void;
}

export interface HttpWire {
  prepare(request: ModelRequest): HttpRequest & { readonly url: string };
  open(request: ModelRequest, context: FailureContext): AnswerReader;
}

export function createHttpWire(settings: WireSettings, fetch: HttpFetch, wire: HttpWire): ModelProvider {
  const context = failureContextOf(settings);
  return {
    id: settings.provider,
    async *stream(request, signal) {
      if (signal.aborted) return yield abortedEvent();
      let chunks: AsyncGenerator<Uint8Array> | undefined;
      let isWhole = false;
      try {
        const { url, ...call } = wire.prepare(request);
        const response = await fetch(url, { method: "POST", ...call, signal });
        if (!response.ok) throw await toHttpError(response);
        refuseOtherKinds(response);
        const reader = wire.open(request, context);
        chunks = response.chunks();
        for (let isOpen = true; isOpen;) {
          const events: ModelEvent[] = [];
          const { done, value } = await chunks.next();
          const problem = tryTo(() => (done ? reader.close(events) : reader.read(value, events)));
          for (const event of events) {
            isWhole = event.kind === "finish";
            yield isEnd(event) && signal.aborted ? abortedEvent() : event;
            if (isEnd(event)) return;
          }
          if (problem) throw problem.error;
          isOpen = !done;
        }
        isWhole = true;
        yield { kind: "failure", failure: cutFailure(settings.provider) };
      } catch (error) {
        yield signal.aborted ? abortedEvent() : { kind: "failure", failure: toFailure(error, context) };
      } finally {
        if (chunks) letGo(chunks, isWhole);
      }
    },
  };
}

export function failureContextOf(settings: WireSettings): FailureContext {
  const { aws } = settings;
  return {
    provider: settings.provider,
    secrets: [
      settings.apiKey ?? "",
      ...(aws ? [aws.secretAccessKey, aws.sessionToken ?? ""] : []),
      ...Object.values(settings.headers),
    ],
  };
}

function tryTo(work: () => void): { readonly error: unknown } | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return { error };
  }
}

async function toHttpError(response: HttpResponse): Promise<Error> {
  const responseBody = await response.text();
  const responseHeaders = Object.fromEntries(response.headers);
  return Object.assign(new Error(response.statusText), { statusCode: response.status, responseBody, responseHeaders });
}

/** What is no answer of a model is called by its name, and not read as one that broke off. */
function refuseOtherKinds({ headers }: HttpResponse): void {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") throw new SyntaxError(`the answer is packed (${encoding}), which was not asked for`);
  if (/^text\/html\b/i.test(headers.get("content-type") ?? ""))
    throw new SyntaxError("it answered with a web page; is its baseUrl the address of an API?");
}

/** A complete answer is read to its last byte, so that the connection can be used again; others are hung up on. */
function letGo(chunks: AsyncGenerator<Uint8Array>, complete: boolean): void {
  const drain = async (): Promise<void> => {
    while (!(await chunks.next()).done);
  };
  void (complete ? drain() : chunks.return(undefined)).catch(() => undefined);
}
