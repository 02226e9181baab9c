// Writes down which credential was used for what: the first time, and then once in a while with how often since.
import type { Clock } from "@chela/sdk";
import type { NewAuditEvent } from "./events.ts";

const EVERY_MS = 10 * 60_000;
/** More are rare; those that were used longest ago begin anew. */
const MOST_KEPT = 500;

export interface CredentialUses {
  used(id: string, forWhat: string): void;
  /** Writes down what was counted so far. */
  flush(): void;
}

interface Use {
  readonly id: string;
  readonly forWhat: string;
  toldAt: number;
  since: number;
}

export function createCredentialUses(clock: Clock, note: (event: NewAuditEvent) => void): CredentialUses {
  const uses = new Map<string, Use>();
  const tell = (use: Use): void => {
    const detail = { step: "used", for: use.forWhat, times: use.since };
    note({ action: "credential", actor: "gateway", target: use.id, outcome: "ok", detail });
    use.toldAt = clock.steady();
    use.since = 0;
  };
  const flush = (): void => {
    for (const use of uses.values()) if (use.since > 0) tell(use);
  };
  return {
    used(id, forWhat) {
      const name = `${id}\n${forWhat}`;
      const use = uses.get(name) ?? { id, forWhat, toldAt: Number.NEGATIVE_INFINITY, since: 0 };
      uses.delete(name);
      uses.set(name, use);
      use.since += 1;
      if (clock.steady() - use.toldAt >= EVERY_MS) tell(use);
      const [[oldestName, oldest] = []] = uses;
      if (uses.size <= MOST_KEPT || oldestName === undefined || !oldest) return;
      if (oldest.since > 0) tell(oldest);
      uses.delete(oldestName);
    },
    flush,
  };
}
