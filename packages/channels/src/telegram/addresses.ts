// Reads ids and addresses as people write them: `123`, `-100123`, `-100123:topic:5`, `@name`, with or without `telegram:`.
import { defined } from "@chela/sdk/base";
import type { Target, WrittenId, WrittenTarget } from "@chela/sdk";

const ID = /^-?\d{1,19}$/;
const NAME = /^@[A-Za-z][A-Za-z0-9_]{3,31}$/;

/** Who may write is decided by numbers only; a name can be given up and taken by somebody else. */
export function readId(written: string): WrittenId {
  const entry = withoutPrefix(written);
  if (entry === "*" || isId(entry)) return { kind: "id", id: entry };
  if (NAME.test(entry)) return { kind: "name", name: entry };
  if (entry === "") return { kind: "unusable", why: "The entry is empty, and matches nobody." };
  return { kind: "unusable", why: `"${entry}" is no Telegram id. Ids are numbers such as 123456789.` };
}

export function readTarget(written: string): WrittenTarget {
  const entry = withoutPrefix(written).replace(/^(?:https?:\/\/)?t\.me\/(?=[A-Za-z])/i, "@");
  if (NAME.test(entry)) return { kind: "name", name: entry };
  const [, chat = "", topic] = /^(-?\d+)(?::(?:topic:)?(\d{1,19}))?$/.exec(entry) ?? [];
  if (isId(chat)) {
    const target: Target = { to: chat, ...defined({ threadId: topic }) };
    return { kind: "target", target, chat: { kind: kindOfId(chat), id: chat } };
  }
  const why = `"${entry}" is no Telegram address. Write a chat id such as 123456789, -1001234567890 or -1001234567890:topic:5, or the @name of a public group or channel.`;
  return { kind: "unusable", why };
}

/** People have positive ids. */
export function kindOfId(id: string): "direct" | "group" {
  return id.startsWith("-") ? "group" : "direct";
}

function isId(text: string): boolean {
  return ID.test(text) && Number.isSafeInteger(Number(text)) && Number(text) !== 0;
}

function withoutPrefix(written: string): string {
  return written
    .trim()
    .replace(/^(?:telegram|tg):/i, "")
    .replace(/^(?:group|user|channel|chat):(?=[-\d@])/i, "");
}
