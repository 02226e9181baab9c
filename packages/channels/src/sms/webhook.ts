// Takes what Twilio sends to the gateway's own port. Nothing is made of it before its signature is known to be right.
import type { ChannelHost, WebhookAnswer, WebhookCall, WebhookReceiver, WebhookHead } from "@chela/sdk";
import type { SmsAccount } from "./config.ts";
import type { Inbound } from "./inbound.ts";
import { parseRequest } from "./parse.ts";
import { isSigned } from "./signature.ts";

const MOST_BYTES = 256 * 1024;
const MOST_FIELDS = 500;
/** Twenty bytes in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{27}=$/;
/** Twilio would send whatever stands in here as an answer; ours go their own way. */
const TAKEN: WebhookAnswer = { status: 200, type: "text/xml", body: "<Response/>" };

/** `owed` is called when a message could not be taken: Twilio does not send it again. */
export function createWebhook(
  account: SmsAccount,
  host: ChannelHost,
  inbound: Inbound,
  owed: () => void,
): WebhookReceiver {
  let hasWarned = false;
  const unsigned = (): WebhookAnswer => {
    // Once is enough: whoever knocks at the door all day must not fill the log.
    if (!hasWarned)
      host.log.warn("a request was not signed by Twilio; is publicUrl what Twilio calls, letter by letter?");
    hasWarned = true;
    return { status: 401, body: "The signature is missing or wrong." };
  };
  const answerHead = ({ method, headers }: WebhookHead): WebhookAnswer | undefined => {
    if (method !== "POST") return { status: 405, body: "Only POST is taken here." };
    if (!/^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")) {
      return { status: 415, body: "Only forms are taken here (application/x-www-form-urlencoded)." };
    }
    return SIGNATURE.test(headers["x-twilio-signature"] ?? "") ? undefined : unsigned();
  };
  const answer = async (call: WebhookCall): Promise<WebhookAnswer> => {
    const fields = readForm(call.body);
    const signature = call.headers["x-twilio-signature"];
    if (!fields || !isSigned(signature, account.publicUrl, fields, account.authToken.reveal())) return unsigned();
    host.alive();
    const parsed = parseRequest(fields, account, host.clock.now());
    if (parsed.kind === "dropped") {
      host.log.debug("a message was passed over", { why: parsed.why });
      inbound.passOver(fields.get("MessageSid") ?? "");
      return TAKEN;
    }
    try {
      await inbound.take(parsed.event);
      return TAKEN;
    } catch {
      owed();
      return { status: 503, body: "It could not be written down. Please send it again." };
    }
  };
  return { mostBytes: MOST_BYTES, answerHead, answer };
}

function readForm(body: Uint8Array): URLSearchParams | undefined {
  const fields = new URLSearchParams(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
  return fields.size <= MOST_FIELDS ? fields : undefined;
}
