// Small pieces every HTTP route needs: reading a body within limits, answering in JSON, comparing a bearer secret.
import type { IncomingMessage, ServerResponse } from "node:http";
import type * as z from "zod";
import { explainIssues } from "@chela/sdk/protocol";
import { isTooDeep } from "@chela/sdk/base";

export class HttpError extends Error {
  readonly status: number;
  readonly type: string;
  readonly headers: Record<string, string>;

  constructor(status: number, type: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.headers = headers;
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers });
  response.end(text);
}

export function sendHttpError(response: ServerResponse, error: HttpError): void {
  if (response.headersSent) return void response.destroy();
  sendJson(response, error.status, { error: { message: error.message, type: error.type } }, error.headers);
}

/** Ends the connection: what is left of the body is not read. */
export function refusedBody(status: number, why: string, headers: Record<string, string> = {}): HttpError {
  return new HttpError(status, "invalid_request_error", why, { connection: "close", ...headers });
}

/**
 * The body as it came; refused when it says that it is longer than `maxBytes`, or while it streams when it grows beyond.
 * Nothing more of it is kept when `signal` stops it, which throws its reason.
 */
export function readRawBody(request: IncomingMessage, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const stop = (error: unknown): void => {
      request.removeAllListeners("data").pause();
      parts.length = 0;
      reject(error);
    };
    const refuse = (status: number, why: string): void => stop(refusedBody(status, why));
    if (Number(request.headers["content-length"]) > maxBytes) return refuse(413, "Payload too large");
    signal?.addEventListener("abort", () => stop(signal.reason), { once: true });
    request.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= maxBytes) return void parts.push(part);
      refuse(413, "Payload too large");
    });
    request.once("end", () => resolve(Buffer.concat(parts)));
    request.once("error", () => refuse(408, "Request body timeout"));
    request.once("close", () => request.readableEnded || refuse(408, "Request body timeout"));
  });
}

async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const text = (await readRawBody(request, maxBytes)).toString("utf8");
  if (isTooDeep(text)) throw new HttpError(400, "invalid_request_error", "The body is nested too deeply.");
  try {
    return JSON.parse(text || "{}") as unknown;
  } catch {
    throw new HttpError(400, "invalid_request_error", "The body is not valid JSON.");
  }
}

/**
 * Why a head is not answered: two programs on its way could read it as two different requests, or as one for somebody else.
 * What Node's parser refuses by itself never comes this far.
 */
export function whyAmbiguous({ headers, rawHeaders, url = "/" }: IncomingMessage): string | undefined {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) return "There is more than one Host header.";
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return "Only the transfer coding chunked is taken.";
  const isPath = url.startsWith("/") && !url.startsWith("//") && !url.includes("\\");
  const isOurs = !url.startsWith("/") && URL.parse(url)?.host === headers.host?.toLowerCase();
  return isPath || isOurs ? undefined : "The path is not a valid address.";
}

export function refuseAmbiguous(request: IncomingMessage): void {
  const why = whyAmbiguous(request);
  if (why !== undefined) throw refusedBody(400, why);
}

/** The address that was asked for. Some texts that HTTP lets through are none. */
export function urlOf(request: IncomingMessage): URL {
  try {
    return new URL(request.url ?? "/", "http://localhost");
  } catch {
    throw new HttpError(400, "invalid_request_error", "The path is not a valid address.");
  }
}

/** Headers by their names, those that came more than once as one text. */
export function flatHeaders({ headers }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}

/** A part of a path as it was meant: `%3A` is a colon. */
export function decodePart(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    throw new HttpError(400, "invalid_request_error", "The path is not well encoded.");
  }
}

/** The body as its schema describes it; what does not fit is named. */
export async function readBody<S extends z.ZodType>(
  request: IncomingMessage,
  maxBytes: number,
  schema: S,
): Promise<z.output<S>> {
  const raw = await readJson(request, maxBytes);
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new HttpError(400, "invalid_request_error", explainIssues(parsed.error.issues, raw));
}

export function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? "")?.[1];
}
