// A gateway whose agent remembers, as seen from outside: its notes, what its model is told, and the process of its keeper.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { textOf, type Clock, type ModelRequest, type ToolResultMessage } from "@chela/sdk";
import { callTool, say, type ScriptedModel } from "@chela/sdk/testing";
import { openChannelStage, type ChannelStage } from "./channel-stage.ts";
import { eventually } from "../in-process.ts";
import type { Json, WireClient } from "../wire-client.ts";

/** Words alone: nothing has to be loaded, and nobody waits for vectors. */
export const WORDS_ALONE: Json = { enabled: true, store: { vector: { enabled: false } } };

export const remembering = (memorySearch: Json = WORDS_ALONE): Json => ({ agents: { defaults: { memorySearch } } });

export function writeNote(stateDir: string, path: string, content: string | Uint8Array): string {
  const file = join(stateDir, "workspace", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Each with words of its own: a number in letters, so that no two are taken for one. */
export function writeNotes(stateDir: string, count: number): void {
  for (let at = 0; at < count; at++) {
    const name = nameOf(at);
    writeNote(stateDir, `memory/${name}.md`, `# ${name}\n\nThe box of ${name} stands in aisle ${at}.\n`);
  }
}
export const nameOf = (at: number): string =>
  `box${[...String(at)].map((digit) => String.fromCodePoint(97 + Number(digit))).join("")}`;

export const indexPath = (stateDir: string): string => join(stateDir, "memory", "main.sqlite");

/** Lets the model of a turn call one tool; what it is told by it. */
export async function useTool(
  { client, model }: { readonly client: WireClient; readonly model: ScriptedModel },
  name: string,
  args: Json,
  params: Json = {},
): Promise<Json> {
  model.script(callTool(name, args), say("done"));
  await client.agent(`please use ${name}`, params);
  return toldByTool(model.requests.at(-1), name);
}

function toldByTool(request: ModelRequest | undefined, name: string): Json {
  const result = request?.messages.findLast(({ role }) => role === "toolResult") as ToolResultMessage | undefined;
  if (result?.toolName !== name) throw new Error(`${name} gave nothing to the model`);
  return JSON.parse(textOf(result)) as Json;
}

export interface FoundPlace {
  readonly path: string;
  readonly snippet: string;
  readonly citation: string;
  readonly score: number;
  readonly source: string;
}

export async function found(client: WireClient, query: string, more: Json = {}): Promise<FoundPlace[]> {
  return (await client.call("memory.search", { query, ...more })).results as FoundPlace[];
}

/** Keepers that a gateway started. With no number: gateways of this very process. */
export function keepersOf(gatewayId: number = process.pid): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => isKeeper(id, gatewayId));
}

function isKeeper(id: number, gatewayId: number): boolean {
  try {
    const { parent, state } = standingOf(id);
    return (
      parent === gatewayId && state !== "Z" && /keeper\.(?:ts|js)/.test(readFileSync(`/proc/${id}/cmdline`, "utf8"))
    );
  } catch {
    // It ended while it was looked at.
    return false;
  }
}

function standingOf(id: number): { parent: number; state: string } {
  const [, state = "", parent = ""] = /^\d+ \(.*\) (\S) (\d+) /s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
  return { parent: Number(parent), state };
}

export function isAlive(id: number): boolean {
  try {
    return standingOf(id).state !== "Z";
  } catch {
    return false;
  }
}

/** By its number, the one keeper that there is. */
export function killKeeper(gatewayId?: number): number {
  const [id, ...others] = keepersOf(gatewayId);
  if (id === undefined || others.length > 0) throw new Error(`there are ${others.length + (id ? 1 : 0)} keepers`);
  process.kill(id, "SIGKILL");
  return id;
}

/** Kills what there is, and comes back when the gateway of this process knows of it. */
export async function endKeepers(): Promise<void> {
  const ids = keepersOf();
  for (const id of ids) process.kill(id, "SIGKILL");
  await eventually("the keepers are gone", () => ids.every((id) => !existsSync(`/proc/${id}`)));
}

/** Megabytes a process has in memory now. */
export function megabytesOf(id: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** The status of the agent's memory, once it is as wished. */
export function untilStatus(client: WireClient, what: string, fits: (status: Json) => boolean): Promise<Json> {
  return eventually(what, async () => {
    const [status] = (await client.call("memory.status", { agentId: "main" })).agents as Json[];
    return status && fits(status) ? status : undefined;
  });
}

export const HOOKS_TOKEN = "token-of-the-hooks-0123456789abcdef";
/** Stands in MEMORY.md of the stage below. */
export const IN_MEMORY_FILE = "canary-of-the-memory-file";
export const GROUP = { kind: "group" as const, id: "g1" };

/** Alice is the owner, Gus is a guest, and Bob may write but is nobody in particular. */
export async function openFamilyStage(more: Json = {}, clock?: Clock): Promise<ChannelStage> {
  const stage = await openChannelStage({
    ...(clock ? { clock } : {}),
    settings: {
      allowFrom: ["alice", "bob", "gus"],
      groupPolicy: "open",
      groups: { "*": { requireMention: false, allowFrom: ["*"] } },
    },
    config: {
      ...remembering(),
      commands: { ownerAllowFrom: ["alice"] },
      session: { dmScope: "per-channel-peer" },
      hooks: { enabled: true, token: HOOKS_TOKEN },
      ...more,
    },
  });
  const guest = { id: "gus", name: "Gus", role: "guest", ids: [{ channel: "fake", id: "gus" }] };
  await stage.client.call("people.put", { person: guest });
  writeNote(stage.gateway.stateDir, "MEMORY.md", `# Memory\n\nThe ${IN_MEMORY_FILE} is here.\n`);
  return stage;
}

/** What was learned of the owner, once everything that was said has been learned from. */
export async function learnedBlock({ client }: ChannelStage): Promise<string> {
  await client.call("memory.facts", {});
  return (await client.call("memory.block", {})).text;
}

/** The system prompt the model was given last. */
export const lastSystem = ({ model }: ChannelStage): string => model.requests.at(-1)?.system ?? "";
