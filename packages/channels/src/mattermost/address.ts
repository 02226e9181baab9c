// Addresses of people and places of Mattermost: ids of 26 characters, or names that are looked up.
import type { Target, WrittenId, WrittenTarget } from "@chela/sdk";

const ID = /^[a-z0-9]{26}$/;

export function isMattermostId(text: string): boolean {
  return ID.test(text);
}

export function readMattermostId(written: string): WrittenId {
  const text = written.trim().replace(/^(?:mattermost|user):/i, "");
  if (isMattermostId(text)) return { kind: "id", id: text };
  if (/^webhook:[a-z0-9]{26}$/.test(text)) return { kind: "id", id: text };
  const name = text.replace(/^@/, "").toLowerCase();
  if (/^[a-z0-9._-]{1,64}$/.test(name)) return { kind: "name", name };
  return { kind: "unusable", why: `"${written}" is neither an id of 26 letters and digits nor a @username` };
}

/** `channel:<id>`, `user:<id>`, `@name`, `#channel`, or a bare id, which is a channel's. */
export function readMattermostTarget(written: string): WrittenTarget {
  const [, kind = "", rest = ""] = /^(?:mattermost:)?(?:(channel|group|user):)?(.*)$/is.exec(written.trim()) ?? [];
  const isUser = kind.toLowerCase() === "user";
  if (isMattermostId(rest)) {
    return isUser
      ? { kind: "target", target: { to: `user:${rest}` }, chat: { kind: "direct", id: rest } }
      : { kind: "target", target: { to: `channel:${rest}` }, chat: { kind: "channel", id: rest } };
  }
  if (/^[@#~]?[a-z0-9._-]{1,64}$/i.test(rest)) {
    const isPerson = isUser || rest.startsWith("@");
    return { kind: "name", name: `${isPerson ? "@" : "#"}${rest.replace(/^[@#~]/, "").toLowerCase()}` };
  }
  return { kind: "unusable", why: `"${written}" is no address: write channel:<id>, user:<id> or @username` };
}

export type Addressee = { readonly kind: "user" | "channel"; readonly id: string };

export function addresseeOf({ to }: Target): Addressee | undefined {
  const read = readMattermostTarget(to);
  if (read.kind !== "target") return undefined;
  return { kind: read.chat.kind === "direct" ? "user" : "channel", id: read.chat.id };
}
