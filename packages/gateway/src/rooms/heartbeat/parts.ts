// Types of what this room needs of others.
import type { ErrandDelivery, Logger, RunRecord } from "@chela/sdk";
import type { HeartbeatEvent } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import type { BeatSettings } from "./settings.ts";

interface BeatPlace {
  readonly channel?: string;
  readonly to?: string;
  readonly accountId?: string;
}

/** What of the house heartbeats live on. */
export type HeartbeatHouse = Pick<House, "agents" | "clock" | "keys" | "ledger"> & {
  readonly log: Pick<Logger, "error">;
  readonly errands: Pick<House["errands"], "begin" | "settled">;
  readonly lanes: Pick<House["lanes"], "runIds" | "settled">;
  agentOf(agentId: string): Pick<ReturnType<House["agentOf"]>, "userTimezone">;
};

/** What others know of the timer, of what an agent has to look at, and of who is told. */
export interface HeartbeatParts {
  settings(agentId: string): BeatSettings;
  /** Whether heartbeats are switched on in this process. */
  isSwitchedOn(): boolean;
  nextAt(agentId: string): number | undefined;
  /** HEARTBEAT.md; undefined when there is none, or none that may be read. */
  readTasks(agentId: string): Promise<string | undefined>;
  /** Whether the file asks for anything. */
  isEmpty(tasks: string): boolean;
  /** Whether a person sent it. */
  isFromPerson(run: RunRecord): boolean;
  /** The last message of a conversation's agent as the model wrote it. */
  lastAnswer(sessionId: string): Promise<{ readonly text: string; readonly thinking: string } | undefined>;
  findPlace(written: BeatPlace, sessionKey: string): Promise<ErrandDelivery>;
  /** What the settings of a channel let be seen of heartbeats. */
  view(channel: string, account: string | undefined): { readonly showAlerts: boolean; readonly useIndicator: boolean };
  tell(event: HeartbeatEvent): void;
}
