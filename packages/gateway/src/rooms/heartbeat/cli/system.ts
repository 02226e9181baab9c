// `chela system …`: events for the agent, heartbeats, and who is connected.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import { cleanForTerminal, formatAge, formatDuration, formatTable } from "../../../base/terminal/layout.ts";

type Heartbeat = NonNullable<MethodAnswer<"last-heartbeat">>;

export function event(call: CommandCall): Promise<number> {
  const { flags, path } = call;
  const text = flags.text("text")?.trim();
  if (!text) throw usageFailure(`Say what happened: chela ${path.join(" ")} --text "the washing is done".`);
  const mode = flags.text("mode") ?? "next-heartbeat";
  return call.gateway.ask(async (ask) => {
    const result = await ask("wake", { mode, text });
    const when =
      mode === "now"
        ? "The agent is woken to tell of it."
        : "The agent hears of it with its next heartbeat or message.";
    tellResult(call, result, when);
  });
}

export function last(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const found = await ask("last-heartbeat");
    tellResult(call, found, found ? describe(found) : "There was no heartbeat yet.");
  });
}

export function status(call: CommandCall): Promise<number> {
  const { terminal, flags } = call;
  return call.gateway.ask(async (ask) => {
    const found = await ask("heartbeat.status");
    if (flags.has("json")) return terminal.printJson(found);
    if (!found.enabled) terminal.print("Heartbeats are switched off: chela system heartbeat enable");
    const head = ["AGENT", "EVERY", "NEXT", "HEARTBEAT.md", "WAITING", "LAST"].map((word) => terminal.style.dim(word));
    const rows = found.agents.map(({ agentId, every, nextAt, file, pending, last: event }) => [
      agentId,
      every,
      nextAt === null ? "-" : `in ${formatDuration(Math.max(0, nextAt - Date.now()))}`,
      FILE_WORDS[file],
      String(pending),
      event ? describe(event) : "-",
    ]);
    for (const line of formatTable([head, ...rows])) terminal.print(line);
    for (const problem of found.agents.flatMap(({ problems }) => problems)) terminal.note(problem);
  });
}

const FILE_WORDS = { missing: "none", empty: "no tasks", tasks: "tasks" } as const;

function describe({ ts, status: how, reason, preview, agentId }: Heartbeat): string {
  const why = reason ? ` (${cleanForTerminal(reason)})` : "";
  const said = preview ? `: ${cleanForTerminal(preview)}` : "";
  return `${formatAge(Date.now() - ts)}, ${agentId ?? "main"}: ${how}${why}${said}`;
}

export const enable = (call: CommandCall): Promise<number> => set(call, true);
export const disable = (call: CommandCall): Promise<number> => set(call, false);

function set(call: CommandCall, enabled: boolean): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const result = await ask("set-heartbeats", { enabled });
    tellResult(call, result, enabled ? "Heartbeats are on." : "Heartbeats are off until the gateway starts again.");
  });
}

export function presence(call: CommandCall): Promise<number> {
  const { terminal, flags } = call;
  return call.gateway.ask(async (ask) => {
    const found = await ask("system-presence");
    if (flags.has("json")) return terminal.printJson(found);
    const rows = found.map(({ host, mode, version, reason, ts }) =>
      [host, mode, version, reason].map((word) => cleanForTerminal(word ?? "-")).concat(formatAge(Date.now() - ts)),
    );
    const head = ["HOST", "MODE", "VERSION", "REASON", "SEEN"].map((word) => terminal.style.dim(word));
    for (const line of formatTable([head, ...rows])) terminal.print(line);
  });
}
