// Addresses of people and places: user:…, group:… and channel:…; an id alone is a person.
import type { Chat, ChatKind, WrittenId, WrittenTarget } from "@chela/sdk";

const WORDS: Readonly<Record<string, ChatKind>> = { user: "direct", group: "group", channel: "channel" };

export function writeAddress({ kind, id }: Pick<Chat, "kind" | "id">): string {
  return `${kind === "direct" ? "user" : kind}:${id}`;
}

/** An id is whatever the other program says. */
export function readId(written: string): WrittenId {
  const id = written.trim();
  return id === "" ? { kind: "unusable", why: "an empty entry is nobody" } : { kind: "id", id };
}

export function readTarget(written: string): WrittenTarget {
  const text = written.trim();
  const [, word = "user", rest = text] = /^(user|group|channel):(.*)$/s.exec(text) ?? [];
  const id = rest.trim();
  const kind = WORDS[word];
  if (id === "" || kind === undefined) {
    return { kind: "unusable", why: "write user:<id>, group:<id> or channel:<id>" };
  }
  return { kind: "target", target: { to: writeAddress({ kind, id }) }, chat: { kind, id } };
}
