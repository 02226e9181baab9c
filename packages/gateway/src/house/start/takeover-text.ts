// What a first start on somebody's directory found and did, in a few lines for people.

export interface TakeoverReport {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly stateDir: string;
  /** Each a short line, such as "12 conversations". */
  readonly takenOver: readonly string[];
  readonly leftAlone: readonly string[];
  readonly toDo: readonly string[];
}

/** In the ledger, where `chela import --report` finds it again. */
export const TAKEOVER_KEY = "takeover-report";

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
