// Needs of the hooks that come with the gateway.
import type { Clock } from "@chela/sdk";

export interface Remark {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Work for an agent that nobody typed. */
export interface BootErrand {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly text: string;
}

export interface BundledNeeds {
  readonly clock: Clock;
  agents(): ReadonlyArray<{ readonly id: string; readonly workspace: string }>;
  /** What people and agent said at the end of a conversation, as they saw it. */
  lastRemarks(sessionId: string, newest: number): Promise<readonly Remark[]>;
  /** Returns when it is certain that it will be done. */
  runErrand(errand: BootErrand): Promise<void>;
}
