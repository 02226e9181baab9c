// Sends texts and files, and changes texts that were sent.
import { readFile } from "node:fs/promises";
import type { OutboundContent, OutboundMedia, OutboundMessage, SendOutcome, Target } from "@chela/sdk";
import { recipientOf } from "./address.ts";
import type { SignalAccount } from "./config.ts";
import { failed, failureInResults, toFailure } from "./failures.ts";
import { toStyledText } from "./format.ts";
import { readMessageId, writeMessageId } from "./message-id.ts";
import type { RecentWords } from "./recent-words.ts";
import type { RpcOutcome, SignalRpc } from "./rpc.ts";
import { SendResult } from "./wire.ts";

export interface SendParts {
  readonly rpc: SignalRpc;
  readonly account: SignalAccount;
  readonly recent: RecentWords;
  /** Ours; absent when signal-cli has only one account and it was not named. */
  number(): string | undefined;
}

const SEND_MS = 90_000;
/** What is larger is not put into the request. */
const MOST_INLINE_BYTES = 20 * 1024 * 1024;

export async function sendMessage(
  parts: SendParts,
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const recipient = recipientOf(message.target);
  if (!recipient) return failed("rejected", `"${message.target.to}" is no Signal address`);
  const body = await writeBody(parts, message.content);
  if (body === undefined) return failed("rejected", "the file cannot be read any more");
  if (body.message === "" && !body.attachments) return failed("rejected", "nothing is left of the message");
  const params = { ...ownAccount(parts), ...recipient, ...body, ...quoteOf(parts, message.replyTo) };
  const outcome = readSent(await parts.rpc.call("send", params, { timeoutMs: SEND_MS, signal }));
  if (outcome.kind === "sent") parts.recent.noteText(outcome.messageId, body.message);
  return outcome;
}

export async function editMessage(
  parts: SendParts,
  target: Target,
  messageId: string,
  markdown: string,
): Promise<SendOutcome> {
  const recipient = recipientOf(target);
  const name = readMessageId(messageId);
  if (!recipient || !name || name.author !== undefined) return failed("rejected", "there is no such message of ours");
  const { text, styles } = toStyledText(markdown, parts.account.tables);
  const params = { ...ownAccount(parts), ...recipient, message: text, ...stylesOf(styles) };
  const outcome = readSent(await parts.rpc.call("send", { ...params, editTimestamp: name.timestamp }));
  // The message keeps the id it was sent with.
  return outcome.kind === "sent" ? { kind: "sent", messageId } : outcome;
}

export function ownAccount(parts: SendParts): { account?: string } {
  const account = parts.number();
  return account === undefined ? {} : { account };
}

interface Body {
  readonly message: string;
  readonly textStyle?: readonly string[];
  readonly attachments?: readonly [string];
}

/** Undefined when a file is gone. */
async function writeBody({ account }: SendParts, content: OutboundContent): Promise<Body | undefined> {
  switch (content.kind) {
    case "text": {
      const { text, styles } = toStyledText(content.markdown, account.tables);
      // There are no buttons; a command can be typed instead.
      const commands = (content.buttons ?? []).flat().filter(({ data }) => data.startsWith("/"));
      const lines = commands.map((button) => `${button.text}: ${button.data}`);
      return { message: [text, ...lines].join("\n"), ...stylesOf(styles) };
    }
    case "media": {
      const { text, styles } = toStyledText(content.caption ?? "", account.tables);
      const file = await attach(content.media, account);
      return file === undefined ? undefined : { message: text, ...stylesOf(styles), attachments: [file] };
    }
    case "poll": {
      const options = content.poll.options.map((option, index) => `${index + 1}. ${option}`);
      return { message: [content.poll.question, ...options].join("\n").toWellFormed() };
    }
  }
}

function stylesOf(styles: readonly string[]): { textStyle?: readonly string[] } {
  return styles.length === 0 ? {} : { textStyle: styles };
}

/** A daemon of our own reads the file itself; another one may live on a disk of its own, and is handed the bytes. */
async function attach(media: OutboundMedia, account: SignalAccount): Promise<string | undefined> {
  if (account.daemon || media.bytes > MOST_INLINE_BYTES) return media.path;
  try {
    const bytes = await readFile(media.path);
    const name = media.name.replace(/[^\w.-]+/g, "_") || "file";
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(media.mimeType) ? media.mimeType : "application/octet-stream";
    return `data:${type};filename=${name};base64,${bytes.toString("base64")}`;
  } catch {
    return undefined;
  }
}

function quoteOf(parts: SendParts, replyTo: string | undefined): object {
  const name = replyTo === undefined ? undefined : readMessageId(replyTo);
  const author = name?.author ?? parts.number();
  if (!name || author === undefined || replyTo === undefined) return {};
  return {
    quoteTimestamp: name.timestamp,
    quoteAuthor: author,
    quoteMessage: parts.recent.textOf(replyTo) ?? "",
  };
}

function readSent(outcome: RpcOutcome): SendOutcome {
  if (outcome.kind !== "done") return toFailure(outcome);
  const failure = failureInResults(outcome.result);
  if (failure) return failure;
  const read = SendResult().safeParse(outcome.result);
  const timestamp = read.success ? read.data.timestamp : undefined;
  if (!timestamp) return failed("uncertain", "signal-cli did not say what became of the message");
  return { kind: "sent", messageId: writeMessageId(timestamp) };
}
