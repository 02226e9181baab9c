// Signs in a channel while a turn runs: that a message was noticed, that somebody writes, and what so far.
import type { ChannelEvent, InboxMessage, RunOutcome, Target } from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import { LiveBlocks } from "./live-blocks.ts";
import { LiveLine, type LiveChat, type LiveParts } from "./live-line.ts";
import { LivePreview } from "./live-preview.ts";
import { isAcknowledged, typingMode } from "./live-settings.ts";
import { LiveStatus } from "./live-status.ts";
import { LiveTyping } from "./live-typing.ts";
import type { MessageBody } from "../message-body.ts";
import type { TurnEvent } from "../turn/events.ts";

/** What was shown of an answer before it was complete. */
export interface ShownReply {
  /** The platform's id of the message that shows it, and what that message says. */
  readonly preview?: { readonly messageId: string; readonly text: string };
  /** Parts that were sent for good. */
  readonly said: readonly string[];
}

/** A message that was taken, as far as it matters here. */
export interface Accepted {
  readonly runId: string;
  readonly agentId: string;
  readonly wasMentioned: boolean;
}

interface LiveRun {
  readonly line: LiveLine;
  readonly typing: LiveTyping;
  /** When the typing sign begins; worked out once, because every word would ask. */
  readonly mode: ReturnType<typeof typingMode>;
  readonly status: LiveStatus | undefined;
  ack?: string;
  /** There once the turn has begun. */
  preview?: LivePreview;
  blocks?: LiveBlocks;
  /** What earlier steps said, and this one. */
  before: string;
  step: string;
  /** Messages that are answered together with this one. */
  readonly others: LiveRun[];
  /** Accepted by this very process. */
  isFresh: boolean;
  hasUsedTools: boolean;
  /** The last row of the answer: when it is delivered, all is over. */
  lastRow?: string;
  outcome?: RunOutcome;
}

/** Where the text is a command, nobody writes an answer to it: it is there at once. */
const COMMAND = /^\s*[/!]\S/;
/** Runs that ended before anybody heard that they were accepted. */
const MOST_REMEMBERED = 200;
const PREVIEW_PATIENCE_MS = 10_000;

