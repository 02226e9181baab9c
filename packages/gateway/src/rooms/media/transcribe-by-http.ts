// Sends a voice note to a server that speaks OpenAI's way of transcribing.
import { readFile } from "node:fs/promises";
import { once, type Clock, type Ids } from "@chela/sdk";
import * as z from "zod";
import type { HttpFetch, HttpResponse } from "@chela/sdk/http";
import { endingOf } from "./media-types.ts";
import type { StoredMedia } from "./stored-media.ts";
import type { ProviderAccess, WayOutcome } from "./transcribe.ts";
import { KNOWN_PROVIDERS, type TranscriptionWay } from "./transcription-settings.ts";
import { parseJson } from "@chela/sdk/base";

type HttpWay = Extract<TranscriptionWay, { kind: "http" }>;

export interface HttpParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly fetch: HttpFetch;
  readonly access: ProviderAccess;
  readonly signal?: AbortSignal | undefined;
}

const Answer = once(() => z.object({ text: z.string() }));
const MAX_ANSWER_BYTES = 1024 * 1024;

export async function transcribeByHttp(media: StoredMedia, way: HttpWay, parts: HttpParts): Promise<WayOutcome> {
  const url = addressOf(way, parts.access);
  if (url === undefined) return unable(`no address is known for it: set baseUrl to a server's, such as http://host/v1`);
  const form = writeForm(way, media, await readFile(media.path), parts.ids.secretHex(16));
  const patience = new AbortController();
  const cancel = parts.clock.after(way.timeoutMs, () => patience.abort());
  try {
    const response = await parts.fetch(url, {
      method: "POST",
      headers: { ...parts.access.headers, ...way.headers, ...authorization(parts.access), ...form.headers },
      body: form.body,
      signal: parts.signal ? AbortSignal.any([parts.signal, patience.signal]) : patience.signal,
    });
    return await readAnswer(response);
  } catch {
    if (patience.signal.aborted) return unable(`no answer within ${way.timeoutMs / 1000} seconds`);
    return unable("the server cannot be reached, or its answer broke off");
  } finally {
    cancel();
  }
}

function addressOf({ provider, baseUrl }: HttpWay, access: ProviderAccess): URL | undefined {
  const base = baseUrl ?? access.baseUrl ?? KNOWN_PROVIDERS[provider]?.baseUrl ?? "";
  const url = URL.parse(`${base.replace(/\/+$/, "")}/audio/transcriptions`);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

function authorization({ apiKey }: ProviderAccess): Record<string, string> {
  return apiKey ? { authorization: `Bearer ${apiKey.reveal()}` } : {};
}

async function readAnswer(response: HttpResponse): Promise<WayOutcome> {
  if (!response.ok) {
    response.discard();
    return unable(`the server answered with status ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.chunks()) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      response.discard();
      return unable(`the answer is longer than ${MAX_ANSWER_BYTES / 1024} KB`);
    }
    parts.push(chunk);
  }
  const answer = Answer().safeParse(parseJson(Buffer.concat(parts).toString("utf8"))).data;
  if (!answer) return unable("the answer is not of the form {text}");
  return answer.text.trim() === "" ? unable("no words were recognised") : { kind: "text", text: answer.text };
}

/** A multipart form. Nothing the sender chose is in it but the sound itself. */
function writeForm(
  { model, language, prompt }: HttpWay,
  { mimeType }: StoredMedia,
  content: Buffer,
  mark: string,
): { readonly headers: Record<string, string>; readonly body: Buffer } {
  const boundary = `chela-${mark}`;
  const fields = { model, response_format: "json", language, prompt };
  const written = Object.entries(fields).map(([name, value]) =>
    value === undefined ? "" : `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="audio.${endingOf(mimeType)}"\r\n` +
    `content-type: ${mimeType}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(written.join("") + file), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { headers: { "content-type": `multipart/form-data; boundary=${boundary}` }, body };
}

function unable(why: string): WayOutcome {
  return { kind: "unable", why };
}
