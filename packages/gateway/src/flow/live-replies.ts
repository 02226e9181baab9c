// What people in a channel see while a turn runs: that their message was noticed, that somebody writes, and what so far.
import type { ChannelConnection, ChannelEvent, ChannelTraits, Clock, Ledger, Logger, Target } from "@chela/sdk";
import type { NewDelivery } from "./reply-delivery.ts";
import type { MessageBody } from "./message-body.ts";
import type { TurnEvent } from "./turn-events.ts";

export interface LiveSettings {
  readonly streaming: "off" | "partial" | "block";
  readonly ackReaction: string | undefined;
  readonly ackScope: "group-mentions" | "group-all" | "direct" | "all" | "off";
  readonly removeAckAfterReply: boolean;
  readonly typing: "never" | "instant" | "thinking" | "message";
}

export interface LivePlaces {
  connection(channel: string, account: string): ChannelConnection | undefined;
  traits(channel: string): ChannelTraits | undefined;
}

export interface LiveParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Ledger;
  readonly channels: LivePlaces;
  settings(channel: string, account: string): LiveSettings;
}

/** What was shown of an answer before it was complete. */
export interface Shown {
  /** The platform's id of the message that shows it. */
  readonly preview?: string;
  /** Parts that were sent for good. */
  readonly said: readonly string[];
}

interface LiveRun {
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly target: Target;
  readonly messageId: string | undefined;
  text: string;
  shownText: string;
  preview?: string;
  /** The last thing that was asked of the platform for this run. */
  work: Promise<void>;
  lastEdit: number;
  cancelEdit?: () => void;
  cancelTyping?: () => void;
  ack?: string;
}

const DEFAULT_ACK = "👀";
const LEAST_PREVIEW = 30;
const TYPING_PATIENCE_MS = 120_000;
const DEFAULT_TYPING_MS = 6000;

/** Nothing here is needed for the answer to arrive: whatever fails is logged and forgotten. */
export class LiveReplies {
  readonly #parts: LiveParts;
  readonly #runs = new Map<string, LiveRun>();

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  /** The message was taken: shows that, if the settings say so. */
  accepted(
    channel: string,
    account: string,
    event: ChannelEvent,
    { runId, wasMentioned }: { readonly runId: string; readonly wasMentioned: boolean },
  ): void {
    const run = this.#begin(runId, channel, account, event.replyTarget, event.messageId);
    const settings = this.#parts.settings(channel, account);
    if (settings.typing === "instant" && (event.chat.kind === "direct" || wasMentioned)) this.#startTyping(run);
    if (isAcknowledged(settings.ackScope, event.chat.kind === "direct", wasMentioned)) {
      this.#acknowledge(run, settings.ackReaction ?? DEFAULT_ACK);
    }
  }

  hear(event: TurnEvent): void {
    if (event.kind === "turn-started") return this.#started(event.message);
    const run = this.#runs.get(event.runId);
    if (!run) return;
    switch (event.kind) {
      case "step-started":
        run.text = run.text === "" ? "" : `${run.text}\n\n`;
        return;
      case "thinking":
      case "tool-started":
        return this.#startTyping(run);
      case "text":
        run.text += event.delta;
        return this.#showSoon(run);
      case "turn-ended":
        return this.#ended(run);
    }
  }

  /** The turn is complete: nothing more is shown of it, and what was is told. */
  async settle(runId: string): Promise<Shown> {
    const run = this.#runs.get(runId);
    if (!run) return { said: [] };
    run.cancelEdit?.();
    run.cancelTyping?.();
    await run.work;
    return { said: [], ...(run.preview === undefined ? {} : { preview: run.preview }) };
  }

