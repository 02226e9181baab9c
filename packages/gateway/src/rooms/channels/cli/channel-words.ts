// State of a channel's account, in a few words for a terminal.
import type { CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { cleanForTerminal, formatAge } from "../../../base/terminal/layout.ts";

export type AccountFlags = Pick<
  MethodAnswer<"channels.status">["channelAccounts"][string][number],
  | "enabled"
  | "configured"
  | "linked"
  | "running"
  | "connected"
  | "lastError"
  | "mode"
  | "tokenSource"
  | "botTokenSource"
  | "probe"
  | "lastProbeAt"
>;

export function stateWord(account: AccountFlags, style: CommandCall["terminal"]["style"]): string {
  if (!account.enabled) return style.dim("off");
  if (account.connected) return style.green("connected");
  if (!account.configured) return style.red(account.lastError ? "not set up" : "not started");
  if (!account.linked) return style.red("not linked");
  return account.running ? style.yellow("connecting") : style.red("stopped");
}

const PLACES: Readonly<Record<string, string>> = {
  config: "the configuration",
  env: "the environment",
  tokenFile: "a file",
};

/** How it is connected and by what; nothing where nobody knows. */
export function wayWords({ mode, tokenSource, botTokenSource }: AccountFlags): string[] {
  const source = tokenSource ?? botTokenSource;
  return [...(mode ? [mode] : []), ...(source ? [`token from ${PLACES[source] ?? source}`] : [])];
}

/** What the platform said, and when; nothing when it was never asked. */
export function probeWords({ probe, lastProbeAt }: AccountFlags, now: number): string[] {
  if (!probe) return [];
  const says = probe.ok
    ? "the platform says that all is well"
    : `asked the platform: ${cleanForTerminal(probe.error ?? "it failed")}`;
  return [lastProbeAt === undefined ? says : `${says} (${formatAge(now - lastProbeAt)})`];
}
