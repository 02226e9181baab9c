// Types of what sub-agents need of the rest of the gateway, and the words they are spoken of in.
import type {
  Change,
  Clock,
  Errand,
  ErrandDelivered,
  ErrandDelivery,
  ErrandRecord,
  ErrandTurn,
  Ids,
  Ledger,
  Requester,
  Logger,
} from "@chela/sdk";

/** The engine that carries errands out. */
export interface ErrandEngine {
  begin(errand: Errand, changes?: readonly Change[]): Promise<boolean>;
  settled(runId: string): Promise<ErrandRecord | undefined>;
  executed(runId: string): Promise<ErrandRecord | undefined>;
  stop(runId: string, reason: string): boolean;
  isUnderWay(runId: string): boolean;
  onStep(listener: (errand: ErrandRecord) => void): () => void;
}

/** What the configuration says for one agent. */
export interface SubagentSettings {
  readonly maxSpawnDepth: number;
  readonly maxChildrenPerAgent: number;
  readonly archiveAfterMinutes: number;
  /** 0: no limit but the one every turn has. */
  readonly runTimeoutSeconds: number;
  readonly announceTimeoutMs?: number | undefined;
  /** Other agents it may start; "*" is everybody. */
  readonly allowAgents?: readonly string[] | undefined;
  /** Of sub-agents that are this agent. */
  readonly model?: string | undefined;
  readonly fallbacks?: readonly string[] | undefined;
  readonly thinking?: string | undefined;
}

export interface SubagentsParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly ledger: Ledger;
  readonly errands: ErrandEngine;
  readonly stateDir: string;
  settings(agentId: string): SubagentSettings;
  agents(): readonly { readonly id: string; readonly name?: string }[];
  /** By reference or alias. Throws MODEL_UNKNOWN. */
  resolveModel(ref: string): { readonly provider: string; readonly id: string };
  isSandboxed(agentId: string, sessionKey: string, requester: Requester): boolean;
  /** Where the answers of a conversation's turn go; undefined when it is itself part of some other work. */
  placeOf(turn: {
    readonly runId: string;
    readonly sessionKey: string;
    readonly agentId: string;
  }): Promise<ErrandDelivery | undefined>;
  /** Lends the place of a waiting turn to others. */
  whileWaiting<T>(sessionKey: string, work: Promise<T>): Promise<T>;
  /** Says something to the turn that runs in the errand's conversation, or begins one. Resolves when it is safe. */
  say(errand: Errand, runId: string, turn: ErrandTurn): Promise<void>;
  /** The end of a turn; undefined when it is not under way. */
  untilEnded(runId: string): Promise<unknown> | undefined;
  stopTurn(sessionKey: string, runId: string): void;
  /** Ends a turn here; the next start goes on with it. */
  leaveTurn(sessionKey: string, runId: string): void;
  isBusy(sessionKey: string): boolean;
  /** The gateway stops: nothing more is begun or ended, the next start goes on with it. */
  isClosing(): boolean;
  /** Deletes a conversation; what was said in it is kept. */
  putAway(sessionKey: string): Promise<void>;
  /** The last messages of a conversation, oldest first. */
  lastMessages(sessionId: string, limit: number): Promise<readonly SaidMessage[]>;
}

export interface SaidMessage {
  readonly role: string;
  readonly text: string;
}

export type Refused = {
  readonly kind: "refused";
  readonly status: "forbidden" | "error";
  /** One or two sentences: what, and what is allowed. */
  readonly why: string;
};

/** A sub-agent as it is shown. */
export interface SubagentView {
  readonly runId: string;
  readonly sessionKey: string;
  readonly parentKey: string;
  readonly agentId: string;
  readonly task: string;
  readonly label?: string;
  readonly depth: number;
  readonly cleanup: "keep" | "delete";
  /** "announcing": carried out, its result is on the way. */
  readonly state: "running" | "announcing" | "ended";
  readonly outcome?: "ok" | "error" | "timeout" | "killed";
  readonly reason?: string;
  readonly error?: string;
  readonly model?: string;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly runtimeMs: number;
  readonly tokens?: number;
  readonly result?: string;
  readonly delivered?: ErrandDelivered["status"];
  readonly deliveryError?: string;
  readonly isArchived: boolean;
}

export function refused(why: string, status: Refused["status"] = "error"): Refused {
  return { kind: "refused", status, why };
}
