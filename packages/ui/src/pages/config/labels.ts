// Names of keys as people write them, and the hints that belong to a place.
import type { MethodResult } from "@chela/sdk/protocol";
import { entryOf } from "../../state/entry-of.ts";
import type { Spot } from "./schema.ts";

export type Hints = MethodResult<"config.schema">["uiHints"];

/** Words that are not written as the key's letters say. */
const SPELLED: Readonly<Record<string, string>> = {
  api: "API",
  acp: "ACP",
  bluebubbles: "BlueBubbles",
  cdp: "CDP",
  dm: "DM",
  dms: "DMs",
  googlechat: "Google Chat",
  http: "HTTP",
  id: "ID",
  ids: "IDs",
  imessage: "iMessage",
  ip: "IP",
  irc: "IRC",
  json: "JSON",
  mb: "MB",
  ms: "ms",
  msteams: "Microsoft Teams",
  nextcloud: "Nextcloud",
  otel: "OpenTelemetry",
  ssh: "SSH",
  tls: "TLS",
  tts: "Speech",
  ttl: "TTL",
  ui: "UI",
  url: "URL",
  usd: "US dollars",
  whatsapp: "WhatsApp",
  xmpp: "XMPP",
};

/** `customBindHost` → `Custom bind host`, `controlUi` → `Control UI`. */
export function labelOf(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_]/g, " ")
    .toLowerCase()
    .split(" ")
    .map((word) => entryOf(SPELLED, word) ?? word);
  const text = words.join(" ");
  return entryOf(SPELLED, words[0]?.toLowerCase() ?? "") ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function hintOf(hints: Hints, { pattern }: Spot): Hints[string] | undefined {
  return entryOf(hints, pattern);
}

export function helpOf(hints: Hints, spot: Spot): string | undefined {
  return hintOf(hints, spot)?.help ?? spot.node.description;
}

/** Right, and without effect in this version. */
export function isUnused(hints: Hints, spot: Spot): boolean {
  return hintOf(hints, spot)?.advanced === true;
}
