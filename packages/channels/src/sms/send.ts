// Sends messages as text, and says of each what became of it.
import * as z from "zod";
import { once, type OutboundContent, type OutboundMessage, type SendOutcome } from "@chela/sdk";
import { isRecipient } from "./address.ts";
import type { TwilioApi } from "./api.ts";
import type { SmsAccount } from "./config.ts";
import { writeText } from "./format.ts";

/** Longer texts are refused by Twilio. */
const MOST_CHARACTERS = 1600;

const Sent = once(() => z.object({ sid: z.string().min(1) }));

type Failed = Extract<SendOutcome, { kind: "failed" }>;
const failed = (reason: Failed["reason"], why: string): Failed => ({ kind: "failed", reason, why });

export async function sendMessage(
  api: TwilioApi,
  { from, messagingServiceSid }: SmsAccount,
  { target: { to }, content }: OutboundMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  if (!isRecipient(to)) return failed("unreachable", `"${to}" is no number such as +4915112345678`);
  const text = composeText(content);
  if (text === undefined) {
    return failed("rejected", "SMS cannot carry a file: Twilio fetches files from a public address, and there is none");
  }
  if (text.trim() === "") return failed("rejected", "there is no text in it");
  if (text.length > MOST_CHARACTERS) return failed("rejected", `an SMS has at most ${MOST_CHARACTERS} characters`);
  const sender = {
    ...(from ? { From: from } : {}),
    ...(messagingServiceSid ? { MessagingServiceSid: messagingServiceSid } : {}),
  };
  const called = await api.post("/Messages.json", { To: to, Body: text, ...sender }, signal);
  if (called.kind === "failed") return called;
  const sid = Sent().safeParse(called.result).data?.sid;
  return sid ? { kind: "sent", messageId: sid } : failed("uncertain", "Twilio's answer does not name the message");
}

/** Undefined when there are no words. What cannot be pressed is written down so that it can be typed. */
function composeText(content: OutboundContent): string | undefined {
  switch (content.kind) {
    case "media": {
      // Its words are for the person, who is told that something is missing.
      const { caption, media } = content;
      if (!caption?.trim()) return undefined;
      return `${writeText(caption)}\n[${media.name}: a file, which SMS cannot carry]`;
    }
    case "poll": {
      const options = content.poll.options.map((option, index) => `${index + 1}. ${option}`);
      return [content.poll.question, "", ...options].join("\n");
    }
    case "text": {
      const text = writeText(content.markdown);
      const typed = (content.buttons ?? []).flat().filter(({ data }) => data.startsWith("/"));
      if (typed.length === 0) return text;
      return [text, "", ...typed.map(({ text: title, data }) => `- ${title}: ${data}`)].join("\n");
    }
  }
}
