// State of a channel's account, in one word, and whether somebody has to do something about it.
import type { MethodAnswer } from "@chela/sdk/protocol";

export type Account = Pick<
  MethodAnswer<"channels.status">["channelAccounts"][string][number],
  "enabled" | "configured" | "linked" | "running" | "connected" | "reconnectAttempts" | "lastError"
>;

export type ChannelState =
  | "off"
  | "unset"
  | "starting"
  | "connected"
  | "unlinked"
  | "connecting"
  | "retrying"
  | "stopped";

/** A few attempts are usual; after these somebody should have a look. */
const USUAL_ATTEMPTS = 3;

/** The flag that matters most decides. */
export function channelState(account: Account): ChannelState {
  if (!account.enabled) return "off";
  if (!account.configured) return account.lastError ? "unset" : "starting";
  if (account.connected) return "connected";
  if (!account.linked) return "unlinked";
  if (!account.running) return "stopped";
  return account.reconnectAttempts >= USUAL_ATTEMPTS ? "retrying" : "connecting";
}

const NEEDS_SOMEBODY: ReadonlySet<ChannelState> = new Set(["unset", "unlinked", "retrying", "stopped"]);

export function needsSomebody(state: ChannelState): boolean {
  return NEEDS_SOMEBODY.has(state);
}

/** The colour of the dot beside it. */
export function toneOf(state: ChannelState): "good" | "warn" | "bad" | "soft" {
  if (state === "connected") return "good";
  if (state === "off") return "soft";
  return needsSomebody(state) ? "bad" : "warn";
}
