// Words that may stand behind the commands for options of a conversation.
import { readDuration } from "../../base/text/read-duration.ts";
import { isInherit, takeWhile, wordTable } from "../../base/text/command-words.ts";
import type { SessionPatch, TakeArguments } from "@chela/sdk";

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

export const takeQueue: TakeArguments = (behind, place) =>
  takeWhile(behind, place, Infinity, (word) => {
    return readQueueWord(word) !== undefined || isInherit(word, place);
  });

export const takeExec: TakeArguments = (behind, place) =>
  takeWhile(behind, place, Infinity, (word) => {
    return readExecWord(word) !== undefined || isInherit(word, place);
  });

export const takeNothing: TakeArguments = () => 0;
export const takeCommandName: TakeArguments = (behind, _place, known) =>
  takeWhile(behind, "start", 1, (word) => known.isCommand(word.replace(/^\//, ""))) ?? 0;
export const takePage: TakeArguments = (behind) => takeWhile(behind, "start", 1, (word) => /^\d{1,3}$/.test(word)) ?? 0;

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