/** Nothing here but the blocks is needed for the answer to arrive. */
export class LiveReplies {
  readonly #parts: LiveParts;
  readonly #runs = new Map<string, LiveRun>();
  /** By the row whose delivery ends them. */
  readonly #awaited = new Map<string, LiveRun>();
  readonly #over = new Set<string>();

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  /** The message was taken: shows that, if the settings say so. */
  accepted(channel: string, account: string, event: ChannelEvent, { runId, agentId, wasMentioned }: Accepted): void {
    if (this.#over.has(runId)) return;
    const { replyTarget: target, messageId, chat, content } = event;
    const isDirect = chat.kind === "direct";
    const run = this.#runOf({ runId, agentId, channel, account, target, messageId, isDirect, wasMentioned });
    run.isFresh = true;
    const isCommand = content.kind === "command" || ("text" in content && COMMAND.test(content.text));
    if (!isCommand && run.mode === "instant") run.typing.start();
    if (messageId === undefined) return;
    if (run.line.settings.marksRead)
      run.line.ask("mark it as read", (connection) => connection.markRead?.(target, messageId));
    if (run.status) {
      if (!isCommand) run.status.queued();
    } else if (isAcknowledged(run.line.settings, run.line.chat)) this.#acknowledge(run, messageId);
  }

  hear(event: TurnEvent): void {
    if (event.kind === "turn-started") return this.#started(event);
    const run = this.#runs.get(event.runId);
    if (!run) return;
    run.typing.touch();
    run.status?.touch();
    const { mode } = run;
    switch (event.kind) {
      case "step-started":
        return this.#newStep(run);
      case "thinking":
        if (mode === "thinking") run.typing.start();
        return run.status?.thinking();
      case "tool-started":
        run.hasUsedTools = true;
        if (mode === "thinking") run.typing.start();
        run.status?.usesTool(event.call);
        return this.#endStep(run);
      case "tool-ended":
        return run.status?.thinking();
      case "text":
        if (mode === "message") run.typing.start();
        return this.#write(run, event.delta);
      case "turn-ended":
        return this.#ended(run, event.outcome);
    }
  }

  /** The turn is complete: nothing more is shown of its text, and what was is told. */
  async settle(runId: string): Promise<ShownReply> {
    const run = this.#runs.get(runId);
    if (!run) return { said: [] };
    run.preview?.stop();
    const said = (await run.blocks?.settle()) ?? [];
    // The answer does not wait for ever for a platform that does not say what became of a preview.
    if (run.preview) await waitAtMost(PREVIEW_PATIENCE_MS, run.preview.idle, this.#parts.clock);
    const { messageId, shown: text } = run.preview ?? {};
    return { said, ...(messageId === undefined ? {} : { preview: { messageId, text: text ?? "" } }) };
  }

  /** Whether nothing of this run was said but what is known here: no earlier process saw it, and no tool could send. */
  knowsAll(runId: string): boolean {
    const run = this.#runs.get(runId);
    return run !== undefined && run.isFresh && !run.hasUsedTools;
  }

  /** The answer is written: the run is over when this row is delivered. */
  expect(runId: string, lastRow: string): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    run.lastRow = lastRow;
    this.#awaited.set(lastRow, run);
  }

  /** The post is done with a row. */
  delivered(row: string): void {
    const run = this.#awaited.get(row);
    this.#awaited.delete(row);
    if (run?.outcome) this.#finish(run, run.outcome);
    else if (run) delete run.lastRow;
  }

  /** Nothing came of what was shown: it goes, where a platform can do that. */
  takeBack(runId: string, messageId: string): void {
    const line = this.#runs.get(runId)?.line;
    line?.ask("take back a preview", (connection) => connection.unsend?.(line.chat.target, messageId));
  }

  async stop(): Promise<void> {
    const runs = [...this.#runs.values(), ...this.#awaited.values()];
    for (const { typing, status, preview } of runs) {
      typing.stop();
      status?.stop();
      preview?.stop();
    }
    await Promise.all(runs.flatMap(({ line, blocks, preview }) => [blocks?.settle(), preview?.idle, line.idle]));
  }

  /** After a restart there is no run yet: it is made from what was admitted. */
  #started({ message, alsoAnswers, model }: Extract<TurnEvent, { kind: "turn-started" }>): void {
    const chat = chatOf(message);
    if (!chat) return;
    const run = this.#runOf(chat);
    for (const runId of alsoAnswers) this.#join(run, runId);
    const { settings } = run.line;
    if (run.mode === "instant") run.typing.start();
    run.status?.thinking();
    // With lines of their own: the answer waits for them, but not for a reaction.
    const line = new LiveLine({ ...chat, model }, this.#parts);
    if (settings.streaming === "partial") run.preview ??= new LivePreview(line);
    if (settings.streaming === "block") run.blocks ??= new LiveBlocks(line, settings.blocks);
  }

  #runOf(chat: LiveChat): LiveRun {
    const known = this.#runs.get(chat.runId);
    if (known) return known;
    const line = new LiveLine(chat, this.#parts);
    const { settings } = line;
    const { statusReactions } = settings;
    const status = statusReactions ? new LiveStatus(line, statusReactions) : undefined;
    const mode = typingMode(settings, chat);
    const typing = new LiveTyping(line);
    const seen = { isFresh: false, hasUsedTools: false };
    const run: LiveRun = { line, typing, mode, status, before: "", step: "", others: [], ...seen };
    this.#runs.set(chat.runId, run);
    return run;
  }

  /** Messages that are answered with this one share its end. */
  #join(run: LiveRun, runId: string): void {
    const other = this.#runs.get(runId);
    this.#forget(runId);
    other?.typing.stop();
    if (other) run.others.push(other);
  }

  #write(run: LiveRun, delta: string): void {
    run.step += delta;
    run.blocks?.add(delta);
    run.preview?.update([run.before, run.step].filter(Boolean).join("\n\n"));
  }

  #endStep(run: LiveRun): void {
    if (run.step === "") return;
    run.before = [run.before, run.step].filter(Boolean).join("\n\n");
    run.step = "";
    run.blocks?.endStep();
  }

  /** Without a tool between them, a new step stands for one that failed: what that one said is void. */
  #newStep(run: LiveRun): void {
    if (run.step !== "") run.blocks?.voidStep();
    run.step = "";
  }

  #ended(run: LiveRun, outcome: RunOutcome): void {
    this.#forget(run.line.chat.runId);
    run.preview?.stop();
    run.outcome = outcome;
    if (run.lastRow === undefined) this.#finish(run, outcome);
  }

  /** The answer is there, or there will be none. */
  #finish(run: LiveRun, outcome: RunOutcome): void {
    const { removeAckAfterReply } = run.line.settings;
    for (const { line, typing, status, ack } of [run, ...run.others]) {
      typing.stop();
      status?.end(outcome.status, removeAckAfterReply);
      const { messageId, target } = line.chat;
      if (!ack || messageId === undefined || !removeAckAfterReply) continue;
      line.ask("take back a reaction", (connection) => connection.react?.(target, messageId, ack, true));
    }
  }

  #acknowledge(run: LiveRun, messageId: string): void {
    const emoji = run.line.settings.ackReaction;
    run.ack = emoji;
    run.line.ask("react", (connection) => connection.react?.(run.line.chat.target, messageId, emoji, false));
  }

  #forget(runId: string): void {
    this.#runs.delete(runId);
    this.#over.add(runId);
    const [oldest] = this.#over;
    if (this.#over.size > MOST_REMEMBERED && oldest !== undefined) this.#over.delete(oldest);
  }
}

function chatOf({ runId, agentId, channel, account, body }: InboxMessage): LiveChat | undefined {
  const { origin } = body as MessageBody;
  if (!origin) return undefined;
  const { target, messageId, chat, wasMentioned } = origin;
  const isDirect = chat.kind === "direct";
  return { runId, agentId, channel, account, target: target as Target, messageId, isDirect, wasMentioned };
}
