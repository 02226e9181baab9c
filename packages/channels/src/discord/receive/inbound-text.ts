// Text of a message of Discord, in words a person or a model can read.
import type { Body, User } from "./payload.ts";

export interface Self {
  readonly id: string;
  readonly name: string;
}

/** Stickers, polls and cards have no text of their own; they are named, so that nothing is passed over in silence. */
export function textOf(body: Body, self: Self): string {
  const said = readMarks(body.content, body.mentions, self);
  const parts = [said, ...body.sticker_items.map(({ name }) => `[sticker: ${name}]`), describePoll(body)];
  // A link's preview comes as a card, too: cards count only where nothing else was said.
  if (said === "")
    parts.push(...body.embeds.map(({ title, description }) => [title, description].filter(Boolean).join("\n")));
  return parts.filter(Boolean).join("\n").trim();
}

function describePoll({ poll }: Body): string {
  if (!poll) return "";
  const answers = poll.answers.map(({ poll_media: { text } }) => `- ${text ?? ""}`);
  return [`[poll: ${poll.question.text ?? ""}]`, ...answers].join("\n");
}

/** Our own name in front is how one speaks to us, and no part of what is said, unless nothing else is. */
function readMarks(content: string, mentions: readonly User[], self: Self): string {
  const said = content.replace(new RegExp(`^\\s*<@!?${self.id}>[\\s,:]*`), "");
  const names = new Map(mentions.map((user) => [user.id, nameOf(user)]));
  return (said === "" ? content : said)
    .replace(/<@!?(\d{1,20})>/g, (mark, id: string) => `@${id === self.id ? self.name : (names.get(id) ?? mark)}`)
    .replace(/<a?:(\w{1,64}):\d{1,20}>/g, ":$1:")
    .trim();
}

export function nameOf(user: User): string {
  return user.global_name ?? user.username ?? user.id;
}

export function mentions(content: string, selfId: string): boolean {
  return content.includes(`<@${selfId}>`) || content.includes(`<@!${selfId}>`);
}
