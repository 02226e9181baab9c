// Keeps sessions within their bounds while the gateway runs: looks once a day, acts when the configuration says so.
import type { Clock, Ledger, Logger } from "@chela/sdk";
import { every } from "@chela/sdk/base";
import type { MaintenanceLimits } from "../rooms/config/room.ts";

export interface TendingParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly stateDir: string;
  limits(): MaintenanceLimits;
  /** Main sessions, and those in which somebody is speaking. */
  keep(key: string): boolean;
  /** Transcripts were changed in the ledger. */
  changed(): void;
}

const FIRST_LOOK_MS = 5 * 60_000;
const LOOK_EVERY_MS = 24 * 3_600_000;

/** The returned function ends it. */
export function limitSessions(parts: TendingParts): () => void {
  const look = async (): Promise<void> => {
    try {
      const { ledger, stateDir, log, clock } = parts;
      const { maintainSessions } = await import("../rooms/ledger/mirror/maintain-sessions.ts");
      const report = await maintainSessions({
        ledger,
        stateDir,
        log,
        config: parts.limits(),
        keep: (key) => parts.keep(key),
        now: clock.now(),
      });
      if (report.applied) parts.changed();
    } catch (error) {
      parts.log.warn("sessions could not be tended", { error: String(error) });
    }
  };
  let stop = parts.clock.after(FIRST_LOOK_MS, () => {
    void look();
    stop = every(parts.clock, LOOK_EVERY_MS, look);
  });
  return () => stop();
}
