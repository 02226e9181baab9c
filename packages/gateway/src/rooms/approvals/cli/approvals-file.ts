// `chela approvals get|set|allowlist`: the rules and the programs that are allowed for good.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { whyAskedAnyway } from "../asked-anyway.ts";
import { wrapWhole } from "./approval-question.ts";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import type { Ask } from "@chela/sdk/protocol";

type Rules = NonNullable<Snapshot["file"]["defaults"]>;
type Entry = NonNullable<Agent["allowlist"]>[number];
type Agent = NonNullable<Snapshot["file"]["agents"]>[string];
type Snapshot = MethodAnswer<"exec.approvals.get">;
type Change = (file: Snapshot["file"]) => Snapshot["file"];

/** Somebody may allow a command at the same moment, which changes the file too. */
const ATTEMPTS = 3;
const EVERY_AGENT = "*";

function askAboutFile(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  if (call.flags.has("node")) {
    throw usageFailure("There are no nodes yet, so --node names nothing: leave it out to mean the gateway.");
  }
  return call.gateway.ask(work);
}

export function get(call: CommandCall): Promise<number> {
  return askAboutFile(call, async (ask) => {
    const snapshot = await ask("exec.approvals.get");
    if (call.flags.has("json")) call.terminal.printJson(snapshot);
    else for (const line of describeSnapshot(snapshot, call)) call.terminal.print(line);
  });
}

export async function set(call: CommandCall): Promise<number> {
  const file = await readDocument(call);
  return askAboutFile(call, async (ask) => {
    const snapshot = await change(ask, () => file);
    tellResult(call, snapshot, `Written to ${snapshot.path}. It holds from the next command on.`);
  });
}

/** Believes what somebody else wrote into the file, after it was shown. */
export function accept(call: CommandCall): Promise<number> {
  return askAboutFile(call, async (ask) => {
    const { notBelieved = [], file, hash } = await ask("exec.approvals.get");
    if (notBelieved.length === 0) return tellResult(call, { accepted: [] }, "Nothing waits to be accepted.");
    const snapshot = await ask("exec.approvals.set", { file, baseHash: hash, accept: true });
    const lines = notBelieved.map((item) => `\n  ${item}`).join("");
    tellResult(call, snapshot, `Accepted, and in force from the next command on:${lines}`);
  });
}

export function add(call: CommandCall): Promise<number> {
  const [pattern = ""] = call.args;
  const agentId = agentOf(call);
  checkPattern(pattern);
  return askAboutFile(call, async (ask) => {
    const listed = entriesOf(await ask("exec.approvals.get"), agentId);
    if (listed.some((entry) => entry.pattern === pattern && !entry.argv && entry.argPattern === undefined)) {
      throw new CommandFailure("other", `${pattern} is on the allow-list of ${nameOf(agentId)} already.`);
    }
    const snapshot = await change(ask, (file) =>
      withEntries(file, agentId, (entries) => [...entries, { id: randomUUID(), pattern }]),
    );
    const why = whyAskedAnyway({ pattern });
    const said = why
      ? `${pattern} is on the list of ${nameOf(agentId)}, but ${why}`
      : `${pattern} is allowed for ${nameOf(agentId)}, with any arguments.`;
    tellResult(call, snapshot, said);
  });
}

export function remove(call: CommandCall): Promise<number> {
  const [pattern = ""] = call.args;
  const agentId = agentOf(call);
  return askAboutFile(call, async (ask) => {
    const listed = entriesOf(await ask("exec.approvals.get"), agentId);
    if (!listed.some((entry) => entry.pattern === pattern)) {
      throw new CommandFailure("other", `${pattern} is not on the allow-list of ${nameOf(agentId)}.`, {
        fix: "`chela approvals get` shows what is; --agent <id> names another list.",
      });
    }
    const snapshot = await change(ask, (file) =>
      withEntries(file, agentId, (entries) => entries.filter((entry) => entry.pattern !== pattern)),
    );
    tellResult(call, snapshot, `${pattern} is no longer allowed for ${nameOf(agentId)}.`);
  });
}

async function change(ask: Ask, make: Change): Promise<Snapshot> {
  for (let attempt = 1; ; attempt++) {
    const { hash, file } = await ask("exec.approvals.get");
    try {
      return await ask("exec.approvals.set", { file: make(file), baseHash: hash });
    } catch (error) {
      const isStale = CommandFailure.is(error) && error.message.includes("changed since last load");
      if (!isStale || attempt === ATTEMPTS) throw error;
    }
  }
}

function withEntries(
  file: Snapshot["file"],
  agentId: string,
  make: (entries: readonly Entry[]) => readonly Entry[],
): Snapshot["file"] {
  const agent = agentIn(file, agentId);
  const changed = { ...agent, allowlist: make(agent?.allowlist ?? []) };
  return { ...file, version: 1, agents: { ...file.agents, [agentId]: changed } };
}

