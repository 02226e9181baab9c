// Types of what the session tools need of the gateway.
import type { Logger, Requester, SessionEntry, SessionQuery, SessionRow, TranscriptEntry } from "@chela/sdk";
import type { ScopeSettings } from "./scope.ts";

/** The session a tool is called in, and for whom. */
export interface Caller {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly requester: Requester;
}

export interface SessionToolSettings extends ScopeSettings {
  /** `subagents.allowAgents` of the calling agent: whom it may start; "*" is everybody, absent is itself only. */
  readonly allowAgents?: readonly string[] | undefined;
  /** `session.agentToAgent.maxPingPongTurns`: 5 unless told otherwise. */
  readonly maxPingPongTurns?: number | undefined;
}

export interface AgentName {
  readonly id: string;
  readonly name?: string;
}

export interface SessionReads {
  session(key: string): Promise<SessionEntry | undefined>;
  sessions(query: SessionQuery): Promise<readonly SessionRow[]>;
  /** The configuration as it is now, and whether the caller is confined to their own conversation. */
  settings(caller: Caller): SessionToolSettings;
  /** The one spelling of a key; `main` and bare names belong to `agentId`. Undefined for what can be no key. */
  canonicalKey(agentId: string, written: string): string | undefined;
  mainKey(agentId: string): string;
  agents(): readonly AgentName[];
}

export interface HistoryReads extends SessionReads {
  /** The newest `limit` entries of the branch that ends with `entryId`, or with the newest entry; oldest first. */
  history(request: {
    readonly sessionId: string;
    readonly limit: number;
    readonly entryId?: string;
  }): Promise<readonly TranscriptEntry[]>;
}

/** A message that has the words somebody looked for. */
export interface FoundMessage {
  readonly sessionKey: string;
  readonly entryId: string;
  readonly role: "user" | "assistant";
  readonly at: number;
  /** The part of it around the words. */
  readonly text: string;
  /** It was said before the conversation was started anew. */
  readonly archived?: "reset" | "deleted";
}

export interface SearchReads extends SessionReads {
  /** Messages with all of the words, the newest first. Nothing that `sight` hides is found, nor found out about. */
  search(request: {
    readonly query: string;
    readonly limit: number;
    readonly role?: "user" | "assistant";
    readonly after?: number;
    readonly before?: number;
    readonly sight: {
      readonly agentIds: readonly string[];
      readonly sessionKeys: readonly string[];
      sees(sessionKey: string): Promise<boolean>;
      clean(text: string): string;
    };
  }): Promise<{ readonly hits: readonly FoundMessage[]; readonly hasMore: boolean; readonly indexing?: object }>;
  now(): number;
}

export interface ListParts extends HistoryReads {
  now(): number;
}

export interface StatusParts extends SessionReads {
  /** `provider/model` that the session's next turn would use. */
  modelOf(agentId: string, entry: SessionEntry | undefined): Promise<string>;
  /** By reference or alias; null goes back to the default. It decides whether this requester may. */
  setModel(
    sessionKey: string,
    ref: string | null,
    requester: Requester,
  ): Promise<{ readonly kind: "set" } | { readonly kind: "refused"; readonly why: string }>;
  /** Cost in US dollars; undefined when no price is known. */
  usage(sessionKey: string): Promise<{ readonly tokens: number; readonly cost?: number | undefined }>;
  now(): number;
}

export interface SendRequest {
  readonly sessionKey: string;
  readonly message: string;
  /** Fixed words about the message, for the target's system prompt. Nothing anybody wrote is in it. */
  readonly note: string;
  readonly provenance: {
    readonly kind: "inter_session";
    readonly sourceSessionKey: string;
    readonly sourceChannel?: string;
    readonly sourceTool: "sessions_send";
  };
  /** The target's turn may do no more than this person might. */
  readonly requester: Requester;
  /** The turn that asks: the tools it may not use are not used for it elsewhere. */
  readonly askedIn: string;
  /** How long to wait for the reply; 0 returns once the message is admitted. */
  readonly timeoutSeconds: number;
}

export interface SendOutcome {
  readonly runId: string;
  readonly status: "ok" | "accepted" | "timeout" | "error";
  readonly reply?: string | undefined;
  readonly error?: string | undefined;
}

export interface SendParts extends SessionReads {
  /** Starts a turn in the target session. When `signal` aborts, only the waiting ends. */
  send(request: SendRequest, signal?: AbortSignal): Promise<SendOutcome>;
  /** Waits for a turn that was started before. */
  waitFor(runId: string, timeoutSeconds: number): Promise<SendOutcome>;
  /** Posts a text in the chat the session belongs to. */
  announce(sessionKey: string, text: string, runId: string): Promise<void>;
  readonly log: Logger;
}

/** All that the six tools need together. */
export interface SessionToolParts extends ListParts, SearchReads, StatusParts, SendParts {}
