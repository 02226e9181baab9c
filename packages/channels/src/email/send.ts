// Sends mails: finds their thread, writes them, and says what became of them.
import { defined } from "@chela/sdk/base";
import type { ChannelHost, OutboundContent, OutboundMedia, OutboundMessage, SendOutcome } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { normaliseAddress } from "./address.ts";
import type { Archive } from "./archive.ts";
import { composeMail, type Letter } from "./compose.ts";
import type { EmailAccount } from "./config.ts";
import { toSubject } from "./format.ts";
import { messageIdFor } from "./message-id.ts";
import { isLoginRefused, type Delivery, type Refusal, type Smtp } from "./smtp.ts";
import type { Threads } from "./threads.ts";

export interface SendParts {
  readonly account: EmailAccount;
  readonly host: ChannelHost;
  readonly smtp: Smtp;
  readonly archive: Archive;
  readonly threads: Threads;
}

type Failed = Extract<SendOutcome, { kind: "failed" }>;
const failed = (reason: Failed["reason"], why: string): Failed => ({ kind: "failed", reason, why });

export async function sendMail(parts: SendParts, message: OutboundMessage, signal: AbortSignal): Promise<SendOutcome> {
  const { account, host, smtp, archive } = parts;
  const to = normaliseAddress(message.target.to);
  if (to === undefined) return failed("rejected", `"${message.target.to}" is no mail address`);
  const { markdown, file } = contentOf(message.content);
  if (file && file.bytes * 1.4 > account.maxMessageBytes) {
    return failed("rejected", "the file is too large for a mail (maxMessageMb)");
  }
  let letter: Letter;
  let mail: Buffer;
  try {
    letter = await writeLetter(parts, message, { to, markdown, ...(file ? { file } : {}) });
    mail = await composeMail(letter);
  } catch (error) {
    host.log.warn("a mail could not be written", { error });
    if (errnoOf(error) === "ENOENT") return failed("rejected", "the file is not there any more");
    return failed("unavailable", "the mail could not be written at the moment");
  }
  const delivery = await smtp.send(account.address, to, mail, signal);
  if (delivery.kind !== "accepted") return toFailure(delivery);
  await archive.keepSent(mail, letter.messageId).catch((error: unknown) => {
    host.log.warn("a mail was sent, but not kept in the folder of sent mail", { error });
  });
  await noteThread(parts, message, letter);
  return { kind: "sent", messageId: letter.messageId, chatId: to };
}

/** Undefined when the folder of sent mail cannot be asked, or does not have it. */
export async function findSentMail(
  { account, archive, host }: SendParts,
  message: OutboundMessage,
): Promise<SendOutcome | undefined> {
  const messageId = messageIdFor(message.key, account.address);
  try {
    return (await archive.hasSent(messageId)) ? { kind: "sent", messageId } : undefined;
  } catch (error) {
    host.log.warn("the folder of sent mail cannot be searched", { error });
    return undefined;
  }
}

interface Written {
  readonly markdown: string;
  readonly file?: OutboundMedia;
}

function contentOf(content: OutboundContent): Written {
  switch (content.kind) {
    case "text": {
      // There are no buttons; a command can be written instead.
      const commands = (content.buttons ?? []).flat().filter(({ data }) => data.startsWith("/"));
      const lines = commands.map(({ text, data }) => `- ${text}: ${data}`);
      return { markdown: [content.markdown, ...(lines.length > 0 ? [lines.join("\n")] : [])].join("\n\n") };
    }
    case "media":
      return { markdown: content.caption ?? "", file: content.media };
    case "poll": {
      const options = content.poll.options.map((option, index) => `${index + 1}. ${option}`);
      return { markdown: [content.poll.question, options.join("\n")].join("\n\n") };
    }
  }
}

async function writeLetter(
  { account, host, threads }: SendParts,
  { key, target, replyTo }: OutboundMessage,
  written: Written & { readonly to: string },
): Promise<Letter> {
  const { threadId } = target;
  const thread = threadId === undefined ? undefined : await threads.find(written.to, threadId);
  const inReplyTo = messageIdIn(replyTo) ?? thread?.lastId ?? messageIdIn(threadId);
  const before = thread?.references ?? [messageIdIn(threadId)].filter((id) => id !== undefined);
  const references = inReplyTo === undefined || before.includes(inReplyTo) ? before : [...before, inReplyTo];
  return {
    from: { address: account.address, name: account.name ?? "" },
    subject: thread ? answerTo(thread.subject) : newSubject(written, inReplyTo !== undefined),
    messageId: messageIdFor(key, account.address),
    ...defined({ inReplyTo }),
    references,
    at: host.clock.now(),
    ...written,
  };
}

/** What others hand in goes into a header: only what has the shape of an id does. */
function messageIdIn(written: string | undefined): string | undefined {
  return written !== undefined && /^[^\s<>@\p{C}]{1,200}@[^\s<>@\p{C}]{1,200}$/u.test(written) ? written : undefined;
}

function answerTo(subject: string): string {
  if (subject === "") return "Re: your mail";
  return /^(?:re|aw|sv|antw)\s?(?:\[\d+\])?:/i.test(subject) ? subject : `Re: ${subject}`;
}

function newSubject({ markdown, file }: Written, isAnswer: boolean): string {
  if (isAnswer) return "Re: your mail";
  return markdown.trim() === "" && file ? toSubject(file.name) : toSubject(markdown);
}

/** The next mail of this thread refers to this one; a mail that begins a thread gives it its subject. */
async function noteThread({ threads, host }: SendParts, { target }: OutboundMessage, letter: Letter): Promise<void> {
  const { to, messageId, subject, references } = letter;
  const threadId = target.threadId ?? messageId;
  const known = await threads.find(to, threadId).catch(() => undefined);
  threads.note(to, threadId, {
    subject: known?.subject ?? subject,
    lastId: messageId,
    references: [...references, messageId],
  });
  await threads.keep(to, threadId).catch((error: unknown) => {
    host.log.debug("what is known of a thread could not be kept", { error });
  });
}

function toFailure(delivery: Exclude<Delivery, { kind: "accepted" }>): Failed {
  if (delivery.kind === "refused") return failed(reasonOf(delivery.refusal), delivery.refusal.says);
  return delivery.wasComplete
    ? failed("uncertain", `the connection was lost before the mail server confirmed the mail (${delivery.why})`)
    : failed("unavailable", `the mail server could not be reached (${delivery.why})`);
}

function reasonOf(refusal: Refusal): Failed["reason"] {
  const { code, enhanced, command } = refusal;
  if (isLoginRefused(refusal)) return "unauthorised";
  if (code < 500) return "unavailable";
  // 5.1.x: the address; 5.2.1: the mailbox is shut. Servers without such codes say 550, 551 or 553 to the recipient.
  const isAboutRecipient = enhanced ? /^5\.(?:1\.|2\.1$)/.test(enhanced) : [550, 551, 553].includes(code);
  return command === "RCPT TO" && isAboutRecipient ? "unreachable" : "rejected";
}
