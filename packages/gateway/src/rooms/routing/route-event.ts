// Decides which agent and which session a message from a channel belongs to.
import { normalizeAgentId, mainSessionKey, type KeyDefaults } from "@chela/sdk";
import { listAgents, type AgentsView } from "./agents.ts";
import { BINDING_TIERS, judgeBinding, type BindingTier, type BindingVerdict, type BindingView } from "./bindings.ts";
import { chatKeys, type ChatKeys, type RoutedEvent, type SessionView } from "./chat-key.ts";

/** The part of the configuration that decides about routes. */
export interface RoutingView extends AgentsView {
  readonly bindings?: readonly BindingView[] | undefined;
  readonly session?: SessionView | undefined;
}

/** What became of one binding. */
export interface TierNote {
  /** Its place in `bindings`. */
  readonly binding: number;
  readonly agentId: string;
  readonly kind: "chosen" | "unknown-agent" | "outranked" | "differs" | "unusable";
  /** Where it matches; absent when it does not. */
  readonly tier?: BindingTier;
  readonly why: string;
}

export interface ResolvedAgentRoute extends ChatKeys {
  readonly agentId: string;
  readonly channel: string;
  readonly accountId: string;
  readonly mainSessionKey: string;
  readonly matchedBy: BindingTier | "default";
  /** Place in `bindings` of the one that decided. */
  readonly binding?: number;
  /** What an operator must know: a binding could not be followed. */
  readonly warning?: string;
  /** Every binding, in the order of the configuration. */
  readonly considered: readonly TierNote[];
}

/** What was decided about the agent. */
type Choice = Pick<ResolvedAgentRoute, "agentId" | "matchedBy" | "binding" | "warning">;

interface Judged {
  readonly index: number;
  /** As it is written in the binding. */
  readonly agentId: string;
  readonly verdict: BindingVerdict;
}

type Match = Judged & { readonly verdict: Extract<BindingVerdict, { kind: "matches" }> };

export function routeEvent(event: RoutedEvent, config: RoutingView, defaults: KeyDefaults): ResolvedAgentRoute {
  const judged = (config.bindings ?? []).map((binding, index) => ({
    index,
    agentId: binding.agentId?.trim() ?? "",
    verdict: judgeBinding(binding, event),
  }));
  const known = listAgents(config).map(({ id }) => id);
  const best = mostSpecific(judged);
  const choice = chooseAgent(best, known, defaults.defaultAgentId);
  return {
    ...choice,
    channel: event.channel,
    accountId: event.account,
    ...chatKeys(choice.agentId, event, config.session ?? {}, defaults),
    mainSessionKey: mainSessionKey(choice.agentId, defaults),
    considered: judged.map((one) => noteOf(one, best, known)),
  };
}

function mostSpecific(judged: readonly Judged[]): Match | undefined {
  const rank = ({ verdict }: Match): number => BINDING_TIERS.indexOf(verdict.tier);
  return judged
    .filter(isMatch)
    .reduce<Match | undefined>((best, one) => (best !== undefined && rank(best) <= rank(one) ? best : one), undefined);
}

/** When the binding's agent does not exist, less specific ones are not asked: they were written for other messages. */
function chooseAgent(best: Match | undefined, known: readonly string[], defaultAgentId: string): Choice {
  if (best === undefined) return { agentId: defaultAgentId, matchedBy: "default" };
  const agentId = knownAgent(best, known);
  if (agentId !== undefined) return { agentId, matchedBy: best.verdict.tier, binding: best.index };
  const warning = `${describeUnknown(best, known)} The default agent "${defaultAgentId}" answers instead.`;
  return { agentId: defaultAgentId, matchedBy: "default", warning };
}

function noteOf(one: Judged, best: Match | undefined, known: readonly string[]): TierNote {
  const { verdict } = one;
  const note = { binding: one.index, agentId: one.agentId };
  if (verdict.kind !== "matches") return { ...note, kind: verdict.kind, why: verdict.why };
  const { tier } = verdict;
  if (best !== undefined && one.index !== best.index) {
    const rank = best.verdict.tier === tier ? "comes first" : "is more specific";
    return { ...note, kind: "outranked", tier, why: `it matches too, but bindings[${best.index}] ${rank}` };
  }
  return knownAgent(one, known) === undefined
    ? { ...note, kind: "unknown-agent", tier, why: describeUnknown(one, known) }
    : { ...note, kind: "chosen", tier, why: "it is the most specific one that matches" };
}

function isMatch(one: Judged): one is Match {
  return one.verdict.kind === "matches";
}

/** A name without a letter or digit is nobody's; made into an id it would be "main". */
function knownAgent({ agentId }: Judged, known: readonly string[]): string | undefined {
  if (!/[a-z0-9]/i.test(agentId)) return undefined;
  const wanted = normalizeAgentId(agentId);
  return known.includes(wanted) ? wanted : undefined;
}

function describeUnknown({ index, agentId }: Judged, known: readonly string[]): string {
  return `bindings[${index}] matches but names the agent "${agentId}", which does not exist (known: ${known.join(", ")}).`;
}
