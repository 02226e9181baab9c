// Slack's Events API over HTTP: signed requests on the gateway's own port.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock, WebhookAnswer, WebhookCall, WebhookReceiver, WebhookHead } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import type { Envelope, Inbound } from "./inbound.ts";
import { Callback } from "../wire.ts";

const OLDEST_SECONDS = 5 * 60;
const MOST_BYTES = 2 * 1024 * 1024;

const UNSIGNED: WebhookAnswer = { status: 401, body: "wrong signature" };

export function createWebhook(signingSecret: string, clock: Clock, inbound: Inbound): WebhookReceiver {
  const answerHead = ({ method, headers }: WebhookHead): WebhookAnswer | undefined => {
    if (method !== "POST") return { status: 405 };
    return mayBeSigned(headers, clock.now()) ? undefined : UNSIGNED;
  };
  const answer = async (call: WebhookCall): Promise<WebhookAnswer> => {
    // Nothing is understood, and nothing changes, before it is known to come from Slack.
    if (!isSigned(call, signingSecret)) return UNSIGNED;
    const read = readBody(call);
    if (read.kind === "unreadable") return { status: 400, body: "unreadable body" };
    if (read.kind === "challenge") return { status: 200, body: read.challenge, type: "text/plain" };
    try {
      const reply = await inbound.take(read.envelope);
      if (reply === undefined) return { status: 200 };
      const body = JSON.stringify({ response_type: "ephemeral", text: reply });
      return { status: 200, body, type: "application/json" };
    } catch {
      // It could not be stored. Slack hands it over again after an answer like this.
      return { status: 500, body: "not stored, please send it again" };
    }
  };
  return { mostBytes: MOST_BYTES, answerHead, answer };
}

function mayBeSigned(headers: WebhookHead["headers"], now: number): boolean {
  const stamp = headers["x-slack-request-timestamp"] ?? "";
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(now / 1000 - Number(stamp)) > OLDEST_SECONDS) return false;
  return /^v0=[0-9a-f]{64}$/.test(headers["x-slack-signature"] ?? "");
}

function isSigned(call: Pick<WebhookCall, "headers" | "body">, secret: string): boolean {
  const stamp = call.headers["x-slack-request-timestamp"] ?? "";
  const given = Buffer.from(call.headers["x-slack-signature"] ?? "");
  const digest = createHmac("sha256", secret).update(`v0:${stamp}:`).update(call.body).digest("hex");
  const expected = Buffer.from(`v0=${digest}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

type Read =
  | { readonly kind: "envelope"; readonly envelope: Envelope }
  | { readonly kind: "challenge"; readonly challenge: string }
  | { readonly kind: "unreadable" };

/** Events are JSON; commands and interactions are forms, the latter with JSON in one field. */
function readBody(call: WebhookCall): Read {
  const text = Buffer.from(call.body).toString("utf8");
  if (call.headers["content-type"]?.startsWith("application/x-www-form-urlencoded")) {
    const form = new URLSearchParams(text);
    const payload = form.get("payload");
    if (payload === null) return { kind: "envelope", envelope: { kind: "command", body: Object.fromEntries(form) } };
    const body = parseJson(payload);
    return body === undefined ? { kind: "unreadable" } : { kind: "envelope", envelope: { kind: "interaction", body } };
  }
  const body = parseJson(text);
  const callback = Callback().safeParse(body);
  if (!callback.success) return { kind: "unreadable" };
  const { type, challenge } = callback.data;
  if (type === "url_verification") return { kind: "challenge", challenge: challenge ?? "" };
  return { kind: "envelope", envelope: { kind: "event", body } };
}
