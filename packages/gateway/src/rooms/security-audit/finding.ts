// Findings of the audit: a weakness, what it can lead to, and what to do about it.
import type { SecurityFacts } from "./facts.ts";

export type Severity = "critical" | "warning" | "info";

/** What clients and people see of a weakness. Never holds a secret. */
export interface Finding {
  /** The check, and the place when a check can find several. Stays the same as long as the weakness does. */
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  /** What may happen, in one sentence. */
  readonly risk: string;
  /** A place of the configuration, a file, or an environment variable. */
  readonly where: string;
  /** What to do; a command where there is one. */
  readonly fix: string;
  /** `--fix` can do it. */
  readonly fixable: boolean;
  /** Somebody may have wanted it as it is: whoever fixes it is asked first. */
  readonly asksFirst: boolean;
}

/** A change that puts a weakness right. It can neither lock anybody out who is named, nor lose anything. */
export type Repair =
  | { readonly kind: "modes"; readonly files: ReadonlyArray<{ readonly path: string; readonly mode: number }> }
  /** Without a value the key is taken away, so that its default holds. */
  | { readonly kind: "config"; readonly path: string; readonly value?: unknown };

export interface Weakness extends Omit<Finding, "fixable" | "asksFirst"> {
  readonly repair?: Repair;
  /** The repair changes how something behaves that somebody asked for: it is done only when they say so again. */
  readonly asksFirst?: true;
}

/** One question about what is known. Pure. */
export type Check = (facts: SecurityFacts) => readonly Weakness[];

const ORDER: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 };

/** The worst first; what is equally bad stays in the order of the checks. */
export function sortWeaknesses(found: readonly Weakness[]): Weakness[] {
  return [...found].sort((one, other) => ORDER[one.severity] - ORDER[other.severity]);
}

export function toFinding(weakness: Weakness): Finding {
  const { repair, asksFirst = false, ...shown } = weakness;
  return { ...shown, fixable: repair !== undefined, asksFirst };
}
