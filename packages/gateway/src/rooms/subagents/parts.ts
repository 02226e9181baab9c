// Types of what sub-agents need of the rest of the gateway, and the words they are spoken of in.
import type { Errand, ErrandDelivered, ErrandDelivery, ErrandTurn, Logger, Requester } from "@chela/sdk";
import type { House } from "../../house/house.ts";

/** The engine that carries errands out. */
export type ErrandEngine = Pick<House["errands"], "begin" | "settled" | "executed" | "stop" | "isUnderWay" | "onStep">;

/** What of the house sub-agents live on. */
export type SubagentWorkHouse = Pick<House, "agents" | "clock" | "ids" | "ledger"> & {
  readonly log: Logger;
  readonly errands: ErrandEngine;
  readonly inbound: Pick<House["inbound"], "stop">;
  readonly lanes: Pick<House["lanes"], "runIds" | "whileWaiting">;
  readonly models: Pick<House["models"], "resolve">;
  readonly paths: Pick<House["paths"], "stateDir">;
  readonly runs: Pick<House["runs"], "waitFor">;
  readonly sessions: Pick<House["sessions"], "delete">;
};

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

/** What others know of settings, sandboxes, places, turns that run, and what was said. */
export interface SubagentsParts {
  settings(agentId: string): SubagentSettings;
  /** Another program that can be given work, by its name or the default. */
  findWorker(
    written: string | undefined,
  ): { readonly kind: "found"; readonly name: string } | { readonly kind: "refused"; readonly why: string };
  isSandboxed(agentId: string, sessionKey: string, requester: Requester): boolean;
  /** Where the answers of a conversation's turn go; undefined when it is itself part of some other work. */
  placeOf(turn: {
    readonly runId: string;
    readonly sessionKey: string;
    readonly agentId: string;
  }): Promise<ErrandDelivery | undefined>;
  /** Says something to the turn that runs in the errand's conversation, or begins one. Resolves when it is safe. */
  say(errand: Errand, runId: string, turn: ErrandTurn): Promise<void>;
  /** The gateway stops: nothing more is begun or ended, the next start goes on with it. */
  isClosing(): boolean;
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
