// The answer while it is being written: a draft, or a message that is edited until it becomes the answer.
import type { ChannelConnection } from "@chela/sdk";
import { auditChange, deliveryEvent } from "../../rooms/audit/room.ts";
import type { LiveLine } from "./live-line.ts";
import type { NewDelivery } from "./delivery.ts";

/** A few letters are no preview, and somebody's telephone rings for them. */
const LEAST_CHARS = 30;
const SEND_PATIENCE_MS = 30_000;
const PREVIEW = { state: "delivered", attempts: 1, isPreview: true } as const;
/** What stands behind a text that was never finished. */
export const UNFINISHED = " …";

export class LivePreview {
  readonly #line: LiveLine;
  #text = "";
  #shown = "";
  #messageId: string | undefined;
  #canDraft = true;
  #lastAt = -Infinity;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(line: LiveLine) {
    this.#line = line;
  }

  /** The platform's id of the message that shows it. */
  get messageId(): string | undefined {
    return this.#messageId;
  }

  /** What people see of it at the moment. */
  get shown(): string {
    return this.#messageId === undefined ? "" : this.#shown;
  }

  /** Shows the text soon, and never faster than the platform likes it. */
  update(text: string): void {
    this.#text = text;
    const everyMs = this.#line.traits?.previewEveryMs;
    if (everyMs === undefined || this.#cancel || this.#isOver) return;
    const { clock } = this.#line.parts;
    this.#cancel = clock.after(Math.max(0, this.#lastAt + everyMs - clock.steady()), () => {
      this.#cancel = undefined;
      this.#lastAt = clock.steady();
      this.#line.ask("show a preview", (connection) => this.#show(connection));
    });
  }

  /** Resolves when nothing of it is on its way any more. */
  get idle(): Promise<void> {
    return this.#line.idle;
  }

  /** Shows nothing more. */
  stop(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  async #show(connection: ChannelConnection): Promise<void> {
    const text = this.#fitting();
    if (this.#isOver || text.length < LEAST_CHARS || text === this.#shown) return;
    if (await this.#showDraft(connection, text)) return;
    if (!connection.edit) return;
    if (this.#messageId === undefined) return this.#open(connection, text);
    const edited = await connection.edit(this.#line.chat.target, this.#messageId, text);
    if (edited.kind === "sent") this.#shown = text;
  }

  /** A chat without drafts shows a message instead. */
  async #showDraft(connection: ChannelConnection, text: string): Promise<boolean> {
    if (!connection.draft || !this.#canDraft || this.#messageId !== undefined) return false;
    const { target, runId } = this.#line.chat;
    try {
      await connection.draft(target, runId, text);
      this.#shown = text;
      return true;
    } catch {
      this.#canDraft = false;
      return false;
    }
  }

  /** Noted in the outbox, so that the answer finds its preview after a restart, too. */
  async #open(connection: ChannelConnection, markdown: string): Promise<void> {
    const { runId, channel, account, target } = this.#line.chat;
    const { clock, ledger } = this.#line.parts;
    const id = previewRow(runId);
    const content = { kind: "text" as const, markdown };
    const message = { key: id, target, content, mayHaveArrived: false };
    const sent = await connection.send(message, AbortSignal.timeout(SEND_PATIENCE_MS));
    if (sent.kind !== "sent") return;
    this.#messageId = sent.messageId;
    this.#shown = markdown;
    const item: NewDelivery = { id, runId, channel, account, to: target.to, payload: {}, createdAt: clock.now() };
    const receipt = { messageId: sent.messageId };
    await ledger.commit([
      { kind: "outbox-add", item },
      { kind: "outbox-state", id, state: "delivered", attempts: 1, at: item.createdAt, receipt },
      auditChange(deliveryEvent({ ...item, payload: content }, { ...PREVIEW, ...receipt }, false), item.createdAt),
    ]);
  }

  /** As much of the beginning as one message holds, with room for a mark that it was never finished. */
  #fitting(): string {
    const { traits, settings } = this.#line;
    if (!traits) return "";
    const limit = Math.min(settings.textChunkLimit ?? traits.textLimit, traits.textLimit);
    let shown = this.#text.trim();
    while (shown.length > 0 && traits.measure(shown + UNFINISHED) > limit) shown = shown.slice(0, shown.length * 0.9);
    return shown.replace(/[\uD800-\uDBFF]$/, "");
  }
}

/** The row of the outbox that stands for a run's preview. */
export function previewRow(runId: string): string {
  return `${runId}:preview`;
}
