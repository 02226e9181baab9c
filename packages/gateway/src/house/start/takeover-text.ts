// Report of a first start on somebody's directory, in a few lines for people; and what was merged later.
import type { Ledger } from "@chela/sdk";

export interface TakeoverReport {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly stateDir: string;
  /** Each a short line, such as "12 conversations". */
  readonly takenOver: readonly string[];
  readonly leftAlone: readonly string[];
  readonly toDo: readonly string[];
}

/** What another program changed later, and was taken over when it was noticed. */
export interface LaterMerge {
  readonly at: number;
  readonly what: string;
}

/** In the ledger, where `chela import --report` finds them again. */
export const TAKEOVER_KEY = "takeover-report";
export const MERGES_KEY = "takeover-merges";
const MOST_MERGES = 50;

/** The newest are kept. */
export async function noteMerge(ledger: Pick<Ledger, "value" | "commit">, merge: LaterMerge): Promise<void> {
  const value = JSON.stringify([...readMerges(await ledger.value(MERGES_KEY)), merge].slice(-MOST_MERGES));
  await ledger.commit([{ kind: "value-put", key: MERGES_KEY, value }]);
}

export function readMerges(value: string | undefined): readonly LaterMerge[] {
  return value === undefined ? [] : (JSON.parse(value) as LaterMerge[]);
}

export function mergeLines(merges: readonly LaterMerge[]): string[] {
  const lines = merges.map(
    ({ at, what }) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC: ${what}`,
  );
  return section("Merged later:", lines);
}

export function takeoverLines({ stateDir, takenOver, leftAlone, toDo }: TakeoverReport): string[] {
  return [
    `Found:  files of OpenClaw in ${stateDir}`,
    ...section("Taken over:", takenOver),
    ...section("Left alone:", leftAlone),
    ...section("To do:", toDo),
    "        `chela import --report` shows this again",
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`        ${title}`, ...lines.map((line) => `        - ${line}`)];
}
