// Says what a pattern of the allow-list would mean, while it is typed. Pure.
import { namesProgram } from "./rule-book.ts";

export type Meaning =
  | { readonly kind: "nothing" }
  /** Exactly this file. */
  | { readonly kind: "file"; readonly path: string }
  /** A program of the system, by its name. */
  | { readonly kind: "name"; readonly name: string }
  /** All programs of a directory; with `isDeep` of those below, too. */
  | { readonly kind: "directory"; readonly directory: string; readonly isDeep: boolean }
  /** What fits. `example` is one that does. */
  | { readonly kind: "pattern"; readonly isDeep: boolean; readonly example: string };

export function meaningOf(pattern: string): Meaning {
  if (!namesProgram(pattern)) return { kind: "nothing" };
  if (!pattern.includes("/")) return { kind: "name", name: pattern };
  if (!/[*?]/.test(pattern)) return { kind: "file", path: pattern };
  const [, directory = "", stars = ""] = /^([^*?]*)\/(\*\*?)$/.exec(pattern) ?? [];
  if (stars !== "") return { kind: "directory", directory: directory || "/", isDeep: stars === "**" };
  const isDeep = pattern.includes("**");
  return { kind: "pattern", isDeep, example: exampleOf(pattern) };
}

/** Whether so much is meant that hardly anybody wants it. */
export function isWide(pattern: string): boolean {
  return /^(?:~|\/(?:usr|bin|sbin|home|opt|tmp|var|root|usr\/(?:s?bin|local|local\/bin))?)\/?\*/.test(pattern);
}

function exampleOf(pattern: string): string {
  return pattern.replaceAll(/\*\*+/g, "some/where").replaceAll("*", "name").replaceAll("?", "x");
}