function entriesOf({ file }: Snapshot, agentId: string): readonly Entry[] {
  return agentIn(file, agentId)?.allowlist ?? [];
}

function agentIn({ agents = {} }: Snapshot["file"], agentId: string): Agent | undefined {
  return Object.hasOwn(agents, agentId) ? agents[agentId] : undefined;
}

function agentOf({ flags }: CommandCall): string {
  return flags.text("agent") || EVERY_AGENT;
}

function nameOf(agentId: string): string {
  return agentId === EVERY_AGENT ? "every agent" : `agent ${agentId}`;
}

/** The rest would be kept, but would never mean any program. */
function checkPattern(pattern: string): void {
  if (/^(\/|~\/)\S/.test(pattern) || /^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$/.test(pattern)) return;
  throw usageFailure(
    `"${pattern}" names no program: write a path such as /usr/bin/git, a pattern such as ~/bin/* (** crosses directories), or the bare name of a program of the system.`,
  );
}

async function readDocument({ flags, path }: CommandCall): Promise<Snapshot["file"]> {
  const file = flags.text("file");
  if ((file === undefined) === !flags.has("stdin")) {
    throw usageFailure(`Say where the new content is: chela ${path.join(" ")} --file <file>, or --stdin.`);
  }
  try {
    return JSON.parse(await (file === undefined ? text(process.stdin) : readFile(file, "utf8"))) as Snapshot["file"];
  } catch (error) {
    const place = file ?? "The input";
    const isJson = error instanceof SyntaxError;
    throw usageFailure(isJson ? `${place} is not JSON: ${error.message}` : `${place} cannot be read.`);
  }
}

function describeSnapshot({ path, exists, file, notBelieved = [] }: Snapshot, { terminal }: CommandCall): string[] {
  const agents = Object.entries(file.agents ?? {});
  const rules = describeRules(file.defaults);
  return [
    `${path}${exists ? "" : " (not there yet)"}`,
    `Rules: ${rules || "those of the configuration"}`,
    ...agents.flatMap(([id, agent]) => describeAgent(id, agent, terminal)),
    ...(agents.length === 0 ? ["No command is on an allow-list."] : []),
    ...describeNotBelieved(notBelieved, terminal),
  ];
}

/** For `approvals list`, too: whoever looks there should not have to guess why they are asked. */
export function describeNotBelieved(items: readonly string[], { style, columns }: CommandCall["terminal"]): string[] {
  if (items.length === 0) return [];
  return [
    style.yellow("Not in force: somebody else wrote this into the file while agents could run commands."),
    ...items.flatMap((item) => wrapWhole(item, columns - 2).map((line) => `  ${line}`)),
    "If it was you: chela approvals accept. If not: remove it with chela approvals set, and find out who it was.",
  ];
}

/** Entries that never cover anything without a question, with the reason. */
export async function describeAskedAnyway(ask: Ask, { terminal }: CommandCall): Promise<string[]> {
  const { file, notBelieved = [] } = await ask("exec.approvals.get");
  const asked = Object.values(file.agents ?? {}).flatMap(({ allowlist = [] }) =>
    allowlist.flatMap((entry) => {
      const why = whyAskedAnyway(entry);
      return why ? [`  ${describeEntry(entry)}: ${why}`] : [];
    }),
  );
  const head = asked.length > 0 ? ["On an allow-list, and still asked about:"] : [];
  return [
    ...head,
    ...asked.flatMap((line) => wrapWhole(line, terminal.columns)),
    ...describeNotBelieved(notBelieved, terminal),
  ];
}

function describeAgent(id: string, agent: Agent, { style, columns }: CommandCall["terminal"]): string[] {
  const entries = agent.allowlist ?? [];
  const rules = describeRules(agent);
  const name = nameOf(id);
  return [
    style.bold(`${name[0]?.toUpperCase()}${name.slice(1)}`) + (rules ? ` (${rules})` : ""),
    ...entries.flatMap((entry) => {
      const why = whyAskedAnyway(entry);
      const text = why ? `${describeEntry(entry)} (${why})` : describeEntry(entry);
      return wrapWhole(text, columns - 2).map((line) => `  ${line}`);
    }),
    ...(entries.length === 0 ? [style.dim("  nothing on the allow-list")] : []),
  ];
}

function describeEntry({ pattern = "(not understood)", argv, argPattern, plan }: Entry): string {
  if (plan) return `${pattern.replace(/^= /, "")} (the whole command)`;
  if (argv) return [pattern, ...argv.map((word) => JSON.stringify(word))].join(" ");
  return argPattern === undefined ? `${pattern} with any arguments` : `${pattern} with arguments like ${argPattern}`;
}

function describeRules({ security, ask, askFallback }: Rules = {}): string {
  return Object.entries({ security, ask, askFallback })
    .flatMap(([name, value]) => (value ? [`${name} ${value}`] : []))
    .join(", ");
}