  async stop(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const run of runs) {
      run.cancelEdit?.();
      run.cancelTyping?.();
    }
    await Promise.all(runs.map(({ work }) => work));
  }

  /** After a restart there is no run yet: it is made from what was admitted. */
  #started({ runId, channel, account, body }: { runId: string; channel: string; account: string; body: object }): void {
    const { origin } = body as MessageBody;
    if (!origin) return;
    const run =
      this.#runs.get(runId) ?? this.#begin(runId, channel, account, origin.target as Target, origin.messageId);
    const { typing } = this.#parts.settings(channel, account);
    if (typing === "instant" && (origin.chat.kind === "direct" || origin.wasMentioned)) this.#startTyping(run);
  }

  #begin(runId: string, channel: string, account: string, target: Target, messageId: string | undefined): LiveRun {
    const run: LiveRun = {
      runId,
      channel,
      account,
      target,
      messageId,
      text: "",
      shownText: "",
      work: Promise.resolve(),
      lastEdit: 0,
    };
    this.#runs.set(runId, run);
    return run;
  }

  #ended(run: LiveRun): void {
    run.cancelEdit?.();
    run.cancelTyping?.();
    this.#runs.delete(run.runId);
    const { ack, messageId, channel, account } = run;
    if (!ack || !messageId || !this.#parts.settings(channel, account).removeAckAfterReply) return;
    this.#ask(run, "take back a reaction", (connection) => connection.react?.(run.target, messageId, ack, true));
  }

  #acknowledge(run: LiveRun, emoji: string): void {
    const { messageId } = run;
    if (messageId === undefined || emoji === "") return;
    run.ack = emoji;
    this.#ask(run, "react", (connection) => connection.react?.(run.target, messageId, emoji, false));
  }

  #startTyping(run: LiveRun): void {
    const { settings, channels, clock } = this.#parts;
    if (run.cancelTyping || settings(run.channel, run.account).typing === "never") return;
    const everyMs = (channels.traits(run.channel)?.typingMs ?? DEFAULT_TYPING_MS) * 0.8;
    const until = clock.now() + TYPING_PATIENCE_MS;
    const again = (): void => {
      if (clock.now() > until || !this.#runs.has(run.runId)) return;
      this.#ask(run, "show that somebody writes", (connection) => connection.typing?.(run.target));
      run.cancelTyping = clock.after(everyMs, again);
    };
    again();
  }

  /** Edits come no faster than the platform likes. */
  #showSoon(run: LiveRun): void {
    const { clock, channels, settings } = this.#parts;
    const everyMs = channels.traits(run.channel)?.previewEveryMs;
    if (everyMs === undefined || settings(run.channel, run.account).streaming !== "partial" || run.cancelEdit) return;
    const wait = Math.max(0, run.lastEdit + everyMs - clock.now());
    run.cancelEdit = clock.after(wait, () => {
      delete run.cancelEdit;
      run.lastEdit = clock.now();
      this.#ask(run, "show a preview", (connection) => this.#show(run, connection));
    });
  }

  async #show(run: LiveRun, connection: ChannelConnection): Promise<void> {
    const text = this.#fitting(run);
    if (text.length < LEAST_PREVIEW || text === run.shownText || !connection.edit) return;
    run.shownText = text;
    if (connection.draft) return connection.draft(run.target, run.runId, text);
    if (run.preview === undefined) return this.#openPreview(run, connection, text);
    await connection.edit(run.target, run.preview, text);
  }

  /** A row of the outbox, so that the answer finds its preview after a restart, too. */
  async #openPreview(run: LiveRun, connection: ChannelConnection, markdown: string): Promise<void> {
    const { runId, channel, account, target } = run;
    const id = `${runId}:preview`;
    const content = { kind: "text" as const, markdown };
    const sent = await connection.send(
      { key: id, target, content, mayHaveArrived: false },
      AbortSignal.timeout(30_000),
    );
    if (sent.kind !== "sent") return;
    run.preview = sent.messageId;
    const createdAt = this.#parts.clock.now();
    const item: NewDelivery = { id, runId, channel, account, to: target.to, payload: {}, createdAt };
    const receipt = { messageId: sent.messageId };
    await this.#parts.ledger.commit([
      { kind: "outbox-add", item },
      { kind: "outbox-state", id, state: "delivered", attempts: 1, receipt },
    ]);
  }

  /** As much of the beginning as one message holds. */
  #fitting({ text, channel }: LiveRun): string {
    const traits = this.#parts.channels.traits(channel);
    const limit = traits?.textLimit ?? 0;
    let shown = text.trim();
    while (traits && shown.length > 0 && traits.measure(shown) > limit) shown = shown.slice(0, shown.length * 0.9);
    return shown;
  }

  /** One after another for each run, and never in the way of anything else. */
  #ask(run: LiveRun, what: string, task: (connection: ChannelConnection) => Promise<void> | undefined): void {
    run.work = run.work.then(async () => {
      const connection = this.#parts.channels.connection(run.channel, run.account);
      if (!connection) return;
      try {
        await task(connection);
      } catch (error) {
        this.#parts.log.debug(`could not ${what}`, { run: run.runId, channel: run.channel, error: String(error) });
      }
    });
  }
}

function isAcknowledged(scope: LiveSettings["ackScope"], isDirect: boolean, wasMentioned: boolean): boolean {
  switch (scope) {
    case "all":
      return true;
    case "direct":
      return isDirect;
    case "group-all":
      return !isDirect;
    case "group-mentions":
      return !isDirect && wasMentioned;
    case "off":
      return false;
  }
}
