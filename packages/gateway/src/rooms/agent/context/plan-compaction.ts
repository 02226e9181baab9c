// Decides what of a conversation a summary may stand for, and from where on it stays word for word.
import type { AgentMessage, AssistantMessage, ToolCallBlock, ToolResultMessage } from "@chela/sdk";
import type { CountMessage } from "./count-tokens.ts";
import type { CompactionSettings } from "./settings.ts";

/** One message of the conversation with the id of its entry in the transcript. */
export interface ContextEntry {
  readonly id: string;
  readonly message: AgentMessage;
  /** Only for the entry of an earlier compaction, whose message is that summary. */
  readonly compaction?: { readonly summary: string; readonly details?: unknown };
}

export interface PlannedCompaction {
  readonly kind: "plan";
  /** Never empty, and without the earlier summary. */
  readonly replaced: readonly ContextEntry[];
  readonly previous?: NonNullable<ContextEntry["compaction"]>;
  /** Index of the first entry that stays. */
  readonly firstKept: number;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  /** What the summary has to be smaller than. */
  readonly replacedTokens: number;
}

export type CompactionPlan = PlannedCompaction | { readonly kind: "nothing"; readonly why: string };

export interface PlanLimits {
  readonly window: number;
  readonly count: CountMessage;
  readonly settings: Pick<CompactionSettings, "keepRecentTokens" | "maxHistoryShare">;
}

const NOTHING = "There is nothing to summarise yet: the conversation is little more than its newest turn, which stays.";

export function planCompaction(entries: readonly ContextEntry[], limits: PlanLimits): CompactionPlan {
  const tokens = entries.map(({ message }) => limits.count(message));
  const firstKept = chooseCut(entries, tokens, recentTokens(limits));
  const kept = entries[firstKept];
  const before = entries.slice(0, firstKept);
  const replaced = before.filter(({ compaction }) => !compaction);
  const newTokens = sum(tokens.filter((_, at) => at < firstKept && !entries[at]?.compaction));
  // A few messages are no shorter as a summary; asking a model for it again and again would only cost.
  if (!kept || replaced.length === 0 || newTokens < Math.min(1000, limits.window / 20)) {
    return { kind: "nothing", why: NOTHING };
  }
  const previous = before.findLast(({ compaction }) => compaction)?.compaction;
  return {
    kind: "plan",
    replaced,
    ...(previous ? { previous } : {}),
    firstKept,
    firstKeptEntryId: kept.id,
    tokensBefore: sum(tokens),
    replacedTokens: sum(tokens.slice(0, firstKept)),
  };
}

function recentTokens({ window, settings }: PlanLimits): number {
  return Math.min(settings.keepRecentTokens, window / 4, window * settings.maxHistoryShare);
}

/** As much as may stay, but never less than the newest turn; 0 when there is no place to cut. */
function chooseCut(entries: readonly ContextEntry[], tokens: readonly number[], recent: number): number {
  const lastUser = entries.findLastIndex(({ message, compaction }) => message.role === "user" && !compaction);
  const latest = lastUser >= 0 ? lastUser : entries.length - 1;
  const wanted = Math.min(latest, firstWithin(tokens, recent));
  const mayCut = legalCuts(entries);
  for (let at = wanted; at <= latest; at++) if (mayCut[at]) return at;
  for (let at = wanted - 1; at > 0; at--) if (mayCut[at]) return at;
  return 0;
}

/** The first index from which on everything together has at most `budget` tokens. */
function firstWithin(tokens: readonly number[], budget: number): number {
  let start = tokens.length;
  for (let left = budget; start > 0; start--) {
    left -= tokens[start - 1] ?? 0;
    if (left < 0) break;
  }
  return start;
}

/** Cutting before an entry is legal when no call that came earlier has its result there or later. */
function legalCuts(entries: readonly ContextEntry[]): boolean[] {
  const callAt = new Map<string, number>();
  const lastResultOf = entries.map((_, at) => at);
  for (const [at, { message }] of entries.entries()) {
    if (message.role === "assistant") for (const id of callIds(message as AssistantMessage)) callAt.set(id, at);
    if (message.role !== "toolResult") continue;
    const call = callAt.get((message as ToolResultMessage).toolCallId);
    if (call !== undefined) lastResultOf[call] = at;
  }
  let busyUntil = -1;
  return entries.map(({ message }, at) => {
    const isLegal = at > busyUntil && message.role !== "toolResult";
    busyUntil = Math.max(busyUntil, lastResultOf[at] ?? at);
    return isLegal;
  });
}

function callIds({ content }: AssistantMessage): string[] {
  return content.flatMap((block) => (block.type === "toolCall" ? [(block as ToolCallBlock).id] : []));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
