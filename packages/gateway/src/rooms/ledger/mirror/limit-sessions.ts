// Keeps sessions within their bounds while the gateway runs: looks once a day, acts when the configuration says so.
import { agentOfSessionKey, mainSessionKey, type Clock, type Ledger, type Logger } from "@chela/sdk";
import { every } from "@chela/sdk/base";
import type { House } from "../../../house/house.ts";
import type { MaintenanceLimits } from "../../config/room.ts";

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

interface Tending {
  start(): void;
  close(): void;
}

const FIRST_LOOK_MS = 5 * 60_000;
const LOOK_EVERY_MS = 24 * 3_600_000;

export function openSessionLimits(
  house: Pick<House, "ledger" | "clock" | "log" | "stateDir" | "maintenanceLimits" | "keys" | "lanes" | "transcripts">,
): Tending {
  const { ledger, clock, log, stateDir, maintenanceLimits: limits, keys, lanes, transcripts } = house;
  const keep = (key: string): boolean =>
    key === mainSessionKey(agentOfSessionKey(key) ?? "", keys()) || lanes.runIds(key).length > 0;
  return limitSessions({ ledger, clock, log, stateDir, limits, keep, changed: () => transcripts.forgetAll() });
}

export function limitSessions(parts: TendingParts): Tending {
  const look = async (): Promise<void> => {
    try {
      const { ledger, stateDir, log, clock } = parts;
      const { maintainSessions } = await import("./maintain-sessions.ts");
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
  let end = (): void => {};
  return {
    start() {
      end = parts.clock.after(FIRST_LOOK_MS, () => {
        void look();
        end = every(parts.clock, LOOK_EVERY_MS, look);
      });
    },
    close: () => end(),
  };
}
