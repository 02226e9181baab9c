// Checks of `chela doctor`: what a part looks at when somebody asks how it is, and what it says.
import type { CommandCall } from "./command-line.ts";

/** One line of the list. */
export interface DoctorLine {
  readonly state: "ok" | "warn" | "fail";
  readonly says: string;
  /** What to type, or what was done with --fix. */
  readonly fix?: string;
}

/** How a part is asked, besides the services of a house that is open to look at. */
export interface DoctorCall {
  /** Who asks, and the gateway behind it. */
  readonly call: CommandCall;
  /** What can be put right safely shall be put right. */
  readonly repairs: boolean;
  /** A gateway works on this state directory right now. */
  readonly isRunning: boolean;
  /** Opens the ledger as a start does, which rebuilds a damaged one. */
  rebuildLedger(): Promise<void>;
}

/** Looks at one thing and says how it is in one sentence; nothing when there is nothing to say. */
export interface DoctorCheck<House> {
  /** What it looks at, in a word. */
  readonly name: string;
  look(house: House, doctor: DoctorCall): readonly DoctorLine[] | Promise<readonly DoctorLine[]>;
}
