// The words that may stand behind a command, and how much of a message belongs to a command inside it.
import { readDuration } from "../../base/text/read-duration.ts";
import type { SessionPatch } from "./world.ts";

/** `start`: nothing but directives stands before it. There people mean a command; inside, only what fits is one. */
export type Place = "start" | "inside";

export interface KnownNames {
  isModel(ref: string): boolean;
  isCommand(name: string): boolean;
}

/** How many characters of `behind` are arguments; undefined when what stands there cannot be. */
export type TakeArguments = (behind: string, place: Place, known: KnownNames) => number | undefined;

export const THINKING_WORDS = wordTable({
  off: "off none",
  minimal: "minimal min think",
  low: "low on enable enabled thinkhard think-hard",
  medium: "medium mid med harder thinkharder think-harder",
  high: "high max highest ultra ultrathink thinkhardest think-hardest",
  xhigh: "xhigh x-high extrahigh extra-high",
});
export const VERBOSE_WORDS = wordTable({ on: "on enable", full: "full all", off: "off disable" });
export const REASONING_WORDS = wordTable({ on: "on enable", off: "off disable", stream: "stream live" });
export const ELEVATED_WORDS = wordTable({ on: "on enable", ask: "ask", full: "full", off: "off disable" });

/** Take a setting back. In the middle of a sentence these words mean something else. */
export const INHERIT_WORDS: readonly string[] = ["default", "inherit", "reset", "clear"];

const QUEUE_MODES = wordTable({
  collect: "collect",
  followup: "followup follow-up",
  steer: "steer queue",
  "steer-backlog": "steer-backlog steer+backlog",
  interrupt: "interrupt",
});
/** How each mode is written. */
export const QUEUE_WORDS: readonly string[] = [...new Set(QUEUE_MODES.values())];
const QUEUE_DROPS = wordTable({ summarize: "summarize summarise summary", old: "old oldest", new: "new newest" });
const LARGEST_CAP = 1_000;
const LONGEST_DEBOUNCE_MS = 600_000;

const EXEC_VALUES: Readonly<Record<string, readonly string[]>> = {
  host: ["sandbox", "gateway", "node"],
  security: ["deny", "allowlist", "full"],
  ask: ["off", "on-miss", "always"],
};
const EXEC_FIELDS = { host: "execHost", security: "execSecurity", ask: "execAsk", node: "execNode" } as const;

export function takeLevel(words: ReadonlyMap<string, string>): TakeArguments {
  return (behind, place) =>
    takeWhile(behind, place, 1, (word) => words.has(word.toLowerCase()) || isInherit(word, place));
}

export const takeQueue: TakeArguments = (behind, place) =>
  takeWhile(behind, place, Infinity, (word) => {
    return readQueueWord(word) !== undefined || isInherit(word, place);
  });

export const takeExec: TakeArguments = (behind, place) =>
  takeWhile(behind, place, Infinity, (word) => {
    return readExecWord(word) !== undefined || isInherit(word, place);
  });

export const takeModel: TakeArguments = (behind, place, known) => {
  if (place === "inside") return takeWhile(behind, place, 1, (word) => known.isModel(splitProfile(word).ref));
  const first = firstWord(behind);
  if (first && ["list", "status"].includes(first.word.toLowerCase())) return behind.length;
  return takeWhile(behind, place, 1, () => true);
};

export const takeNothing: TakeArguments = () => 0;
export const takeCommandName: TakeArguments = (behind, _place, known) =>
  takeWhile(behind, "start", 1, (word) => known.isCommand(word.replace(/^\//, ""))) ?? 0;
export const takePage: TakeArguments = (behind) => takeWhile(behind, "start", 1, (word) => /^\d{1,3}$/.test(word)) ?? 0;

/** `provider/model@profile`; a date behind the "@" belongs to the model's own name. */
export function splitProfile(ref: string): { readonly ref: string; readonly profile?: string } {
  const at = ref.lastIndexOf("@");
  if (at <= 0 || /^\d{6,8}$/.test(ref.slice(at + 1))) return { ref };
  return { ref: ref.slice(0, at), profile: ref.slice(at + 1) };
}

type QueueFields = Pick<SessionPatch, "queueMode" | "queueDebounceMs" | "queueCap" | "queueDrop">;
type ExecFields = Pick<SessionPatch, "execHost" | "execSecurity" | "execAsk" | "execNode">;

export function readQueueWord(written: string): QueueFields | undefined {
  const word = written.toLowerCase();
  const mode = QUEUE_MODES.get(word);
  if (mode) return { queueMode: mode };
  const [, key, value = ""] = /^(debounce|cap|drop)[:=](.+)$/.exec(word) ?? [];
  if (key === "debounce") {
    const ms = readDuration(value, "ms");
    return ms === undefined || ms > LONGEST_DEBOUNCE_MS ? undefined : { queueDebounceMs: ms };
  }
  if (key === "cap") {
    const cap = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    return cap >= 1 && cap <= LARGEST_CAP ? { queueCap: cap } : undefined;
  }
  const drop = key === "drop" ? QUEUE_DROPS.get(value) : undefined;
  return drop ? { queueDrop: drop } : undefined;
}

export function readExecWord(written: string): ExecFields | undefined {
  const [, name = "", value = ""] = /^(host|security|ask|node)[:=](.+)$/i.exec(written) ?? [];
  const key = name.toLowerCase();
  if (key === "node") return { execNode: value };
  if (key !== "host" && key !== "security" && key !== "ask") return undefined;
  const lower = value.toLowerCase();
  return EXEC_VALUES[key]?.includes(lower) ? { [EXEC_FIELDS[key]]: lower } : undefined;
}

const isInherit = (word: string, place: Place) => place === "start" && INHERIT_WORDS.includes(word.toLowerCase());

/** The end of the last of up to `most` words that fit. At the start of a message a bare command is fine too. */
function takeWhile(behind: string, place: Place, most: number, fits: (word: string) => boolean): number | undefined {
  let end = 0;
  for (let count = 0; count < most; count += 1) {
    const next = firstWord(behind.slice(end));
    if (!next || !fits(next.word)) break;
    end += next.end;
  }
  if (end > 0) return end;
  return place === "start" && behind.trim() === "" ? behind.length : undefined;
}

/** The next word on the same line, without the punctuation that ends a sentence. */
function firstWord(text: string): { readonly word: string; readonly end: number } | undefined {
  const found = /^[ \t]*([^\s,;!?]{1,200}?)(?=[.,;!?]?(?:\s|$))/.exec(text);
  return found?.[1] ? { word: found[1], end: found[0].length } : undefined;
}

/** `{ low: "low on" }` becomes low → low, on → low. */
function wordTable(meanings: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(meanings).flatMap(([value, words]) => words.split(" ").map((word) => [word, value])));
}
