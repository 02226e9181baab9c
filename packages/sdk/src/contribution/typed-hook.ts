// Typed hooks: points on the way of a turn where a part may look, and at some of them change what follows.

interface HookRow {
  /** When it is called, as one sentence. */
  readonly says: string;
  /** `changes`: one after the other, each may change what follows. `watches`: side by side, nobody waits for what they return. */
  readonly kind: "changes" | "watches";
  /** What people or models wrote is in it. */
  readonly seesWords?: true;
  /** What it returns is put before a model. */
  readonly entersPrompt?: true;
  /** How long one handler may take. */
  readonly mostMs: number;
  /** A handler that fails or is late forbids what was about to happen; else it is as if it were not there. */
  readonly failsClosed?: true;
}

const QUICK_MS = 250;
const USUAL_MS = 15_000;
const LONG_MS = 30_000;
const LAST_MS = 5_000;

export const TYPED_HOOKS = {
  before_model_resolve: { says: "A model is about to be chosen.", kind: "changes", seesWords: true, mostMs: USUAL_MS },
  before_prompt_build: {
    says: "What a model is told first was put together.",
    kind: "changes",
    seesWords: true,
    entersPrompt: true,
    mostMs: USUAL_MS,
  },
  before_agent_start: {
    says: "The same two in one, of older plugins.",
    kind: "changes",
    seesWords: true,
    entersPrompt: true,
    mostMs: USUAL_MS,
  },
  llm_input: { says: "A model is asked.", kind: "watches", seesWords: true, mostMs: USUAL_MS },
  llm_output: { says: "A model has answered.", kind: "watches", seesWords: true, mostMs: USUAL_MS },
  agent_end: { says: "A turn is over.", kind: "watches", seesWords: true, mostMs: LONG_MS },
  before_compaction: {
    says: "A conversation is about to be summarised.",
    kind: "watches",
    seesWords: true,
    mostMs: LONG_MS,
  },
  after_compaction: { says: "It was summarised.", kind: "watches", mostMs: LONG_MS },
  before_reset: { says: "A conversation is about to begin anew.", kind: "watches", seesWords: true, mostMs: USUAL_MS },
  inbound_claim: {
    says: "A message came in that some part may take for itself.",
    kind: "changes",
    seesWords: true,
    mostMs: USUAL_MS,
  },
  message_received: { says: "A message came in.", kind: "watches", seesWords: true, mostMs: USUAL_MS },
  message_sending: {
    says: "A message is about to be sent; it may be changed or held back.",
    kind: "changes",
    seesWords: true,
    mostMs: USUAL_MS,
  },
  message_sent: { says: "A message was sent, or could not be.", kind: "watches", seesWords: true, mostMs: USUAL_MS },
  before_tool_call: {
    says: "A tool is about to run; its arguments may be changed, and it may be forbidden.",
    kind: "changes",
    seesWords: true,
    mostMs: USUAL_MS,
    failsClosed: true,
  },
  after_tool_call: { says: "A tool has run.", kind: "watches", seesWords: true, mostMs: USUAL_MS },
  tool_result_persist: {
    says: "The result of a tool is about to be written down.",
    kind: "changes",
    seesWords: true,
    mostMs: QUICK_MS,
  },
  before_message_write: {
    says: "A message is about to be written into the transcript.",
    kind: "changes",
    seesWords: true,
    mostMs: QUICK_MS,
  },
  session_start: { says: "A conversation has begun.", kind: "watches", mostMs: USUAL_MS },
  session_end: { says: "A conversation is over.", kind: "watches", mostMs: USUAL_MS },
  subagent_spawning: {
    says: "An agent is about to start another.",
    kind: "changes",
    mostMs: USUAL_MS,
    failsClosed: true,
  },
  subagent_delivery_target: {
    says: "The result of a sub-agent is about to be sent.",
    kind: "changes",
    mostMs: USUAL_MS,
  },
  subagent_spawned: { says: "A sub-agent was started.", kind: "watches", mostMs: USUAL_MS },
  subagent_ended: { says: "A sub-agent is done.", kind: "watches", mostMs: USUAL_MS },
  gateway_start: { says: "The gateway runs.", kind: "watches", mostMs: USUAL_MS },
  gateway_stop: { says: "The gateway stops.", kind: "watches", mostMs: LAST_MS },
} as const satisfies Readonly<Record<string, HookRow>>;

export type TypedHookName = keyof typeof TYPED_HOOKS;

export function typedHookRow(name: TypedHookName): HookRow {
  return TYPED_HOOKS[name];
}

export function isTypedHook(name: string): name is TypedHookName {
  return Object.hasOwn(TYPED_HOOKS, name);
}

export type HookFields = Readonly<Record<string, unknown>>;

/** A handler that a part brings. */
export interface TypedHook {
  readonly hook: TypedHookName;
  /** Whose it is, for logs and reasons. */
  readonly from: string;
  /** Higher ones come first; among equals those that were brought first. */
  readonly priority: number;
  /** Instead of the hook's own time. */
  readonly mostMs?: number;
  /** What it returns is looked at by the rules of the hook; it may throw. */
  run(event: HookFields, context: HookFields, signal: AbortSignal): Promise<unknown>;
}

/** A handler on events of the owner's hooks, brought by a part: it hears what a hook of a folder would. */
export interface EventHook {
  readonly from: string;
  /** Names of events, or the part before the colon for all of its kind. */
  readonly events: readonly string[];
  /** What it leaves of the event: texts for the person, and the files of an agent. */
  run(event: HookFields, signal: AbortSignal): Promise<{ readonly messages?: unknown; readonly context?: unknown }>;
}
