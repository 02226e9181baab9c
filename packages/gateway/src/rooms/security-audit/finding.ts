// Findings of the audit, as clients and people see them: the worst first.
import type { SecuritySeverity, SecurityWeakness } from "@chela/sdk";

export interface Finding extends Omit<SecurityWeakness, "repair" | "asksFirst"> {
  /** `--fix` can do it. */
  readonly fixable: boolean;
  /** Somebody may have wanted it as it is: whoever fixes it is asked first. */
  readonly asksFirst: boolean;
}

const ORDER: Readonly<Record<SecuritySeverity, number>> = { critical: 0, warning: 1, info: 2 };

/** What is equally bad stays in the order of the checks. */
export function sortWeaknesses(found: readonly SecurityWeakness[]): SecurityWeakness[] {
  return [...found].sort((one, other) => ORDER[one.severity] - ORDER[other.severity]);
}

export function toFinding(weakness: SecurityWeakness): Finding {
  const { repair, asksFirst = false, ...shown } = weakness;
  return { ...shown, fixable: repair !== undefined, asksFirst };
}
