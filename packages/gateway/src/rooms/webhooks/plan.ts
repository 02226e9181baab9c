// Decides what becomes of a wish: which agent, which conversation, where the answer goes. Or says what is wrong with it.
import { defined } from "@chela/sdk/base";
import { agentOfSessionKey, namedAgentId } from "@chela/sdk";
import type { HookRules } from "./read-rules.ts";
import type { ToolLists, WakeMode } from "./mapping/mapping.ts";
import type { AgentWish } from "./wish.ts";

/** What has to be known of the gateway. */
export interface PlanWorld {
  agentIds(): readonly string[];
  defaultAgentId(): string;
  channelIds(): readonly string[];
  /** The one spelling of a key, for this agent; undefined for something that can be no key. */
  canonicalKey(written: string, agentId: string): string | undefined;
  uuid(): string;
}

/** Who chose the key of the conversation: whoever sent the request, the configuration, or both. */
export type KeyOrigin = "request" | "mapping" | "template";

export interface AgentPlan {
  readonly kind: "agent";
  readonly message: string;
  readonly name: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly wakeMode: WakeMode;
  /** Absent: the answer is delivered nowhere. */
  readonly place?: { readonly channel?: string; readonly to?: string };
  readonly model?: string;
  readonly thinking?: string;
  readonly timeoutSeconds?: number;
  readonly tools?: ToolLists;
}

export interface WakePlan {
  readonly kind: "wake";
  readonly text: string;
  readonly name: string;
  readonly agentId: string;
  readonly mode: WakeMode;
}

export type Refused = { readonly kind: "refused"; readonly error: string };

/** What a template may begin with when the configuration names nothing else. */
const TEMPLATE_PREFIXES = ["hook:"];
const LONGEST_NAME = 80;
/** A word to an agent is an event beside others, not a document. */
const LONGEST_WORD = 8_000;
/** Nothing that cannot be seen, and nothing that nobody would read to its end. */
const PLAIN_KEY = /^\P{C}{1,256}$/u;
const refused = (error: string): Refused => ({ kind: "refused", error });

export function planAgent(
  wish: AgentWish,
  keyOrigin: KeyOrigin,
  rules: HookRules,
  world: PlanWorld,
): AgentPlan | Refused {
  const message = wish.message.trim().toWellFormed();
  if (message === "") return refused("message required");
  if (wish.model?.trim() === "") return refused("model required");
  const channel = wish.channel?.trim();
  if (channel !== undefined && !isPlace(channel, world)) {
    return refused(`channel must be ${["last", ...world.channelIds()].join("|")}`);
  }
  const conversation = planConversation(wish, keyOrigin, rules, world);
  if (conversation.kind === "refused") return conversation;
  const { agentId, sessionKey } = conversation;
  const { thinking, timeoutSeconds, model, deliver = true, wakeMode = "now" } = wish;
  const to = wish.to?.trim() || undefined;
  const place = { ...(channel ? { channel } : {}), ...(to ? { to } : {}) };
  return {
    kind: "agent",
    message,
    name: nameOf(wish.name),
    agentId,
    sessionKey,
    wakeMode,
    ...(deliver ? { place } : {}),
    ...(model ? { model: model.trim() } : {}),
    ...(thinking ? { thinking } : {}),
    ...defined({ timeoutSeconds }),
  };
}

export function planWake(
  {
    text,
    mode = "now",
    name,
    agentId,
  }: { text: string; mode?: WakeMode | undefined; name?: string; agentId?: string | undefined },
  rules: HookRules,
  world: PlanWorld,
): WakePlan | Refused {
  if (text.trim() === "") return refused("text required");
  const agent = chooseAgent(agentId, rules, world);
  if (agent.kind === "refused") return agent;
  return { kind: "wake", text: wordOf(text), name: nameOf(name), agentId: agent.agentId, mode };
}

function isPlace(channel: string, world: PlanWorld): boolean {
  return channel === "last" || channel === "webchat" || world.channelIds().includes(channel);
}

function wordOf(text: string): string {
  const word = text.trim();
  return (word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word).toWellFormed();
}

function nameOf(name: string | undefined): string {
  return name?.replace(/\s+/g, " ").trim().slice(0, LONGEST_NAME).toWellFormed() || "Hook";
}

/** No name at all is the default agent. A blank or unknown one is a mistake: it must not become somebody else. */
function chooseAgent(
  written: string | undefined,
  { agentIds }: HookRules,
  world: PlanWorld,
): { readonly kind: "agent"; readonly agentId: string } | Refused {
  if (written === undefined) return { kind: "agent", agentId: world.defaultAgentId() };
  if (written.trim() === "") return refused("agentId must not be blank; leave it out for the default agent");
  const agentId = namedAgentId(written);
  const isAllowed = agentIds === undefined || agentIds.some((allowed) => namedAgentId(allowed) === agentId);
  if (!isAllowed) return refused("agentId is not allowed by hooks.allowedAgentIds");
  if (!world.agentIds().includes(agentId)) return refused(`there is no agent ${JSON.stringify(agentId.slice(0, 64))}`);
  return { kind: "agent", agentId };
}

function planConversation(
  { agentId, sessionKey: written }: Pick<AgentWish, "agentId" | "sessionKey">,
  origin: KeyOrigin,
  rules: HookRules,
  world: PlanWorld,
): { readonly kind: "conversation"; readonly agentId: string; readonly sessionKey: string } | Refused {
  const key = written?.trim();
  if (key === "") return refused("sessionKey must not be blank");
  const doubt = key === undefined ? undefined : doubtOfKey(key, origin, rules);
  if (doubt !== undefined) return refused(doubt);
  const wanted = key ?? rules.defaultSessionKey ?? `hook:${world.uuid()}`;
  const agent = chooseAgent(agentId ?? agentOfSessionKey(wanted.toLowerCase()), rules, world);
  if (agent.kind === "refused") return agent;
  const sessionKey = world.canonicalKey(wanted, agent.agentId);
  if (sessionKey === undefined) return refused("sessionKey is not the name of a conversation");
  const owner = agentOfSessionKey(sessionKey);
  if (owner !== undefined && owner !== agent.agentId) return refused("sessionKey belongs to another agent");
  return { kind: "conversation", agentId: agent.agentId, sessionKey };
}

function doubtOfKey(key: string, origin: KeyOrigin, rules: HookRules): string | undefined {
  if (!PLAIN_KEY.test(key)) return "sessionKey must be at most 256 characters, all of which can be seen";
  if (origin === "request" && !rules.mayRequestSessionKey) {
    return "sessionKey is not taken from requests; set hooks.allowRequestSessionKey to true to allow it";
  }
  const prefixes = rules.sessionKeyPrefixes ?? (origin === "template" ? TEMPLATE_PREFIXES : undefined);
  if (prefixes === undefined || prefixes.some((prefix) => key.toLowerCase().startsWith(prefix))) return undefined;
  return `sessionKey must start with one of: ${prefixes.join(", ")}`;
}
