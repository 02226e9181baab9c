// Checks who a request comes from: over the bytes as they are, compared in constant time, before anything is read.
import type { WebhookCall, WebhookHead } from "@chela/sdk";
import { hmacSha256, isSameText, doubtOfHead, doubtOfSignedBody } from "@chela/sdk/signing";
import type { WebhookAccount } from "./config.ts";

const WRONG = "the X-Hub-Signature-256 is missing or wrong";

/** The reason why nothing of its body is read, or undefined. */
export function whyUnread(
  head: Pick<WebhookHead, "headers">,
  { format }: Pick<WebhookAccount, "format">,
  now: number,
): string | undefined {
  if (format !== "github") return doubtOfHead(head, now);
  return /^sha256=[0-9a-f]{64}$/.test(head.headers["x-hub-signature-256"] ?? "") ? undefined : WRONG;
}

/** The reason why a request whose head is well is not believed, or undefined. */
export function doubtOf(
  call: Pick<WebhookCall, "headers" | "body">,
  { format, secret }: Pick<WebhookAccount, "format" | "secret">,
): string | undefined {
  if (format !== "github") return doubtOfSignedBody(call, secret.reveal());
  const expected = `sha256=${hmacSha256(secret.reveal(), call.body).toString("hex")}`;
  return isSameText(call.headers["x-hub-signature-256"], expected) ? undefined : WRONG;
}
