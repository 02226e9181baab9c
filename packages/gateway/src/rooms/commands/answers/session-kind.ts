// Tells whether a conversation has more people in it than one.
import { sessionKind, type SessionEntry } from "@chela/sdk";

export function isGroup(sessionKey: string, entry: SessionEntry | undefined): boolean {
  return sessionKind(sessionKey) === "group" || entry?.chatType === "group" || entry?.chatType === "channel";
}
