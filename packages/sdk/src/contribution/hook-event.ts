// Events for hooks: the closed list, what each tells a handler, and what a handler may do about it. Handlers are typed by it;
// which part of the gateway tells an event is said by its contribution.
import type { SessionEntry } from "../session.ts";
import type { Logger } from "../time.ts";

interface EventRow {
  /** When it is heard, as one sentence. */
  readonly says: string;
  /** The gateway waits for the handlers, because they may change what follows. */
  readonly decides?: true;
}

/** A hook names one of these, or the part before the first colon for all of its kind. */
export const HOOK_EVENTS = {
  "command:new": { says: "Somebody starts the conversation anew with /new; the old one is still there." },
  "command:reset": { says: "The same with /reset." },
  "command:stop": { says: "Somebody stopped what was running." },
  "command:given": { says: "Somebody gave any other command, such as /status or /model." },
  "session:start": { says: "A conversation has begun." },
  "session:end": { says: "A conversation is over: it was started anew or deleted." },
  "session:compact:before": { says: "The older part of a conversation is about to be summarised." },
  "session:compact:after": { says: "It was summarised, or could not be." },
  "agent:bootstrap": { says: "An agent is given its files before a conversation; they may be changed.", decides: true },
  "agent:turn:start": { says: "An agent begins to answer, whoever or whatever asked it." },
  "agent:turn:end": { says: "It has answered, failed, or was stopped." },
  "cron:start": { says: "A job begins to run." },
  "cron:end": { says: "It has run, and its result is on its way." },
  "webhook:received": { says: "Another program was let in by a webhook, and what it asked for was taken." },
  "gateway:startup": { says: "The gateway runs." },
  "gateway:shutdown": { says: "The gateway stops." },
  "message:received": { says: "Somebody who may speak wrote something; it may be refused.", decides: true },
  "message:transcribed": { says: "A voice note was written down." },
  "message:preprocessed": { says: "A message and what came with it is ready for the agent." },
  "message:sent": { says: "A message of ours arrived, or was given up." },
} as const satisfies Readonly<Record<string, EventRow>>;

export type HookEventName = keyof typeof HOOK_EVENTS;

interface CommandContext {
  readonly agentId: string;
  readonly workspaceDir: string;
  /** The channel it was given in, or "rpc". */
  readonly commandSource: string;
  readonly senderId: string;
  /** The conversation as it was before the command. */
  readonly sessionId?: string;
  readonly sessionEntry?: SessionEntry;
  /** What was written behind the command. */
  readonly text?: string;
}

interface TurnContext {
  readonly agentId: string;
  readonly runId: string;
}

interface JobContext {
  readonly agentId: string;
  readonly jobId: string;
  readonly runId?: string;
}

interface SessionContext {
  readonly agentId: string;
  readonly sessionId: string;
}

/** A file an agent is given before a conversation. */
export interface BootstrapFile {
  name: string;
  path: string;
  content: string;
}

interface MessageContext {
  readonly agentId: string;
  readonly channelId: string;
  readonly accountId: string;
  /** The chat, in the channel's own words; of our own clients the session. */
  readonly conversationId: string;
  readonly messageId?: string;
  readonly content: string;
}

interface InboundContext extends MessageContext {
  readonly from: string;
  readonly timestamp: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What each event tells, by its name. */
export interface HookContexts {
  "command:new": CommandContext;
  "command:reset": CommandContext;
  "command:stop": CommandContext;
  "command:given": CommandContext & {
    /** Its name, without the slash. */
    readonly command: string;
  };
  "session:start": SessionContext;
  "session:end": SessionContext & { readonly reason: "reset" | "deleted"; readonly sessionEntry?: SessionEntry };
  "session:compact:before": { readonly agentId: string; readonly runId: string };
  "session:compact:after": { readonly agentId: string; readonly runId: string; readonly wasCompacted: boolean };
  "agent:bootstrap": SessionContext & {
    readonly workspaceDir: string;
    /** Not "full" in groups, jobs and sub-agents: nothing that is remembered of people belongs there. */
    readonly fileSet: "full" | "guest" | "group" | "minimal" | "light";
    bootstrapFiles: BootstrapFile[];
  };
  "agent:turn:start": TurnContext & {
    /** The channel the message came from; "cron", "heartbeat" and the like for what nobody wrote. */
    readonly channelId: string;
    readonly model: string;
  };
  "agent:turn:end": TurnContext & {
    readonly status: string;
    readonly durationMs?: number;
    readonly error?: string;
  };
  "cron:start": JobContext;
  "cron:end": JobContext & { readonly status?: string; readonly error?: string };
  "webhook:received": {
    /** What stands behind hooks.path. */
    readonly path: string;
    readonly from: string;
  };
  "gateway:startup": { readonly version: string };
  "gateway:shutdown": Readonly<Record<string, never>>;
  "message:received": InboundContext;
  "message:transcribed": InboundContext & { readonly transcript: string; readonly mediaType: string };
  "message:preprocessed": InboundContext & {
    /** With what came along, as the agent is told of it. */
    readonly bodyForAgent: string;
  };
  "message:sent": MessageContext & { readonly to: string; readonly success: boolean; readonly error?: string };
}

type TypeOf<N extends string> = N extends `${infer Type}:${string}` ? Type : never;
type ActionOf<N extends string> = N extends `${string}:${infer Action}` ? Action : never;

/** Discriminated by `type` and `action`. */
export type HookEvent = {
  [N in HookEventName]: {
    readonly type: TypeOf<N>;
    readonly action: ActionOf<N>;
    /** "" where there is no conversation. */
    readonly sessionKey: string;
    readonly timestamp: Date;
    /** Texts that are put here are shown to the person. */
    readonly messages: string[];
    readonly context: HookContexts[N];
    /** Refuses what is about to happen, where the event decides something; else it does nothing. */
    cancel(reason: string): void;
  };
}[HookEventName];

/** Something that happened, by the name of its event: what a part tells. */
export type HookSignal = {
  [N in HookEventName]: {
    readonly name: N;
    /** "" where there is no conversation. */
    readonly sessionKey: string;
    readonly context: HookContexts[N];
  };
}[HookEventName];

/** What a handler gets besides the event. */
export interface HookSelf {
  readonly name: string;
  /** Its block under `hooks.internal.entries`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir: string;
  readonly log: Logger;
  /** Aborts when its time is over. */
  readonly signal: AbortSignal;
}

/** The default export of a hook's handler file. */
export type HookHandler = (event: HookEvent, hook: HookSelf) => unknown;
