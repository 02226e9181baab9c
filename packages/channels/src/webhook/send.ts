// POSTs messages to the other program, signed, each with a key against duplicates.
import { defined } from "@chela/sdk/base";
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { once, type ChannelHost, type OutboundContent, type OutboundMessage } from "@chela/sdk";
import type { SendFailure, SendOutcome } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { type HttpFetch, type HttpResponse } from "@chela/sdk/http";
import { signBody } from "@chela/sdk/signing";
import { readTarget } from "./address.ts";
import type { WebhookAccount } from "./config.ts";
import { cleanMarkdown } from "./format.ts";

export interface SendParts {
  readonly account: WebhookAccount;
  readonly host: ChannelHost;
  readonly fetch: HttpFetch;
}

const TIMEOUT_MS = 30_000;
const LONGEST_REST_MS = 24 * 60 * 60_000;

/** Nothing was sent when a connection never came about. */
const NEVER_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

const failed = (reason: SendFailure, why: string): SendOutcome => ({ kind: "failed", reason, why });

export async function sendMessage(
  parts: SendParts,
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { outboundUrl } = parts.account;
  if (!outboundUrl) return failed("unreachable", "there is nowhere to send answers: set channels.webhook.outboundUrl");
  const target = readTarget(message.target.to);
  if (target.kind !== "target") return failed("rejected", `"${message.target.to}" is no address of a webhook`);
  const written = await writeContent(message.content, parts.account);
  if (written.kind === "failed") return written;
  const { threadId } = message.target;
  const body = JSON.stringify({
    id: message.key,
    to: target.target.to,
    ...defined({ threadId }),
    ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
    ...written.fields,
    format: "markdown",
  });
  return post(parts, outboundUrl, message.key, body, signal);
}

async function post(
  { account, host, fetch }: SendParts,
  url: string,
  key: string,
  body: string,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const cancel = host.clock.after(TIMEOUT_MS, stop);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const headers = {
    "content-type": "application/json",
    "idempotency-key": key,
    ...signBody(account.secret.reveal(), body, host.clock.now()),
  };
  try {
    const response = await fetch(url, { method: "POST", headers, body, signal: abort.signal });
    return await readAnswer(response, key, host.clock.now());
  } catch (error) {
    if (abort.signal.aborted) return failed("uncertain", "the receiver did not answer in time");
    const code = errnoOf(error) ?? "no reason given";
    if (NEVER_CONNECTED.has(code)) return failed("unavailable", `the receiver cannot be reached (${code})`);
    return failed("uncertain", `the connection broke before the receiver answered (${code})`);
  } finally {
    cancel();
    signal.removeEventListener("abort", stop);
  }
}

type Written = { readonly kind: "written"; readonly fields: object } | Extract<SendOutcome, { kind: "failed" }>;

async function writeContent(content: OutboundContent, { maxMediaBytes }: WebhookAccount): Promise<Written> {
  switch (content.kind) {
    case "text": {
      // There are no buttons; a command can be typed instead.
      const commands = (content.buttons ?? []).flat().filter(({ data }) => data.startsWith("/"));
      const lines = commands.map(({ text, data }) => `- ${text}: \`${data}\``);
      const text = lines.length > 0 ? `${content.markdown}\n\n${lines.join("\n")}` : content.markdown;
      return { kind: "written", fields: { text: cleanMarkdown(text) } };
    }
    case "poll": {
      const options = content.poll.options.map((option, index) => `${index + 1}. ${option}`);
      const text = cleanMarkdown([content.poll.question, "", ...options].join("\n"));
      return { kind: "written", fields: { text } };
    }
    case "media": {
      const { path, name, mimeType, bytes } = content.media;
      const refuse = (why: string): Written => ({ kind: "failed", reason: "rejected", why });
      if (bytes > maxMediaBytes) return refuse(`a webhook carries files of up to ${maxMediaBytes} bytes`);
      const file = await readFile(path).catch(() => undefined);
      if (!file) return refuse("the file cannot be read any more");
      const media = [{ name, mimeType, base64: file.toString("base64") }];
      return { kind: "written", fields: { text: cleanMarkdown(content.caption ?? ""), media } };
    }
  }
}

/** Most receivers say nothing of an id. */
const Receipt = once(() => z.object({ id: z.union([z.string().min(1).max(200), z.int()]).optional() }));

async function readAnswer(response: HttpResponse, key: string, now: number): Promise<SendOutcome> {
  const { status, headers } = response;
  // A receiver that knows the key has the message.
  if (response.ok || status === 409) return { kind: "sent", messageId: await readReceipt(response, key) };
  response.discard();
  const why = `the receiver answered with status ${status}`;
  if (status === 429) {
    const retryAfterMs = readRest(headers.get("retry-after"), now);
    return {
      kind: "failed",
      reason: "rate-limited",
      why,
      holdsFor: "account",
      ...defined({ retryAfterMs }),
    };
  }
  if (status === 404 || status === 410) return failed("unreachable", why);
  if (status === 401 || status === 403) return failed("unauthorised", `${why}: do both sides have the same secret?`);
  if (status >= 300 && status < 400) return failed("rejected", `${why}, and redirects are not followed`);
  return failed(status >= 500 || status === 408 ? "unavailable" : "rejected", why);
}

async function readReceipt(response: HttpResponse, key: string): Promise<string> {
  try {
    const read = Receipt().safeParse(JSON.parse(await response.text()));
    return String(read.data?.id ?? key);
  } catch {
    // Whatever it says, it took the message.
    return key;
  }
}

/** Seconds, or a date. */
function readRest(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_REST_MS);
}
