// Calls the Bot API. Whatever becomes of a call is a value, and none of it holds the token.
import type { ApiClientOptions, InputFile, RawApi } from "grammy";
import { GatewayError, type Clock, type SendFailure } from "@chela/sdk";
import type { TelegramAccount } from "./config.ts";
import { createTransport, TransportError } from "./transport.ts";

type Method = keyof RawApi;
type Payload<M extends Method> = Parameters<RawApi[M]>[0];
type Result<M extends Method> = Awaited<ReturnType<RawApi[M]>>;

export type NotDone =
  /** Telegram said no. */
  | {
      readonly kind: "refused";
      readonly code: number;
      readonly why: string;
      readonly retryAfterMs?: number;
      /** The group became a supergroup, which has this id. */
      readonly migratedTo?: string;
    }
  /** There was no answer. */
  | { readonly kind: "lost"; readonly hadLeft: boolean; readonly why: string };

export type CallResult<T> = { readonly kind: "done"; readonly result: T } | NotDone;

interface CallLimits {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface TelegramApi {
  call<M extends Method>(method: M, payload: Payload<M>, limits?: CallLimits): Promise<CallResult<Result<M>>>;
  /** A file to be uploaded while it is read. */
  file(data: AsyncIterable<Uint8Array>, name: string): InputFile;
  /** Where a file that was sent to us lies. It holds the token: never show it. */
  fileUrl(path: string): string;
  close(): void;
}

export async function openApi(account: TelegramAccount, clock: Clock): Promise<TelegramApi> {
  // The edition without a fetch of its own, which would cost 40 ms and 17 MB.
  const { Api, GrammyError, InputFile } = await import("grammy/web");
  const transport = createTransport();
  const token = account.token.reveal();
  const api = new Api(token, {
    apiRoot: account.apiRoot,
    fetch: transport.fetch as unknown as NonNullable<ApiClientOptions["fetch"]>,
  });
  const explain = (thrown: unknown): NotDone => {
    if (thrown instanceof GrammyError) return refused(thrown, token);
    const inner: unknown = thrown instanceof Error && "error" in thrown ? thrown.error : thrown;
    if (inner instanceof TransportError) return { kind: "lost", hadLeft: inner.hadLeft, why: inner.message };
    return { kind: "lost", hadLeft: true, why: "the call broke off" };
  };
  return {
    async call(method, payload, limits = {}) {
      const abort = new AbortController();
      const stop = (): void => abort.abort();
      const cancel = clock.after(limits.timeoutMs ?? account.timeoutMs, stop);
      if (limits.signal?.aborted) stop();
      limits.signal?.addEventListener("abort", stop, { once: true });
      try {
        const run = api.raw[method] as (payload: unknown, signal: AbortSignal) => Promise<Result<typeof method>>;
        // Methods without parameters take the signal first.
        const result = payload === undefined ? await run(abort.signal, abort.signal) : await run(payload, abort.signal);
        return { kind: "done", result };
      } catch (thrown) {
        return explain(thrown);
      } finally {
        cancel();
        limits.signal?.removeEventListener("abort", stop);
      }
    },
    file: (data, name) => new InputFile(data, name.replace(/[\r\n"';\\/]/g, "_")),
    fileUrl: (path) => `${account.apiRoot}/file/bot${token}/${path.split("/").map(encodeURIComponent).join("/")}`,
    close: () => transport.close(),
  };
}

interface Refusal {
  readonly error_code: number;
  readonly description: string;
  readonly parameters: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
}

function refused({ error_code, description, parameters }: Refusal, token: string): NotDone {
  const { retry_after, migrate_to_chat_id } = parameters;
  return {
    kind: "refused",
    code: error_code,
    why: description.replaceAll(token, "[token]"),
    ...(retry_after === undefined ? {} : { retryAfterMs: retry_after * 1000 }),
    ...(migrate_to_chat_id === undefined ? {} : { migratedTo: String(migrate_to_chat_id) }),
  };
}

const NOBODY_THERE =
  /chat not found|user not found|peer_id_invalid|deactivated|not a member|not enough rights|no rights|write_forbidden|channel_private|thread not found|topic_(closed|deleted)/i;

/** What a failed call means for the message that was to be sent. */
export function failureOf(result: NotDone): SendFailure {
  if (result.kind === "lost") return result.hadLeft ? "uncertain" : "unavailable";
  const { code, why } = result;
  if (code === 429) return "rate-limited";
  // An unknown token is answered as if the address did not exist.
  if (code === 401 || code === 404) return "unauthorised";
  if (code === 403) return "unreachable";
  if (code === 400) return NOBODY_THERE.test(why) ? "unreachable" : "rejected";
  return code >= 500 || code === 409 || code < 400 ? "unavailable" : "rejected";
}

/** The result of a call, or the error for whoever asked for it. */
export function expectDone<T>(result: CallResult<T>, what: string): T {
  if (result.kind === "done") return result.result;
  const failure = failureOf(result);
  // Who does not answer has said nothing about what was asked.
  const detail = `${result.kind === "lost" ? "Telegram cannot be reached" : what}: ${result.why}`;
  if (failure === "unauthorised") throw new GatewayError("CHANNEL_AUTH", detail);
  const isPassing = failure === "unavailable" || failure === "uncertain" || failure === "rate-limited";
  throw new GatewayError(isPassing ? "CHANNEL_OFFLINE" : "CHANNEL_REFUSED", detail);
}
