// Sends, changes and finds messages of ours.
import * as z from "zod";
import { once, type Button, type ChannelConnection, type OutboundMessage, type SendOutcome } from "@chela/sdk";
import { chunkMarkdown } from "@chela/sdk/markdown";
import { addressee } from "./address.ts";
import type { Asked, SlackApi } from "./api.ts";
import type { SlackAccount } from "./config.ts";
import { failedSend, type ApiFailure } from "./failures.ts";
import { measure, toMarkdownBlock, toMrkdwn } from "./format.ts";
import type { MediaSender } from "./upload.ts";
import { isOurs } from "./receive/parse-message.ts";
import type { Self } from "./receive/message-context.ts";
import { Message, type SlackMessage } from "./wire.ts";

export interface Places {
  /** The id of the conversation an address leads to; a direct one is opened when it is not yet there. */
  find(to: string): Promise<Asked<string>>;
}

interface SenderNeeds {
  readonly account: SlackAccount;
  readonly api: SlackApi;
  readonly self: Self;
  readonly places: Places;
  readonly media: MediaSender;
  readonly now: () => number;
}

type Sender = Required<Pick<ChannelConnection, "send" | "edit" | "findSent">>;

const Posted = once(() => z.object({ channel: z.string(), ts: z.string() }));
const History = once(() =>
  z.object({
    messages: z.array(Message().extend({ metadata: Metadata() })),
    response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
  }),
);
const Metadata = () =>
  z
    .object({ event_type: z.string(), event_payload: z.object({ key: z.string().optional() }).catch({}) })
    .optional()
    .catch(undefined);

/** Hangs on each message of ours, invisible for people, so that a doubtful one can be found again. */
const DELIVERY = "chela_delivery";
const SECTION_LIMIT = 3_000;
const VALUE_LIMIT = 2_000;
const LABEL_LIMIT = 75;
const MOST_PAGES = 3;
const PAGE = 100;
/** Files carry no key; one of the same name and size from this long ago is taken for the same. */
const SAME_FILE_MS = 60 * 60_000;

export function createSender(needs: SenderNeeds): Sender {
  const { api, places } = needs;

  const post = async (message: OutboundMessage): Promise<SendOutcome> => {
    const { content } = message;
    if (content.kind === "poll") return rejected("Slack has no polls");
    const tooLong = content.kind === "text" ? buttonThatIsTooLong(content.buttons) : undefined;
    if (tooLong) return rejected(`the value of the button "${tooLong}" is longer than ${VALUE_LIMIT} characters`);
    const place = await places.find(message.target.to);
    if (place.kind === "failed") return failedSend(unsent(place.failure));
    const channel = place.answer;
    const thread = threadOf(message);
    if (content.kind === "media") return needs.media.send(content, { channel, ...thread });
    const posted = await api.ask("chat.postMessage", postArguments(message, channel, needs.account), Posted());
    if (posted.kind === "failed") return failedSend(posted.failure);
    return { kind: "sent", messageId: posted.answer.ts, chatId: posted.answer.channel };
  };

  return {
    async send(message, signal) {
      if (signal.aborted) return failed("unavailable", "sending was stopped before it began");
      const stopped = Promise.withResolvers<SendOutcome>();
      const stop = () => stopped.resolve(failed("uncertain", "sending was stopped before Slack answered"));
      signal.addEventListener("abort", stop, { once: true });
      try {
        return await Promise.race([post(message), stopped.promise]);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },

    async edit(target, messageId, markdown) {
      const place = await places.find(target.to);
      if (place.kind === "failed") return failedSend(place.failure);
      // An empty list takes away the buttons and blocks of before; without one they would stay.
      const blocks = needs.account.sendsMarkdownBlocks ? [markdownBlock(markdown)] : [];
      // Unlike a new message, an edit is read as if a person had typed it, unless told otherwise: names would ring.
      const args = { channel: place.answer, ts: messageId, text: toMrkdwn(markdown), blocks, parse: "none" };
      const updated = await api.ask("chat.update", args, Posted());
      if (updated.kind === "failed") return failedSend(updated.failure);
      return { kind: "sent", messageId: updated.answer.ts, chatId: updated.answer.channel };
    },

    async findSent(message) {
      const place = await places.find(message.target.to);
      if (place.kind === "failed") return undefined;
      return findInHistory(message, place.answer, needs);
    },
  };
}

/** Looks from the newest message back. Undefined when Slack does not let us look far enough. */
async function findInHistory(
  message: OutboundMessage,
  channel: string,
  { api, self, now }: SenderNeeds,
): Promise<SendOutcome | undefined> {
  const { thread_ts: thread } = threadOf(message);
  const method = thread ? "conversations.replies" : "conversations.history";
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const where = { channel, ...(thread ? { ts: thread } : {}), ...(cursor ? { cursor } : {}) };
    const asked = await api.ask(method, { ...where, limit: PAGE, include_all_metadata: true }, History());
    if (asked.kind === "failed") return undefined;
    const found = asked.answer.messages.find(
      (candidate) => isOurs(candidate, self) && isThis(candidate, message, now()),
    );
    if (found?.ts) return { kind: "sent", messageId: found.ts, chatId: channel };
    cursor = asked.answer.response_metadata?.next_cursor;
    if (!cursor) return failed("unavailable", "it is not among the messages of the chat");
  }
  return undefined;
}

