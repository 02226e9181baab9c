// Signs and checks requests: over the bytes as they are, compared in constant time, before anything is read.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookCall } from "@chela/sdk";
import type { WebhookAccount } from "./config.ts";

/** How far the clocks of both sides may be apart. */
const WINDOW_SECONDS = 5 * 60;

export interface SignatureHeaders {
  readonly "x-chela-timestamp": string;
  readonly "x-chela-signature": string;
}

export function signBody(secret: string, body: string, now: number): SignatureHeaders {
  const stamp = String(Math.floor(now / 1000));
  return { "x-chela-timestamp": stamp, "x-chela-signature": `v1=${digest(secret, `v1:${stamp}:`, body)}` };
}

/** The reason why a request is not believed, or undefined. */
export function doubtOf(
  { headers, body }: Pick<WebhookCall, "headers" | "body">,
  { format, secret }: Pick<WebhookAccount, "format" | "secret">,
  now: number,
): string | undefined {
  if (format === "github") {
    const expected = `sha256=${digest(secret.reveal(), "", body)}`;
    return isSame(headers["x-hub-signature-256"], expected) ? undefined : "the X-Hub-Signature-256 is missing or wrong";
  }
  const stamp = headers["x-chela-timestamp"] ?? "";
  if (!/^\d{1,12}$/.test(stamp)) return "the X-Chela-Timestamp is missing; send the time in unix seconds";
  const expected = `v1=${digest(secret.reveal(), `v1:${stamp}:`, body)}`;
  if (!isSame(headers["x-chela-signature"], expected)) return "the X-Chela-Signature is missing or wrong";
  if (Math.abs(now / 1000 - Number(stamp)) > WINDOW_SECONDS) {
    return "the X-Chela-Timestamp is more than five minutes off; check the clock, and sign anew for each attempt";
  }
  return undefined;
}

function digest(secret: string, before: string, body: string | Uint8Array): string {
  return createHmac("sha256", secret).update(before).update(body).digest("hex");
}

function isSame(given: string | undefined, expected: string): boolean {
  const [left, right] = [Buffer.from(given ?? ""), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
