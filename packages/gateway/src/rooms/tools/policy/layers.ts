// The layers of the tool policy in their order, filled from the configuration. Each can only take tools away.
import type { ModelInfo, ToolProfile } from "@chela/sdk";
import { agentTools } from "./agent-tools.ts";
import type { ToolLists } from "./catalogue.ts";
import { below, namesAt, partOf, valueAt, type ConfigPart } from "./config-part.ts";
import type { ToolsConfigView } from "./config-view.ts";
import { policyName } from "./entries.ts";
import { closedBy, listOf, ruleOf, type NameList, type Rule } from "./rule.ts";
import { groupRules } from "./sender-rules.ts";
import { depthOf, type ToolSubject } from "./subject.ts";

export type ListLayerId =
  | "profile"
  | "provider-profile"
  | "tools"
  | "provider"
  | "agent"
  | "agent-provider"
  | "group"
  | "sandbox"
  | "subagent"
  | "errand";

export interface ListLayer {
  readonly id: ListLayerId;
  /** All of them must let a tool pass; none means that the layer says nothing. */
  readonly rules: readonly Rule[];
  /** Names that are written here as allowed, also where that limits nothing. */
  readonly named?: readonly string[];
}

export function layersFor(config: ToolsConfigView, subject: ToolSubject, lists: ToolLists): readonly ListLayer[] {
  const all = partOf(config.tools, "tools");
  const agent = agentPart(config, subject.agentId);
  const provider = providerPart(all, subject.model);
  const agentProvider = providerPart(agent, subject.model);
  return [
    { id: "profile", rules: profileRules([agent, all], lists) },
    { id: "provider-profile", rules: profileRules([agentProvider, provider], lists) },
    { id: "tools", rules: rulesOf(all), named: namedIn(all) },
    { id: "provider", rules: rulesOf(provider), named: namedIn(provider) },
    { id: "agent", rules: rulesOf(agent), named: namedIn(agent) },
    { id: "agent-provider", rules: rulesOf(agentProvider), named: namedIn(agentProvider) },
    { id: "group", rules: groupRules(subject.group, subject.requester) },
    { id: "sandbox", rules: subject.sandboxed ? sandboxRules(agent, all, lists) : [] },
    { id: "subagent", rules: subagentRules(config, all, depthOf(subject), lists) },
    { id: "errand", rules: rulesOf(partOf(subject.limits, "the limits of this turn")) },
  ];
}

function namedIn(part: ConfigPart): readonly string[] {
  return ["allow", "alsoAllow"].flatMap((key) => {
    const names = namesAt(part, key);
    return names === undefined || names === "unreadable" ? [] : names.map(policyName);
  });
}

function rulesOf(part: ConfigPart): readonly Rule[] {
  const rule = ruleOf(part);
  return rule ? [rule] : [];
}

function agentPart(config: ToolsConfigView, agentId: string): ConfigPart {
  const list: unknown = config.agents?.list;
  if (list !== undefined && !Array.isArray(list)) return { kind: "unreadable", where: "agents.list" };
  return partOf(agentTools(config, agentId), `agents.list[${agentId}].tools`);
}

/** The rule of the model itself, or else of its provider. */
function providerPart(tools: ConfigPart, model: ModelInfo): ConfigPart {
  const providers = below(tools, "byProvider");
  if (providers.kind !== "object") return providers;
  const wanted = [`${model.provider}/${model.id}`, model.provider].map((name) => name.trim().toLowerCase());
  for (const name of wanted) {
    const key = Object.keys(providers.value).find((one) => one.trim().toLowerCase() === name);
    if (key !== undefined) return partOf(providers.value[key], `${providers.where}["${key}"]`);
  }
  return { kind: "absent", where: providers.where };
}

/** The first part that names a profile decides, and so does the first that adds to it. */
function profileRules(parts: readonly ConfigPart[], { profiles }: ToolLists): readonly Rule[] {
  const unreadable = parts.find(({ kind }) => kind === "unreadable");
  if (unreadable) return [closedBy(unreadable)];
  const source = parts.find((part) => valueAt(part, "profile") !== undefined);
  if (!source) return [];
  const profile = valueAt(source, "profile");
  const where = below(source, "profile").where;
  if (profile === "full") return [{ kind: "lists" }];
  if (!isListedProfile(profile, profiles)) {
    return [
      { kind: "closed", why: `${where} is not one of minimal, coding, messaging and full, so it allows nothing` },
    ];
  }
  const adding = parts.find((part) => valueAt(part, "alsoAllow") !== undefined);
  const more = adding ? namesAt(adding, "alsoAllow") : undefined;
  if (adding && more === "unreadable") return [closedBy(adding)];
  const names = [...profiles[profile], ...(more ?? [])];
  return [{ kind: "lists", allow: listOf(`the profile ${profile} (${where})`, names) }];
}

function isListedProfile(profile: unknown, profiles: object): profile is Exclude<ToolProfile, "full"> {
  return typeof profile === "string" && Object.hasOwn(profiles, profile);
}

function sandboxRules(agent: ConfigPart, all: ConfigPart, lists: ToolLists): readonly Rule[] {
  const parts = [agent, all].map((part) => below(below(part, "sandbox"), "tools"));
  const unreadable = parts.find((part) =>
    ["allow", "alsoAllow", "deny"].some((key) => namesAt(part, key) === "unreadable"),
  );
  if (unreadable) return [closedBy(unreadable)];
  const deny = firstList(parts, "deny") ?? listOf("the default for sandboxed sessions", lists.sandboxDeny);
  const allow = firstList(parts, "allow") ?? listOf("the default for sandboxed sessions", lists.sandboxAllow);
  if (allow.entries.length === 0) return [{ kind: "lists", deny }];
  const more = firstList(parts, "alsoAllow")?.entries ?? [];
  // A picture in the conversation is looked at by a model, not by the sandbox.
  const entries = [...allow.entries, ...more, "image"];
  return [{ kind: "lists", allow: { origin: allow.origin, entries }, deny }];
}

function firstList(parts: readonly ConfigPart[], key: string): NameList | undefined {
  for (const part of parts) {
    const names = namesAt(part, key);
    if (names !== undefined && names !== "unreadable") return listOf(below(part, key).where, names);
  }
  return undefined;
}

function subagentRules(config: ToolsConfigView, all: ConfigPart, depth: number, lists: ToolLists): readonly Rule[] {
  if (depth <= 0) return [];
  const part = below(below(all, "subagents"), "tools");
  const rule = ruleOf(part);
  if (rule?.kind === "closed") return [rule];
  // Only a name lifts a default; "*" or a group would lift more than somebody thought of.
  const lifted = ["allow", "alsoAllow"].flatMap((key) => firstList([part], key)?.entries ?? []);
  const usual = depth >= deepest(config) ? [...lists.subagentDeny, ...lists.lastSubagentDeny] : lists.subagentDeny;
  const denied = usual.filter((name) => !lifted.includes(policyName(name)));
  const byDefault: Rule = { kind: "lists", deny: listOf("the default for sub-agents", denied) };
  return rule ? [byDefault, { ...rule, strict: true }] : [byDefault];
}

function deepest(config: ToolsConfigView): number {
  const configured: unknown = config.agents?.defaults?.subagents?.maxSpawnDepth;
  return typeof configured === "number" && configured >= 1 ? configured : 1;
}