type Candidate = SlackMessage & { readonly metadata?: z.output<ReturnType<typeof Metadata>> };

function isThis(candidate: Candidate, { key, content }: OutboundMessage, now: number): boolean {
  if (content.kind !== "media") {
    return candidate.metadata?.event_type === DELIVERY && candidate.metadata.event_payload.key === key;
  }
  const { name, bytes } = content.media;
  const isRecent = Number(candidate.ts ?? 0) * 1000 > now - SAME_FILE_MS;
  return isRecent && candidate.files.some((file) => file.name === name && file.size === bytes);
}

/** In Slack an answer to a message is a message in the thread below it. */
function threadOf({ target, replyTo }: Pick<OutboundMessage, "target" | "replyTo">): { readonly thread_ts?: string } {
  const thread = target.threadId ?? replyTo;
  return thread ? { thread_ts: thread } : {};
}

function postArguments(message: OutboundMessage, channel: string, account: SlackAccount): Record<string, unknown> {
  const { markdown, buttons } = message.content as OutboundMessage["content"] & { kind: "text" };
  const rows = (buttons ?? []).filter((row) => row.length > 0);
  const blocks = [...textBlocks(markdown, account, rows.length > 0), ...rows.map(actionsBlock)];
  return {
    channel,
    text: toMrkdwn(markdown),
    ...threadOf(message),
    ...(blocks.length > 0 ? { blocks } : {}),
    unfurl_links: false,
    unfurl_media: false,
    metadata: { event_type: DELIVERY, event_payload: { key: message.key } },
  };
}

/** Beside blocks the plain text is only for notifications, so with buttons the text has to be a block, too. */
function textBlocks(markdown: string, account: SlackAccount, hasButtons: boolean): object[] {
  if (account.sendsMarkdownBlocks) return [markdownBlock(markdown)];
  if (!hasButtons) return [];
  return chunkMarkdown(markdown, { limit: SECTION_LIMIT, measure }).map((part) => ({
    type: "section",
    text: { type: "mrkdwn", text: toMrkdwn(part) },
  }));
}

function markdownBlock(markdown: string): object {
  return { type: "markdown", text: toMarkdownBlock(markdown) };
}

function actionsBlock(row: readonly Button[], index: number): object {
  return {
    type: "actions",
    elements: row.map(({ text, data }, column) => ({
      type: "button",
      action_id: `chela_${index}_${column}`,
      text: { type: "plain_text", text: [...text].slice(0, LABEL_LIMIT).join("") || "…", emoji: true },
      value: data,
    })),
  };
}

function buttonThatIsTooLong(rows: ReadonlyArray<readonly Button[]> | undefined): string | undefined {
  return rows?.flat().find(({ data }) => data.length > VALUE_LIMIT)?.text;
}

/** Whatever went wrong before the message itself was handed over, it was not sent. */
function unsent(failure: ApiFailure): ApiFailure {
  return failure.reason === "uncertain" ? { ...failure, reason: "unavailable" } : failure;
}

function rejected(why: string): SendOutcome {
  return failed("rejected", why);
}

function failed(reason: "rejected" | "unavailable" | "uncertain", why: string): SendOutcome {
  return { kind: "failed", reason, why };
}

const Opened = once(() => z.object({ channel: z.object({ id: z.string() }) }));
const MOST_OPEN = 5_000;

export function createPlaces(api: SlackApi): Places {
  const open = new Map<string, string>();
  return {
    async find(to) {
      const address = addressee(to);
      if (!address) {
        return {
          kind: "failed",
          failure: { reason: "unreachable", code: "no_address", why: `${to} is no address in Slack` },
        };
      }
      if (address.kind === "channel") return { kind: "answered", answer: address.id };
      const known = open.get(address.id);
      if (known) return { kind: "answered", answer: known };
      const opened = await api.ask("conversations.open", { users: address.id }, Opened());
      if (opened.kind === "failed") return opened;
      if (open.size >= MOST_OPEN) open.clear();
      open.set(address.id, opened.answer.channel.id);
      return { kind: "answered", answer: opened.answer.channel.id };
    },
  };
}
