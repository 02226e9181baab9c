// Attempts to get out of a sandbox, the same for every backend. Each of them has to fail.
import { kernelEscapes, limitEscapes, rightsEscapes } from "./escapes/break-through.ts";
import { fileEscapes, networkEscapes, processEscapes } from "./escapes/reach-out.ts";
import { ESCAPED, UNTESTED, type Escape, type EscapeStage } from "./escapes/words.ts";

export type { Escape, EscapeStage } from "./escapes/words.ts";

/** `untested`: a tool for the attempt is missing inside. */
type EscapeResult = { readonly kind: "held" | "open" | "untested" };

/** For the sandbox that is tried: small enough that a bomb which gets through harms nobody. */
export const ESCAPE_LIMITS = {
  memoryBytes: 256 * 2 ** 20,
  processes: 64,
  cpuSeconds: 20,
  fileBytes: 8 * 2 ** 20,
  openFiles: 256,
};

export function listEscapes(stage: EscapeStage): Escape[] {
  return [
    ...fileEscapes(stage),
    ...networkEscapes(stage),
    ...processEscapes(stage),
    ...kernelEscapes(stage),
    ...rightsEscapes(stage),
    ...limitEscapes(stage, ESCAPE_LIMITS),
  ];
}

/** By all that an attempt printed. However a secret was printed, it got out. */
export function judgeEscape(printed: string, stage: Pick<EscapeStage, "canaryText" | "secretText">): EscapeResult {
  const has = (word: string): boolean => printed.split("\n").some((line) => line.trim() === word);
  if (has(ESCAPED) || printed.includes(stage.canaryText) || printed.includes(stage.secretText)) return { kind: "open" };
  return { kind: has(UNTESTED) ? "untested" : "held" };
}
