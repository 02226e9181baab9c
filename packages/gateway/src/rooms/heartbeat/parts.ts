// Types of what this room needs of others.
import type { Change, Clock, Errand, ErrandDelivery, ErrandRecord, Ledger, Logger, RunRecord } from "@chela/sdk";
import type { HeartbeatEvent } from "@chela/sdk/protocol";
import type { BeatSettings } from "./settings.ts";

interface BeatPlace {
  readonly channel?: string;
  readonly to?: string;
  readonly accountId?: string;
}

export interface HeartbeatParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  agentIds(): readonly string[];
  settings(agentId: string): BeatSettings;
  /** Whether heartbeats are switched on in this process. */
  isSwitchedOn(): boolean;
  nextAt(agentId: string): number | undefined;
  /** The conversation that stands for the person behind an agent. */
  homeOf(agentId: string, written: string | undefined): string;
  timeZone(agentId: string): string | undefined;
  /** HEARTBEAT.md; undefined when there is none, or none that may be read. */
  readTasks(agentId: string): Promise<string | undefined>;
  /** Whether the file asks for anything. */
  isEmpty(tasks: string): boolean;
  isBusy(sessionKey: string): boolean;
  whenFree(sessionKey: string): Promise<void>;
  /** Whether a person sent it. */
  isFromPerson(run: RunRecord): boolean;
  findPlace(written: BeatPlace, sessionKey: string): Promise<ErrandDelivery>;
  /** What the settings of a channel let be seen of heartbeats. */
  view(channel: string, account: string | undefined): { readonly showAlerts: boolean; readonly useIndicator: boolean };
  begin(errand: Errand, changes: readonly Change[]): Promise<boolean>;
  settled(runId: string): Promise<ErrandRecord | undefined>;
  /** The last message of a conversation's agent as the model wrote it. */
  lastAnswer(sessionId: string): Promise<{ readonly text: string; readonly thinking: string } | undefined>;
  tell(event: HeartbeatEvent): void;
}
