// Reads whether the configuration and a session allow answers there.
import type { SessionEntry } from "@chela/sdk";
import type { ConfigStore } from "../rooms/config/room.ts";
import { sendPolicyFor } from "../rooms/sessions/room.ts";

export function sendPolicyOf(
  config: Pick<ConfigStore, "current">,
  key: string,
  channel: string,
  entry: SessionEntry | undefined,
  chatType: SessionEntry["chatType"] = entry?.chatType,
): "allow" | "deny" {
  const chat = { chatType, entryPolicy: entry?.sendPolicy };
  return sendPolicyFor(config.current().session?.sendPolicy, { key, channel, ...chat });
}
