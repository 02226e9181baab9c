// The hook `command-logger`: one line of JSON for every command.
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { HookEvent, HookSelf } from "@chela/sdk";

export function commandLogger(event: HookEvent, { stateDir }: HookSelf): void {
  if (event.type !== "command") return;
  const { agentId, senderId, commandSource } = event.context;
  const line = {
    timestamp: event.timestamp.toISOString(),
    action: event.action === "given" ? event.context.command : event.action,
    sessionKey: event.sessionKey,
    agentId,
    senderId,
    source: commandSource,
  };
  const logs = join(stateDir, "logs");
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  appendFileSync(join(logs, "commands.log"), `${JSON.stringify(line)}\n`, { mode: 0o600 });
}
