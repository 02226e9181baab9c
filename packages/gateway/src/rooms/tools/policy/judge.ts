// Judges one tool for one subject, layer by layer, and says why.
import type { Tool } from "@chela/sdk";
import { GUEST_EFFECTS, GUEST_FAMILIES, type ToolLists } from "./catalogue.ts";
import { policyName, type NamedTool } from "./entries.ts";
import type { ListLayer, ListLayerId } from "./layers.ts";
import { applyRule, denies } from "./rule.ts";
import type { ToolSubject } from "./subject.ts";

export type PolicyLayer = "exists" | "available" | "surface" | "owner" | "person" | ListLayerId;

export interface PolicyStep {
  readonly layer: PolicyLayer;
  /** `absent`: nothing is configured or nothing applies here. */
  readonly verdict: "passed" | "removed" | "absent";
  readonly why: string;
}

/** Who may not do one of these may not do the same with a patch. */
const PATCHING: readonly NamedTool[] = [
  { name: "write", family: "fs" },
  { name: "exec", family: "runtime" },
];

/** Every layer's verdict, in order. A tool may be used when none of them removed it. */
export function judgeTool(
  tool: Tool,
  layers: readonly ListLayer[],
  subject: ToolSubject,
  lists: ToolLists,
): readonly PolicyStep[] {
  return [
    judgeAvailable(tool, subject),
    judgeSurface(tool, subject),
    judgeOwner(tool, subject, lists),
    judgePerson(tool, subject, lists),
    ...judgeLayers(tool, layers, lists),
  ];
}

/** The first layer that removed the tool, or undefined when it may be used. */
export function removalOf(steps: readonly PolicyStep[]): PolicyStep | undefined {
  return steps.find(({ verdict }) => verdict === "removed");
}

function judgeAvailable(tool: Tool, { agentId, sessionKey, model }: ToolSubject): PolicyStep {
  let why: string | undefined;
  try {
    why = tool.unavailable?.({ agentId, sessionKey, model });
  } catch {
    why = "it could not be found out whether it works here";
  }
  if (why !== undefined) return { layer: "available", verdict: "removed", why };
  return { layer: "available", verdict: "passed", why: "it works here" };
}

function judgeSurface(tool: Tool, { surface }: ToolSubject): PolicyStep {
  if (surface !== "voice") return { layer: "surface", verdict: "absent", why: "no rule for this surface" };
  return policyName(tool.name) === "tts"
    ? { layer: "surface", verdict: "removed", why: "a voice call speaks already" }
    : { layer: "surface", verdict: "passed", why: "it can be used in a voice call" };
}

function judgeOwner(tool: Tool, { requester }: ToolSubject, lists: ToolLists): PolicyStep {
  const forOwners = tool.ownerOnly === true || lists.ownerOnly.has(policyName(tool.name));
  if (!forOwners) return { layer: "owner", verdict: "absent", why: "it is not for owners only" };
  return requester.isOwner === true
    ? { layer: "owner", verdict: "passed", why: "it was asked for by an owner" }
    : { layer: "owner", verdict: "removed", why: "it is for owners only, and no list can change that" };
}

/** By what a tool can do as much as by its name, so that one nobody thought of here is not given to guests. */
function judgePerson(tool: Tool, { requester }: ToolSubject, lists: ToolLists): PolicyStep {
  if (requester.standing !== "guest" && requester.person?.role !== "guest")
    return { layer: "person", verdict: "absent", why: "whoever asks is no guest" };
  const name = policyName(tool.name);
  const acts = tool.effects.some((effect) => !GUEST_EFFECTS.includes(effect));
  const family = lists.families.get(name) ?? tool.family;
  const isForGuests = [family, tool.family].every((one) => GUEST_FAMILIES.includes(one)) && !lists.guestDeny.has(name);
  return acts || !isForGuests
    ? { layer: "person", verdict: "removed", why: "it is not for guests, and no list can change that" }
    : { layer: "person", verdict: "passed", why: "guests may use it" };
}

function judgeLayers(tool: Tool, layers: readonly ListLayer[], lists: ToolLists): readonly PolicyStep[] {
  let patchingDenied = false;
  return layers.map(({ id, rules }): PolicyStep => {
    if (rules.length === 0) return { layer: id, verdict: "absent", why: "nothing is configured" };
    patchingDenied ||= rules.some((rule) => PATCHING.some((one) => denies(rule, one, lists)));
    const rulings = rules.map((rule) => applyRule(rule, tool, { lists, patchingDenied }));
    const removing = rulings.find(({ verdict }) => verdict === "removed");
    return removing ? { layer: id, ...removing } : { layer: id, verdict: "passed", why: sentenceOf(rulings) };
  });
}

function sentenceOf(rulings: readonly { readonly why: string }[]): string {
  return rulings.map(({ why }) => why).join("; ");
}
