// Writes the content of a message (text, files, a poll) the way the request wants it.
import { defined } from "@chela/sdk/base";
import { GatewayError, type OutboundMedia, type Poll } from "@chela/sdk";
import type { Letter } from "./letters.ts";
import type { MessageRequest } from "./request.ts";

export interface Wording {
  readonly content: Letter["content"];
  /** What the conversation of the chat is told. */
  readonly told: string;
}

const POLL_OPTIONS = { least: 2, most: 12 };

/** Throws MESSAGE_REQUEST when there is nothing to send. */
export function checkContent({ action, message, media, file, poll, threadId }: MessageRequest): void {
  if (action === "thread-reply" && !threadId) throw request('"thread-reply" needs threadId.');
  if (action === "poll") {
    const count = poll?.options.length ?? 0;
    if (!poll?.question.trim()) throw request("A poll needs a question.");
    if (count >= POLL_OPTIONS.least && count <= POLL_OPTIONS.most) return;
    throw request(`A poll needs ${POLL_OPTIONS.least} to ${POLL_OPTIONS.most} options.`);
  }
  if (!message?.trim() && !media?.length && !file) throw request("text or media is required");
}

/** `mark` puts a sign before what comes from another chat; `askedBy` is the message a reply answers when none is named. */
export function wordMessage(
  { action, message, replyTo, messageId, poll, asVoice }: MessageRequest,
  media: readonly OutboundMedia[],
  mark: (text: string) => string,
  askedBy: string | undefined,
): Wording {
  if (action === "poll" && poll) {
    const whole = wordPoll(poll, mark);
    return {
      content: { kind: "poll", poll: whole },
      told: [whole.question, ...poll.options.map((one) => `- ${one}`)].join("\n"),
    };
  }
  const text = message?.trim() ? mark(message) : undefined;
  const answered = replyTo ?? (action === "reply" ? (messageId ?? askedBy) : undefined);
  const reply = {
    texts: text === undefined ? [] : [text],
    media,
    ...(answered ? { replyTo: answered, isReplyAsked: true } : {}),
    ...(asVoice ? { asVoice } : {}),
  };
  return { content: { kind: "reply", reply }, told: text ?? media.map(({ name }) => name).join(", ") };
}

function wordPoll(poll: NonNullable<MessageRequest["poll"]>, mark: (text: string) => string): Poll {
  const { options, maxSelections, durationSeconds, isAnonymous } = poll;
  return {
    question: mark(poll.question),
    options,
    ...defined({ maxSelections, durationSeconds, isAnonymous }),
  };
}

function request(detail: string): GatewayError {
  return new GatewayError("MESSAGE_REQUEST", detail);
}
