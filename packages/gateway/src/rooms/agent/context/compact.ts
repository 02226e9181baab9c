// Puts a summary in the place of old messages. Whatever goes wrong, the conversation stays as it was.
import type { CountMessage } from "./count-tokens.ts";
import type { CompactionPlan, PlannedCompaction } from "./plan-compaction.ts";
import type { CompactionSettings } from "./settings.ts";
import { summarise, type Complete, type SummaryTask } from "./summarise.ts";
import { composeSummary, writtenPart } from "./summary-text.ts";
import { tellMessage } from "./tell-conversation.ts";
import { reserveTokensFor } from "./thresholds.ts";
import { touchedFiles, type CompactionDetails } from "./touched-files.ts";

export type CompactionOutcome =
  | {
      readonly kind: "compacted";
      readonly summary: string;
      readonly firstKeptEntryId: string;
      readonly tokensBefore: number;
      readonly details: CompactionDetails;
    }
  | { readonly kind: "kept"; readonly why: string };

export interface CompactionOptions {
  /** Of the model that writes the summary. */
  readonly window: number;
  readonly count: CountMessage;
  readonly settings: CompactionSettings;
  /** What a person wants to have kept. */
  readonly instructions?: string;
}

const CHUNK_SHARE = 0.4;
const LEAST_CHUNK_SHARE = 0.15;
/** An estimate may be wrong by this much. */
const SAFETY_MARGIN = 1.2;
const MIN_PART_TOKENS = 256;
const MAX_SUMMARY_TOKENS = 8192;
const MIN_SUMMARY_TOKENS = 256;

export async function compact(
  plan: CompactionPlan,
  complete: Complete,
  options: CompactionOptions,
): Promise<CompactionOutcome> {
  if (plan.kind === "nothing") return { kind: "kept", why: plan.why };
  const messages = plan.replaced.map(({ message }) => message);
  const texts = messages.map(tellMessage).filter((text) => text !== "");
  const task = summaryTask(plan, complete, options);
  const previous = plan.previous ? writtenPart(plan.previous.summary) : undefined;
  const answer = await summarise(texts, previous, task);
  if (answer.kind === "failed") return { kind: "kept", why: answer.why };
  const details = touchedFiles(messages, plan.previous?.details);
  const summary = composeSummary(plan, answer.text, details);
  if (task.countText(summary) >= plan.replacedTokens) {
    return { kind: "kept", why: "The summary was longer than the messages it stands for." };
  }
  const { firstKeptEntryId, tokensBefore } = plan;
  return { kind: "compacted", summary, firstKeptEntryId, tokensBefore, details };
}

function summaryTask(plan: PlannedCompaction, complete: Complete, options: CompactionOptions): SummaryTask {
  const { window, settings, count } = options;
  const instructions = options.instructions?.trim();
  const reserve = reserveTokensFor(settings, window);
  const longest = Math.min(MAX_SUMMARY_TOKENS, Math.floor(reserve * 0.8), Math.floor(window / 10));
  return {
    complete,
    partTokens: Math.max(MIN_PART_TOKENS, Math.floor(materialTokens(plan, options, reserve) / SAFETY_MARGIN)),
    maxTokens: Math.max(MIN_SUMMARY_TOKENS, longest),
    ...(instructions ? { instructions } : {}),
    countText: (text) => count({ role: "user", content: text, timestamp: 0 }),
  };
}

/** Safeguard mode asks in small parts, in smaller ones where messages are long; otherwise as much as fits at once. */
function materialTokens(plan: PlannedCompaction, { window, settings }: CompactionOptions, reserve: number): number {
  if (settings.mode === "default") return (window - reserve) / 2;
  const average = (plan.replacedTokens * SAFETY_MARGIN) / plan.replaced.length / window;
  const share = average > 0.1 ? Math.max(LEAST_CHUNK_SHARE, CHUNK_SHARE - average * 2) : CHUNK_SHARE;
  return window * share;
}
