// A public set made of what is on the machine: does the short description of a Debian package find its long one?
import { readFileSync } from "node:fs";
import type { Note } from "./note-files.ts";

export interface Package extends Note {
  readonly synopsis: string;
}

export const DPKG_STATUS = "/var/lib/dpkg/status";
const SHORTEST_DESCRIPTION = 120;

/** Undefined where there is no dpkg. Packages are taken evenly over the alphabet. */
export function readPackages(most: number): Package[] | undefined {
  const text = readStatus();
  if (text === undefined) return undefined;
  const found = withoutTwins(text.split("\n\n").flatMap(readPackage)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const step = Math.max(1, found.length / most);
  return Array.from({ length: Math.min(most, found.length) }, (_, at) => found[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  );
}

function readStatus(): string | undefined {
  try {
    return readFileSync(DPKG_STATUS, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function readPackage(paragraph: string): Package[] {
  const id = /^Package: (.+)$/m.exec(paragraph)?.[1];
  const [, synopsis, rest] = /^Description: (.+)\n((?: .*(?:\n|$))+)/m.exec(paragraph) ?? [];
  if (!id || !synopsis || !rest) return [];
  const text = rest.replaceAll(/^ \.?/gm, "").trim();
  return text.length < SHORTEST_DESCRIPTION ? [] : [{ id, synopsis, text }];
}

/** Parts of one program share their descriptions: who is meant would be a matter of luck. */
function withoutTwins(packages: readonly Package[]): Package[] {
  const opening = (one: Package): string => one.text.slice(0, SHORTEST_DESCRIPTION);
  const bySynopsis = Map.groupBy(packages, ({ synopsis }) => synopsis);
  const byOpening = Map.groupBy(packages, opening);
  return packages.filter(
    (one) => bySynopsis.get(one.synopsis)?.length === 1 && byOpening.get(opening(one))?.length === 1,
  );
}
