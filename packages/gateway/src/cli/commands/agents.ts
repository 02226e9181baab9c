// `chela agents …`: who answers. A running gateway is asked; without one, the files are read and changed here.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { normalizeAgentId } from "@chela/sdk";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { errnoOf } from "@chela/sdk/files";
import { readIdentity } from "../../rooms/workspace/identity.ts";
import type { Ask } from "@chela/sdk/protocol";
import { isElsewhere } from "../connect/ask-gateway.ts";
import { confirm } from "../../base/terminal/confirm.ts";
import { readSettings } from "../connect/known-settings.ts";
import { count, formatTable } from "../../base/terminal/layout.ts";

type Agent = Agents["agents"][number];
type Agents = MethodAnswer<"agents.list">;

function asking(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  return call.gateway.askOrOffline(work);
}

export function list(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const listed = await ask("agents.list");
    const agents = listed.agents.map((agent) => ({ ...agent, isDefault: agent.id === listed.defaultId }));
    if (call.flags.has("json")) call.terminal.printJson(agents);
    else for (const line of describe(agents, call)) call.terminal.print(line);
  });
}

function describe(agents: ReadonlyArray<Agent & { isDefault: boolean }>, { terminal, flags }: CommandCall): string[] {
  const { style } = terminal;
  const head = ["AGENT", "NAME", "MODEL", "WORKSPACE"].map((name) => style.dim(name));
  const rows = agents.map(({ id, name, identity, model, workspace, isDefault }) => [
    isDefault ? `${id} (default)` : id,
    [identity?.emoji, identity?.name ?? name ?? "-"].filter(Boolean).join(" "),
    model ?? "-",
    workspace ?? "-",
  ]);
  const [first = "", ...lines] = formatTable([head, ...rows]);
  if (!flags.has("bindings")) return [first, ...lines];
  return [
    first,
    ...lines.flatMap((line, index) => [line, ...(agents[index]?.bindings ?? []).map((name) => `  answers on ${name}`)]),
  ];
}

export function add(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const [name = ""] = args;
  return asking(call, async (ask) => {
    const bind = flags.list("bind");
    const created = await ask("agents.create", {
      name,
      workspace: flags.text("workspace") ?? (await usualWorkspace(call, name)),
      ...optional("model", flags.text("model")),
      ...optional("agentDir", flags.text("agent-dir")),
      ...(bind.length > 0 ? { bind } : {}),
    });
    if (flags.has("json")) return terminal.printJson(created);
    terminal.print(`Added agent ${created.agentId}. Its workspace is ${created.workspace}`);
    const { added, conflicts } = created.bindings;
    if (added.length > 0) terminal.print(`It answers on ${added.join(", ")}.`);
    if (conflicts.length > 0) terminal.note(`Not bound, because another agent answers there: ${conflicts.join(", ")}.`);
  });
}

async function usualWorkspace(call: CommandCall, name: string): Promise<string> {
  if (await isElsewhere(call)) throw usageFailure("Say where its workspace is on that machine: add --workspace <dir>.");
  const { paths } = await readSettings(call);
  return join(paths.stateDir, "workspaces", normalizeAgentId(name));
}

export function remove(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const [agentId = ""] = args;
  return asking(call, async (ask) => {
    const { agents } = await ask("agents.list");
    const agent = agents.find(({ id }) => id === agentId.trim().toLowerCase());
    const question = `Delete agent ${agentId} with its sessions and files? They go to the trash folder.`;
    // Of an agent that is not there, the answer of whoever knows tells what is wrong.
    const isMeant = !agent || flags.has("force") || (await confirm(call, question, "Add --force to do it without."));
    if (!isMeant) return terminal.print("Nothing was changed.");
    const removed = await ask("agents.delete", { agentId });
    if (flags.has("json")) return terminal.printJson(removed);
    const bindings = removed.removedBindings > 0 ? ` and ${count(removed.removedBindings, "binding")}` : "";
    terminal.print(`Deleted agent ${removed.agentId}${bindings}.`);
    if (removed.trash) terminal.print(`Its files are in ${removed.trash}`);
    for (const { path, why } of removed.left ?? []) terminal.print(`Left alone: ${path} (${why})`);
  });
}

export function setIdentity(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return asking(call, async (ask) => {
    const agent = chooseAgent(await ask("agents.list"), call);
    const read = await readWritten(call, ask, agent.id);
    const typed = Object.fromEntries(
      ["name", "theme", "emoji", "avatar"].flatMap((key) => Object.entries(optional(key, flags.text(key)))),
    );
    const identity = { ...read, ...typed };
    if (Object.keys(identity).length === 0) {
      throw usageFailure(
        "Nothing to set: add --name, --theme, --emoji or --avatar, or --from-identity to read a file.",
      );
    }
    await ask("agents.update", { agentId: agent.id, identity });
    if (flags.has("json")) return terminal.printJson({ agentId: agent.id, identity });
    const told = Object.entries(identity).map(([key, value]) => `${key} ${value}`);
    terminal.print(`Agent ${agent.id} has now: ${told.join(", ")}.`);
  });
}

function chooseAgent({ agents, defaultId }: Agents, { flags }: CommandCall): Agent {
  const id = flags.text("agent")?.trim().toLowerCase();
  const workspace = flags.text("workspace")?.replace(/[/\\]+$/, "");
  const found = agents.filter((agent) =>
    id === undefined
      ? workspace === undefined
        ? agent.id === defaultId
        : agent.workspace === workspace
      : agent.id === id,
  );
  const [only] = found;
  const what = id === undefined ? `workspace ${workspace}` : `id ${id}`;
  if (!only) throw new CommandFailure("other", `No agent has the ${what}.`, { fix: "`chela agents list` shows them." });
  if (found.length > 1) throw usageFailure(`${found.length} agents have the ${what}: name one with --agent.`);
  return only;
}

async function readWritten(call: CommandCall, ask: Ask, agentId: string): Promise<Record<string, string>> {
  const file = call.flags.text("identity-file");
  if (file !== undefined) return { ...readIdentity(readText(file)) };
  if (!call.flags.has("from-identity")) return {};
  const answer = await ask("agents.files.get", { agentId, name: "IDENTITY.md" });
  return { ...readIdentity(answer.file.content ?? "") };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandFailure("other", `${path} cannot be read (${errnoOf(error) ?? "unknown error"}).`);
  }
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
