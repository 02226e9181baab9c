// Checks who a request comes from: over the bytes as they are, compared in constant time, before anything is read.
import type { WebhookCall } from "@chela/sdk";
import { hmacSha256, isSameText } from "../../../base/http/hmac.ts";
import { doubtOfSignedBody } from "../../../base/http/signed-body.ts";
import type { WebhookAccount } from "./config.ts";

/** The reason why a request is not believed, or undefined. */
export function doubtOf(
  call: Pick<WebhookCall, "headers" | "body">,
  { format, secret }: Pick<WebhookAccount, "format" | "secret">,
  now: number,
): string | undefined {
  if (format !== "github") return doubtOfSignedBody(call, secret.reveal(), now);
  const expected = `sha256=${hmacSha256(secret.reveal(), call.body).toString("hex")}`;
  const isRight = isSameText(call.headers["x-hub-signature-256"], expected);
  return isRight ? undefined : "the X-Hub-Signature-256 is missing or wrong";
}
