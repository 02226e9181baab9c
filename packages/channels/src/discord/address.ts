// Addresses of people and places for Discord: `user:<id>`, `channel:<id>`, mentions, and names to look up.
import { GatewayError, type Target, type WrittenId, type WrittenTarget } from "@chela/sdk";

const SNOWFLAKE = /^\d{17,20}$/;

export function isSnowflake(text: string): boolean {
  return SNOWFLAKE.test(text);
}

/** An entry of an allow-list. */
export function readId(written: string): WrittenId {
  const entry = written.trim().replace(/^discord:/i, "");
  const id = /^(?:user:|role:)?(\d{17,20})$/i.exec(entry)?.[1] ?? /^<@[!&]?(\d{17,20})>$/.exec(entry)?.[1];
  if (id) return { kind: "id", id };
  const name = entry.replace(/^(?:user:|@)/i, "").trim();
  if (name === "")
    return { kind: "unusable", why: "An empty entry names nobody. Write the number Discord gives a user." };
  if (/^\d+$/.test(name)) {
    return { kind: "unusable", why: `"${name}" has not as many digits as an id of Discord (17 to 20).` };
  }
  return { kind: "name", name };
}

export function readTarget(written: string): WrittenTarget {
  const address = written.trim().replace(/^discord:/i, "");
  const user = /^user:(\d{17,20})$/i.exec(address)?.[1] ?? /^<@!?(\d{17,20})>$/.exec(address)?.[1];
  if (user) return { kind: "target", target: { to: `user:${user}` }, chat: { kind: "direct", id: user } };
  const channel = /^channel:(\d{17,20})$/i.exec(address)?.[1] ?? /^<#(\d{17,20})>$/.exec(address)?.[1];
  if (channel) return { kind: "target", target: { to: `channel:${channel}` }, chat: { kind: "channel", id: channel } };
  if (isSnowflake(address)) {
    const why = `"${address}" may be a person or a channel. Write user:${address} or channel:${address}.`;
    return { kind: "unusable", why };
  }
  const name = address.replace(/^(?:user|channel):/i, "").trim();
  if (name === "" || /^\d+$/.test(name)) {
    return { kind: "unusable", why: "Write user:<id>, channel:<id>, @name or #channel." };
  }
  return { kind: "name", name: address };
}

export type Recipient =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "channel"; readonly id: string };

/** A thread is a channel of its own, so its id takes the place of the one it stands in. */
export function recipientOf(target: Target): Recipient {
  if (target.threadId !== undefined) return { kind: "channel", id: requireSnowflake(target.threadId) };
  const read = readTarget(target.to);
  if (read.kind !== "target") {
    throw new GatewayError(
      "CHANNEL_TARGET",
      read.kind === "unusable" ? read.why : `"${target.to}" is a name; write user:<id> or channel:<id>`,
    );
  }
  return { kind: read.chat.kind === "direct" ? "user" : "channel", id: read.chat.id };
}

/** Ids become part of a route: anything else must not get there. */
export function requireSnowflake(id: string): string {
  if (!isSnowflake(id)) throw new GatewayError("CHANNEL_TARGET", `"${id}" is no id of Discord (17 to 20 digits)`);
  return id;
}
