// Compacts a conversation: its older part gets a summary that stands for it. Nothing is lost: every entry stays in the ledger.
import type { AgentMessage, AssistantMessage, Change, InboxMessage, ModelAttempt, SessionEntry } from "@chela/sdk";
import {
  compact,
  contextWindow,
  planCompaction,
  type Complete,
  type CompactionOutcome,
  type ContextEntry,
} from "../../rooms/agent/room.ts";
import type { Conversation, EntryBody } from "../../rooms/sessions/room.ts";
import { auditChange, modelEvent, promptDigest } from "../../rooms/audit/room.ts";
import { MessageBody } from "../message-body.ts";
import { whoseRun } from "./audit.ts";
import { isPriced, reserveFor, type Stage } from "./stage.ts";
import type { TurnKit } from "./kit.ts";
import { Spending } from "./spending.ts";

export interface CompactionJob {
  readonly message: InboxMessage;
  readonly stage: Stage;
  readonly instructions?: string;
  /** By the steady clock. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

export type SessionCompaction =
  | { readonly kind: "compacted"; readonly before: number; readonly after: number; readonly window: number }
  | { readonly kind: "kept"; readonly why: string };

/** A failed compaction keeps the conversation as it is, and says why. */
export async function compactSession(job: CompactionJob, kit: TurnKit): Promise<SessionCompaction> {
  const { stage, message } = job;
  const { model, settings, sessionId } = stage;
  const window = contextWindow(settings.context, model);
  const count = (one: ContextEntry["message"]): number => kit.fitter.counter.message(model, one);
  const entries = contextEntries(await kit.house.transcripts.read(sessionId));
  const plan = planCompaction(entries, { window, count, settings: settings.context.compaction });
  if (plan.kind === "nothing") return { kind: "kept", why: plan.why };
  const { runId, sessionKey } = message;
  kit.house.bus.emit({ kind: "compaction-started", runId, sessionKey });
  const spending: Change[] = [];
  const outcome = await compact(plan, completeWith(job, kit, spending), {
    window,
    count,
    settings: settings.context.compaction,
    ...(job.instructions ? { instructions: job.instructions } : {}),
  });
  const done = await finish(outcome, job, kit, spending, window);
  kit.house.bus.emit({ kind: "compaction-ended", runId, sessionKey, wasCompacted: done.kind === "compacted" });
  return done;
}

async function finish(
  outcome: CompactionOutcome,
  job: CompactionJob,
  kit: TurnKit,
  spending: readonly Change[],
  window: number,
): Promise<SessionCompaction> {
  if (outcome.kind === "kept") {
    if (spending.length > 0) await kit.commit(spending);
    return outcome;
  }
  const { stage, message } = job;
  const { sessionId } = stage;
  const { kind: _, ...summary } = outcome;
  kit.prompts.renew(sessionId);
  const refresh = await kit.prompts.rules(message.agentId);
  // What was activated goes on to hold, and its text is in what was summarised.
  const { agentId, sessionKey } = message;
  const skills = await (await kit.house.skills()).activation.textsAfterSummary({ agentId, sessionKey });
  const tokensAfter = countAfter(outcome, await kit.house.transcripts.read(sessionId), job, kit);
  const bodies: EntryBody[] = [{ type: "compaction", ...summary, tokensAfter }];
  if (refresh) bodies.push({ type: "custom_message", customType: "chela.refresh", content: refresh, display: false });
  if (skills.length > 0) {
    bodies.push({ type: "custom_message", customType: "chela.skills", content: skills.join("\n\n"), display: false });
  }
  await kit.house.sessions.alone(message.sessionKey, async () => {
    const entry = await kit.house.ledger.session(message.sessionKey);
    const isOurs = entry?.sessionId === sessionId;
    const put: Change[] = isOurs
      ? [{ kind: "session-put", key: message.sessionKey, entry: entryAfterCompaction(entry, kit.house.clock.now()) }]
      : [];
    await kit.house.transcripts.append(sessionId, bodies, { after: [...spending, ...put], commit: kit.commit });
  });
  kit.fitter.forget(sessionId);
  const { messages } = await kit.house.transcripts.read(sessionId);
  const after = messages.reduce((sum, one) => sum + kit.fitter.counter.message(stage.model, one), 0);
  return { kind: "compacted", before: outcome.tokensBefore, after, window };
}

/** What is left: the summary, and everything from the first entry it keeps. */
function countAfter(
  { summary, firstKeptEntryId }: Extract<CompactionOutcome, { kind: "compacted" }>,
  { messages, entryIds }: Readonly<Conversation>,
  { stage }: CompactionJob,
  { house: { clock }, fitter }: TurnKit,
): number {
  const first = entryIds.indexOf(firstKeptEntryId);
  const told: AgentMessage = { role: "user", content: summary, timestamp: clock.now() };
  const kept = first < 0 ? [] : messages.slice(first);
  return [told, ...kept].reduce((sum, one) => sum + fitter.counter.message(stage.model, one), 0);
}

function entryAfterCompaction(entry: SessionEntry, now: number): SessionEntry {
  return {
    ...entry,
    updatedAt: Math.max(entry.updatedAt, now),
    compactionCount: (entry.compactionCount ?? 0) + 1,
    totalTokensFresh: false,
  };
}

function contextEntries({ messages, entryIds, summary }: Conversation): ContextEntry[] {
  return messages.map((message, at) => ({
    id: entryIds[at] ?? "",
    message,
    ...(at === 0 && summary ? { compaction: summary } : {}),
  }));
}

/** Asks the session's own models for a text, without tools. What it costs is noted in `spending`. */
function completeWith(job: CompactionJob, kit: TurnKit, spending: Change[]): Complete {
  const { stage, message, signal } = job;
  return async ({ system, messages, maxTokens }) => {
    let said: AssistantMessage["content"] = [];
    let { model } = stage;
    const call = {
      agentId: message.agentId,
      sessionId: stage.sessionId,
      candidates: stage.candidates,
      deadlineAt: job.deadlineAt,
      // Its own prompt must not be compacted in turn.
      compactions: Number.POSITIVE_INFINITY,
      ...(stage.profile ? { profile: stage.profile } : {}),
      request: (of: typeof model) => ({
        model: of,
        system,
        messages,
        tools: [],
        thinking: "off" as const,
        maxTokens: Math.min(maxTokens, of.maxTokens),
        sessionId: `${stage.sessionId}:summary`,
      }),
      reserve: reserveFor(stage.spender, kit, (warning) => kit.house.log.warn(warning)),
      onAttempt(attempt: ModelAttempt) {
        const whose = whoseRun(message, MessageBody().parse(message.body));
        const digest = promptDigest({ system, messages, tools: [] });
        spending.push(auditChange(modelEvent(whose, attempt, digest, isPriced(stage, attempt)), attempt.endedAt));
      },
    };
    for await (const event of kit.house.models.converse(call, signal)) {
      if (event.kind === "attempt") {
        said = [];
        ({ model } = event);
      } else if (event.kind === "text") said.push({ type: "text", text: event.delta });
      else if (event.kind === "failure") return { kind: "failed", why: event.failure.message };
      else if (event.kind === "finish") {
        const answer = { role: "assistant" as const, content: said, api: model.api, provider: model.provider };
        const rest = {
          model: model.id,
          usage: event.usage,
          stopReason: event.stopReason,
          timestamp: kit.house.clock.now(),
        };
        const of = {
          message,
          person: stage.spender.person,
          at: kit.house.clock.now(),
          isPriced: model.price !== undefined,
        };
        spending.push(...new Spending().add({ ...answer, ...rest }, of));
        if (event.stopReason === "aborted") return { kind: "failed", why: "it was stopped" };
        return { kind: "text", text: joined(said) };
      }
    }
    return { kind: "failed", why: "the model said nothing" };
  };
}

function joined(said: AssistantMessage["content"]): string {
  return said.map((block) => String(block["text"] ?? "")).join("");
}
