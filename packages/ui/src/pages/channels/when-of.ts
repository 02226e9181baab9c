// Times as people say them.
import type { Words } from "../../words/index.ts";

const MINUTE_MS = 60_000;

/** Seconds are not told: they would be wrong a moment later. */
export function whenOf(at: number, format: Words, { justNow }: { readonly justNow: string }): string {
  return Math.abs(Date.now() - at) < MINUTE_MS ? justNow : format.ago(at);
}
