// Names of kinds of facts, and of those they are about.
import type { InOtherWords, Sections } from "../../words/index.ts";

export type MemoryWords = InOtherWords<Sections["memory"]>;

const KINDS = ["entity", "topic", "decision", "preference", "date"] as const;

export function kindName(kind: string, words: MemoryWords): string {
  const known = KINDS.find((one) => one === kind);
  return known ? words[`kind_${known}`] : kind;
}

/** Two names stand for whoever spoke. */
export function subjectName(subject: string, words: MemoryWords): string {
  if (subject === "owner") return words.owner;
  return subject === "somebody" ? words.somebody : subject;
}
