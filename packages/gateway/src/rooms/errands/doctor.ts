// Checks of `chela doctor` about errands: work that waits for somebody who carries it out.
import { GatewayError, OPEN_ERRANDS, type DoctorCheck, type ErrandRecord } from "@chela/sdk";
import type { House } from "../../house/house.ts";

const MOST_READ = 1_000;

/** What is wrong with the ledger itself is said of the ledger. */
function ofDamaged(error: unknown): ErrandRecord[] {
  if (GatewayError.is(error)) return [];
  throw error;
}

export const checks: ReadonlyArray<DoctorCheck<Pick<House, "ledger" | "errandTable">>> = [
  {
    name: "Errands",
    async look({ ledger, errandTable }) {
      const open = await ledger.errands({ states: OPEN_ERRANDS, limit: MOST_READ }).catch(ofDamaged);
      const left = Map.groupBy(
        open.filter(({ kind }) => !errandTable.has(kind)),
        ({ kind }): string => kind,
      );
      return [...left].map(([kind, { length }]) => ({
        state: "warn" as const,
        says: `${new GatewayError("ERRAND_KIND", kind).message} (${length} waiting).`,
        fix: new GatewayError("ERRAND_KIND", kind).row.fix,
      }));
    },
  },
];
