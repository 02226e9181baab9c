// Answers the requests of other programs: believed, read, and accepted only when they are written down.
import type { ChannelHost, WebhookAnswer, WebhookCall, WebhookReceiver, WebhookHead } from "@chela/sdk";
import type { WebhookAccount } from "./config.ts";
import { parseRequest, type Parsed, type MessageContext } from "./parse.ts";
import { parseGithub } from "./parse-github.ts";
import { doubtOf, whyUnread } from "./signature.ts";
import { parseJson } from "@chela/sdk/base";

const MOST_BYTES = 1024 * 1024;

export function createReceiver(
  account: WebhookAccount,
  host: ChannelHost,
  isOurs: (messageId: string) => boolean,
): WebhookReceiver {
  const refuse = (why: string): WebhookAnswer => {
    host.log.warn("a request was not believed", { why });
    return answer(401, { error: why });
  };
  const answerHead = (head: WebhookHead): WebhookAnswer | undefined => {
    if (head.method !== "POST") return answer(405, { error: "send a POST" });
    const doubt = whyUnread(head, account, host.clock.now());
    return doubt === undefined ? undefined : refuse(doubt);
  };
  const answerCall = async (call: WebhookCall): Promise<WebhookAnswer> => {
    const doubt = doubtOf(call, account);
    if (doubt !== undefined) return refuse(doubt);
    const parsed = read(account, call, { now: host.clock.now(), sender: account.sender, isOurs });
    if (parsed.kind === "wrong") return answer(400, { error: parsed.why });
    if (parsed.kind === "passed") return answer(200, { accepted: false, why: parsed.why });
    try {
      const received = await host.receive(parsed.event);
      if (received.kind === "accepted") return answer(202, { accepted: true });
      return answer(200, { accepted: false, why: received.why });
    } catch (error) {
      host.log.warn("a message could not be written down", { error });
      return answer(503, { error: "the message could not be written down; send it again later" });
    }
  };
  return { mostBytes: MOST_BYTES, answerHead, answer: answerCall };
}

function read(account: WebhookAccount, call: WebhookCall, surroundings: MessageContext): Parsed {
  const body = parseJson(account.format === "github" ? jsonInForm(call) : textOf(call));
  if (body === undefined) return { kind: "wrong", why: "the body is no JSON" };
  if (account.format === "github") return parseGithub(body, call, account.template, surroundings);
  return parseRequest(body, surroundings);
}

function textOf({ body }: WebhookCall): string {
  return Buffer.from(body).toString("utf8");
}

/** GitHub can send the JSON as a field of a form, too. */
function jsonInForm(call: WebhookCall): string {
  const isForm = call.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  return isForm ? (new URLSearchParams(textOf(call)).get("payload") ?? "") : textOf(call);
}

function answer(status: number, body: object): WebhookAnswer {
  return { status, body: JSON.stringify(body), type: "application/json" };
}
