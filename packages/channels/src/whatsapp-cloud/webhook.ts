// Takes what Meta sends to the gateway's own port. Nothing is read before its signature is known to be right.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookAnswer, WebhookCall, WebhookReceiver, WebhookHead } from "@chela/sdk";
import type { WhatsAppCloudAccount } from "./config.ts";
import { readNotification, type WireValue } from "./wire.ts";

const MOST_BYTES = 3 * 1024 * 1024;
const UNSIGNED: WebhookAnswer = { status: 401, body: "The signature is missing or wrong." };

/** `take` resolves when everything in it is written down. */
export function createWebhook(
  { appSecret, verifyToken }: WhatsAppCloudAccount,
  take: (values: readonly WireValue[]) => Promise<void>,
): WebhookReceiver {
  const answerHead = (head: WebhookHead): WebhookAnswer | undefined => {
    if (head.method === "GET") return answerChallenge(head, verifyToken.reveal());
    if (head.method !== "POST") return { status: 405, body: "Only GET and POST are taken here." };
    return /^sha256=[0-9a-f]{64}$/.test(head.headers["x-hub-signature-256"] ?? "") ? undefined : UNSIGNED;
  };
  const answer = async (call: WebhookCall): Promise<WebhookAnswer> => {
    if (!isSigned(call, appSecret.reveal())) return UNSIGNED;
    const values = readNotification(call.body);
    // It is Meta's, and to send it again would not make it readable.
    if (!values) return { status: 200 };
    try {
      await take(values);
      return { status: 200 };
    } catch {
      return { status: 503, body: "It could not be written down. Please send it again." };
    }
  };
  return { mostBytes: MOST_BYTES, answerHead, answer };
}

/** Meta asks once, when the address is entered, whether it is ours. */
function answerChallenge({ query }: WebhookHead, verifyToken: string): WebhookAnswer {
  const isOurs = query.get("hub.mode") === "subscribe" && isSame(query.get("hub.verify_token") ?? "", verifyToken);
  if (!isOurs) return { status: 403, body: "The verify token is missing or wrong." };
  return { status: 200, body: query.get("hub.challenge") ?? "", type: "text/plain" };
}

export function isSigned({ headers, body }: Pick<WebhookCall, "headers" | "body">, appSecret: string): boolean {
  const digest = createHmac("sha256", appSecret).update(body).digest("hex");
  return isSame(headers["x-hub-signature-256"] ?? "", `sha256=${digest}`);
}

/** Digests have one length, whatever was sent, and are compared in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
