// What the reference says of one key in a channel's block or in one of its accounts.
import { CHANNEL_DEFAULTS, COMMON_DEFAULTS, PLACE_DEFAULTS } from "./channel-defaults.ts";
import { CHANNEL_NOTES, COMMON_NOTES, PLACE_NOTES } from "./channel-notes.ts";

export function channelNote(path: string): string | undefined {
  const { channel, key } = placeOf(path);
  return CHANNEL_NOTES[channel]?.[key] ?? COMMON_NOTES[key] ?? PLACE_NOTES[insidePlace(key)];
}

/** What an account leaves open is taken from the block above it, so only the block has defaults. */
export function channelDefault(path: string): unknown {
  const { channel, key, isAccount } = placeOf(path);
  if (isAccount || channel === "") return undefined;
  return CHANNEL_DEFAULTS[channel]?.[key] ?? COMMON_DEFAULTS[key] ?? PLACE_DEFAULTS[insidePlace(key)];
}

function placeOf(path: string): { readonly channel: string; readonly key: string; readonly isAccount: boolean } {
  const [, channel = "", account, key = ""] = /^channels\.([^.]+)\.(accounts\.<key>\.)?(.+)$/.exec(path) ?? [];
  return { channel, key: key.replaceAll("<key>", "*"), isAccount: account !== undefined };
}

/** `groups.*.topics.*.enabled` → `enabled` */
function insidePlace(key: string): string {
  return /^(?:groups|guilds|channels|rooms)\.\*\.(?:(?:topics|channels)\.\*\.)?(.+)$/.exec(key)?.[1] ?? "";
}
