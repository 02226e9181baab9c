// Types of a check of `chela doctor`: what it looks at, and what it says.
import type { CommandCall } from "@chela/sdk/command-line";
import type { ConfigStore, StatePaths } from "../rooms/config/room.ts";

/** One line of the list. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly says: string;
  /** What to type, or what was done with --fix. */
  readonly fix?: string;
}

/** What all checks look at. */
export interface CheckedGateway {
  readonly call: CommandCall;
  readonly paths: StatePaths;
  readonly config: ConfigStore;
  readonly repairs: boolean;
  readonly isRunning: boolean;
}
