// Interactions that come by HTTP instead of the gateway connection: signed by Discord, checked before anything is read.
import { parseJson } from "@chela/sdk/base";
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import type { Clock, WebhookAnswer, WebhookCall, WebhookReceiver, WebhookHead } from "@chela/sdk";
import type { Acknowledgement, Interactions } from "./interactions.ts";
import { Interaction } from "./payload.ts";

/** What is written into a form, and the message that was pressed; files come as addresses. */
const MOST_BYTES = 1024 * 1024;
const UNSIGNED: WebhookAnswer = { status: 401, body: "invalid request signature" };
const PING = 1;
const PONG = { type: 1 };
/** An older signature may have been recorded by somebody. */
const FRESH_MS = 5 * 60 * 1000;
/** Discord has to have our answer before a second call about it makes sense. */
const AFTER_ANSWER_MS = 2_000;

export function answerInteractions(parts: {
  readonly publicKey: string;
  readonly clock: Clock;
  readonly interactions: Interactions;
}): WebhookReceiver {
  const key = readKey(parts.publicKey);
  const answerHead = ({ method, headers }: WebhookHead): WebhookAnswer | undefined => {
    if (method !== "POST") return { status: 405 };
    return mayBeSigned(headers, parts.clock.now()) ? undefined : UNSIGNED;
  };
  const answer = async (call: WebhookCall): Promise<WebhookAnswer> => {
    if (!isSigned(call, key)) return UNSIGNED;
    const interaction = readInteraction(call.body);
    if (!interaction) return { status: 400 };
    if (interaction.type === PING) return json(PONG);
    let acknowledgement: Acknowledgement | undefined;
    try {
      acknowledgement = await parts.interactions.receive(interaction);
    } catch {
      // It could not be written down: whoever gave the command is told by Discord that it failed.
      return { status: 503 };
    }
    if (!acknowledgement) return { status: 400 };
    const { body, sent } = acknowledgement;
    parts.clock.after(AFTER_ANSWER_MS, () => void sent());
    return json(body);
  };
  return { mostBytes: MOST_BYTES, answerHead, answer };
}

function mayBeSigned(headers: WebhookHead["headers"], now: number): boolean {
  const timestamp = headers["x-signature-timestamp"] ?? "";
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > FRESH_MS) return false;
  return /^[0-9a-f]{128}$/i.test(headers["x-signature-ed25519"] ?? "");
}

function isSigned(call: WebhookCall, key: KeyObject): boolean {
  const signature = call.headers["x-signature-ed25519"] ?? "";
  const timestamp = call.headers["x-signature-timestamp"] ?? "";
  return verify(null, Buffer.concat([Buffer.from(timestamp), call.body]), key, Buffer.from(signature, "hex"));
}

function readKey(hex: string): KeyObject {
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

function readInteraction(body: Uint8Array): Interaction | undefined {
  return Interaction().safeParse(parseJson(Buffer.from(body).toString("utf8"))).data;
}

function json(value: unknown): WebhookAnswer {
  return { status: 200, type: "application/json", body: JSON.stringify(value) };
}
