// Google's Gemini API as it is served to the Gemini CLI's sign-in: the same questions and answers, each in an envelope.
import * as z from "zod";
import { once, type ModelProvider } from "@chela/sdk";
import { HttpHeaders, type HttpFetch, type HttpRequest } from "@chela/sdk/http";
import { createGoogleModel } from "./google-generative-ai.ts";
import { SseReader } from "./sse.ts";
import { trimUrl, type WireSettings } from "./wire.ts";

const Envelope = once(() => z.looseObject({ response: z.looseObject({}) }));

export function createGoogleGeminiCli(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  const url = `${trimUrl(settings.baseUrl)}/v1internal:streamGenerateContent?alt=sse`;
  const { modelId: model, projectId: project } = settings;
  const inEnvelopes = async (_url: string | URL, asked: HttpRequest = {}) => {
    const headers = new HttpHeaders(asked.headers);
    // The library always sends a key, and here there is none: Google would look at it first.
    headers.delete("x-goog-api-key");
    const request: unknown = JSON.parse(String(asked.body));
    const body = JSON.stringify({ model, ...(project ? { project } : {}), request });
    const response = await fetch(url, { ...asked, headers, body });
    if (!response.ok) return response;
    const { status, statusText } = response;
    return {
      ok: true,
      url,
      status,
      statusText,
      headers: response.headers,
      body: response.body.pipeThrough(openEnvelopes()),
    };
  };
  return createGoogleModel({ ...settings, bearer: true }, inEnvelopes);
}

/** Takes each event out of its envelope; what is in none is left as it is. */
function openEnvelopes(): TransformStream<Uint8Array, Uint8Array> {
  let out: string[] = [];
  const reader = new SseReader((data) => {
    const event = parse(data);
    if (event === undefined) return "incomplete";
    const opened = Envelope().safeParse(event);
    out.push(`data: ${opened.success ? JSON.stringify(opened.data.response) : data.replaceAll("\n", "")}\n\n`);
    return "taken";
  });
  const flush = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (out.length > 0) controller.enqueue(Buffer.from(out.join("")));
    out = [];
  };
  return new TransformStream({
    transform(bytes, controller) {
      reader.push(bytes);
      flush(controller);
    },
    flush(controller) {
      reader.close();
      flush(controller);
    },
  });
}

/** Undefined for what is not whole yet. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
