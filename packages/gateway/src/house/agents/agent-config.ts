// Agents in the configuration file: added, changed and taken out. Everything else in the file stays as it was typed.
import { GatewayError, normalizeAgentId } from "@chela/sdk";
import type { ConfigStore } from "../../rooms/config/room.ts";

interface AgentIdentityChange {
  readonly name?: string | undefined;
  readonly theme?: string | undefined;
  readonly emoji?: string | undefined;
  readonly avatar?: string | undefined;
}

export interface AgentChange {
  readonly name?: string | undefined;
  readonly workspace?: string | undefined;
  readonly agentDir?: string | undefined;
  readonly model?: string | undefined;
  readonly identity?: AgentIdentityChange | undefined;
}

/** The id an agent of this name gets. Throws AGENT_REQUEST when it cannot be given. */
export function newAgentId(config: ConfigStore, name: string): string {
  const agentId = normalizeAgentId(name);
  if (agentId === "main") {
    const why = /^\s*main\s*$/i.test(name)
      ? '"main" is reserved: that agent is always there'
      : `"${name}" gives no id: use at least one letter from a to z or a digit`;
    throw new GatewayError("AGENT_REQUEST", why);
  }
  if (writtenAgents(config).some(({ id }) => id === agentId)) {
    throw new GatewayError("AGENT_REQUEST", `agent "${agentId}" already exists`);
  }
  return agentId;
}

export function addAgent(config: ConfigStore, agentId: string, agent: AgentChange): void {
  const entry = { id: agentId, ...given(agent) };
  const count = writtenAgents(config).length;
  // Without a list there is one agent, main: it must stay, and stay the default.
  if (count === 0) config.setPath("agents.list", [{ id: "main" }, entry]);
  else config.setPath(`agents.list[${count}]`, entry);
}

export function changeAgent(config: ConfigStore, agentId: string, change: AgentChange): void {
  const written = writtenAgents(config).find(({ id }) => id === agentId);
  const entry = { id: written?.writtenId ?? agentId, ...given(change) };
  const { exists, hash } = config.describe();
  config.mergePatch(JSON.stringify({ agents: { list: [entry] } }), exists ? hash : undefined);
}

/** Takes the agent and its bindings out; tells how many bindings there were. */
export function dropAgent(config: ConfigStore, agentId: string): number {
  const bindings = writtenBindings(config).filter((binding) => binding.agentId === agentId);
  // From the last to the first, so that the places of the others do not change.
  for (const { index } of bindings.toReversed()) config.unsetPath(`bindings[${index}]`);
  const agents = writtenAgents(config).filter(({ id }) => id === agentId);
  for (const { index } of agents.toReversed()) config.unsetPath(`agents.list[${index}]`);
  return bindings.length;
}

export interface BindReport {
  readonly added: readonly string[];
  /** The agent had them already. */
  readonly skipped: readonly string[];
  /** Another agent has them. */
  readonly conflicts: readonly string[];
}

/** `telegram` or `telegram:account`, as typed. */
export function parseBindings(typed: readonly string[]): string[] {
  return typed.map((text) => {
    const [channel = "", ...account] = text.trim().split(":");
    const accountId = account.join(":");
    if (!/^[a-z0-9][a-z0-9_-]*$/i.test(channel) || (text.includes(":") && accountId === "")) {
      throw new GatewayError("AGENT_REQUEST", `"${text}" is not a binding: write channel or channel:account`);
    }
    return accountId ? `${channel.toLowerCase()}:${accountId}` : channel.toLowerCase();
  });
}

export function addBindings(config: ConfigStore, agentId: string, wanted: readonly string[]): BindReport {
  const report = { added: [] as string[], skipped: [] as string[], conflicts: [] as string[] };
  for (const name of new Set(wanted)) {
    const all = writtenBindings(config);
    const holder = all.find((binding) => binding.name === name);
    if (holder) {
      report[holder.agentId === agentId ? "skipped" : "conflicts"].push(name);
      continue;
    }
    const [channel, ...account] = name.split(":");
    const match = { channel, ...(account.length > 0 ? { accountId: account.join(":") } : {}) };
    config.setPath(`bindings[${all.length}]`, { agentId, match });
    report.added.push(name);
  }
  return report;
}

interface WrittenAgent {
  readonly id: string;
  readonly writtenId: string;
  readonly index: number;
}

/** The agents as they stand in the file now, which may be newer than what is in use. */
function writtenAgents(config: ConfigStore): WrittenAgent[] {
  const agents = (config.describe().resolved as { agents?: { list?: unknown } } | null)?.agents;
  return entriesOf(agents?.list).flatMap(({ entry, index }) => {
    const writtenId = entry["id"];
    return typeof writtenId === "string" ? [{ id: normalizeAgentId(writtenId), writtenId, index }] : [];
  });
}

export interface WrittenBinding {
  readonly agentId: string;
  /** `channel` or `channel:account`; more when it looks at chats, too. */
  readonly name: string;
  readonly index: number;
}

export function writtenBindings(config: Pick<ConfigStore, "describe">): WrittenBinding[] {
  const { bindings } = (config.describe().resolved ?? {}) as { bindings?: unknown };
  return entriesOf(bindings).map(({ entry, index }) => {
    const { channel, accountId, ...narrower } = (entry["match"] ?? {}) as Record<string, unknown>;
    const place = [channel, accountId].filter((part) => typeof part === "string" && part !== "").join(":");
    const more = Object.keys(narrower).length > 0 ? ` ${JSON.stringify(narrower)}` : "";
    return { agentId: normalizeAgentId(String(entry["agentId"] ?? "main")), name: `${place}${more}`, index };
  });
}

function entriesOf(list: unknown): Array<{ entry: Record<string, unknown>; index: number }> {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) =>
    typeof entry === "object" && entry !== null ? [{ entry: entry as Record<string, unknown>, index }] : [],
  );
}

/** Only what was said: an absent value must not wipe out a written one. */
function given(change: AgentChange): Record<string, unknown> {
  const { identity, ...rest } = change;
  const said = (object: object): Array<[string, unknown]> =>
    Object.entries(object).filter(([, value]) => value !== undefined && value !== "");
  const person = said(identity ?? {});
  return { ...Object.fromEntries(said(rest)), ...(person.length > 0 ? { identity: Object.fromEntries(person) } : {}) };
}
