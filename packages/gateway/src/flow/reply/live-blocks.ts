// Sends the answer block by block while it is being written. Each block is a committed row before anybody sees it.
import { BlockStream } from "@chela/sdk/markdown";
import type { Change, OutboxItem } from "@chela/sdk";
import type { LiveLine } from "./live-line.ts";
import type { BlockSettings } from "./live-settings.ts";
import type { NewDelivery } from "./delivery.ts";

export class LiveBlocks {
  readonly #line: LiveLine;
  readonly #settings: BlockSettings;
  readonly #stream: BlockStream;
  readonly #said: string[] = [];
  /** Of this step, and not yet given to the stream: only where blocks wait for its end. */
  #unread = "";
  /** Blocks that wait for more. */
  #waiting = "";
  #hasSentInStep = false;
  /** Takes no more text. */
  #isOver = false;
  /** Sends no more: what is left comes with the end of the answer. */
  #isBroken = false;
  #cancelIdle: (() => void) | undefined;
  #work: Promise<void>;

  constructor(line: LiveLine, settings: BlockSettings) {
    this.#line = line;
    this.#settings = settings;
    this.#stream = new BlockStream(settings);
    this.#work = this.#takeUp();
  }

  add(delta: string): void {
    if (this.#isOver) return;
    if (this.#settings.breakAt === "message_end") this.#unread += delta;
    else for (const block of this.#stream.add(delta)) this.#collect(block);
  }

  /** The model has said what it wanted to say before its next deed. */
  endStep(): void {
    if (this.#isOver) return;
    for (const block of [...this.#stream.add(this.#unread), ...this.#stream.finish()]) this.#collect(block);
    this.#unread = "";
    this.#flush();
    this.#hasSentInStep = false;
  }

  /** What the step said so far is void. If some of it is out, the rest has to wait until all of it is known. */
  voidStep(): void {
    this.#unread = "";
    this.#waiting = "";
    this.#cancelIdle?.();
    this.#stream.finish();
    if (this.#hasSentInStep) this.#break();
  }

  /** Sends nothing more; what did not go out is part of the answer. Resolves with what did. */
  async settle(): Promise<readonly string[]> {
    this.#isOver = true;
    this.#cancelIdle?.();
    await this.#work;
    return this.#said;
  }

  /** After a restart: what an earlier process sent is said, and what is left comes with the end of the answer. */
  async #takeUp(): Promise<void> {
    const { parts, chat } = this.#line;
    const rows = await parts.ledger.outboxOf(chat.runId);
    this.#said.push(...blocksIn(chat.runId, rows));
    if (this.#said.length > 0) this.#break();
  }

  #break(): void {
    this.#isOver = true;
    this.#isBroken = true;
  }

  #collect(block: string): void {
    const { minChars, maxChars, idleMs } = this.#settings.coalesce;
    if (this.#waiting !== "" && this.#waiting.length + block.length + 2 > maxChars) this.#flush();
    this.#waiting = this.#waiting === "" ? block : `${this.#waiting}\n\n${block}`;
    if (this.#waiting.length >= minChars) return this.#flush();
    this.#cancelIdle?.();
    this.#cancelIdle = this.#line.parts.clock.after(idleMs, () => this.#flush());
  }

  #flush(): void {
    this.#cancelIdle?.();
    const text = this.#waiting;
    this.#waiting = "";
    if (text === "") return;
    this.#hasSentInStep = true;
    this.#work = this.#work.then(() => this.#send(text));
  }

  /** What cannot be written down is not sent: it comes with the whole answer. */
  async #send(text: string): Promise<void> {
    const { parts, chat } = this.#line;
    if (this.#isBroken) return;
    try {
      const rows = await parts.composeBlock(chat, text, this.#said.length);
      const items = rows.map((row, at) => asBlock(row, chat.runId, this.#said.length, at, text));
      await parts.ledger.commit(items.map((item): Change => ({ kind: "outbox-add", item })));
      this.#said.push(text);
      for (const item of items) await parts.deliver({ ...item, attempts: 0, state: "pending" });
    } catch (error) {
      this.#break();
      parts.log.warn("a block of an answer has to wait for the rest", { run: chat.runId, error: String(error) });
    }
  }
}

/** A block that is too long for one message has several rows; the first of them knows what it says. */
function asBlock(row: NewDelivery, runId: string, index: number, part: number, said: string): NewDelivery {
  const id = `${runId}:block:${String(index).padStart(3, "0")}`;
  return part === 0
    ? { ...row, id, payload: { ...row.payload, said } }
    : { ...row, id: `${id}:${String(part).padStart(2, "0")}` };
}

/** What of a run was sent in blocks, in order. */
function blocksIn(runId: string, rows: readonly OutboxItem[]): string[] {
  return rows
    .filter(({ id, state }) => id.startsWith(`${runId}:block:`) && state !== "undeliverable")
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ payload }) => (typeof payload["said"] === "string" ? [payload["said"]] : []));
}
