// The entries of one conversation that this page has seen, by position: asked for in pieces, as somebody scrolls there.
import type { ShownMessage } from "@chela/sdk/protocol";
import { Live } from "../../state/live.ts";
import type { Wire } from "../../wire/wire.ts";

/** Entries asked for at once. */
const PIECE = 100;
/** Pieces kept; those nobody looked at for longest go first. */
const MOST_PIECES = 60;

interface Piece {
  messages: readonly ShownMessage[];
  /** What is known may be of another branch or another time: shown, but asked for again. */
  isOld: boolean;
  isAsking: boolean;
}

export class Entries {
  /** Counts up with every change. */
  readonly version = new Live(0);
  readonly #wire: Wire;
  readonly #sessionKey: string;
  readonly #pieces = new Map<number, Piece>();
  readonly #results = new Map<string, ShownMessage>();
  readonly #calls = new Set<string>();
  #total = 0;
  /** Answers to questions of an earlier age are thrown away. */
  #age = 0;

  constructor(wire: Wire, sessionKey: string) {
    this.#wire = wire;
    this.#sessionKey = sessionKey;
  }

  get total(): number {
    return this.#total;
  }

  /** The entry at a position, if it is here; if not, it is asked for. */
  at(index: number): ShownMessage | undefined {
    const number = Math.floor(index / PIECE);
    const piece = this.#pieces.get(number);
    if (piece) {
      // What was looked at last is forgotten last.
      this.#pieces.delete(number);
      this.#pieces.set(number, piece);
    }
    if (!piece || piece.isOld || piece.messages[index % PIECE] === undefined) void this.#ask(number);
    return piece?.messages[index % PIECE];
  }

  /** The same without asking. */
  peek(index: number): ShownMessage | undefined {
    return this.#pieces.get(Math.floor(index / PIECE))?.messages[index % PIECE];
  }

  /** Everything that is here, in no particular order. */
  *known(): Generator<ShownMessage> {
    for (const { messages } of this.#pieces.values()) yield* messages;
  }

  /** The result of a tool call, if it has been seen. */
  resultOf(toolCallId: string): ShownMessage | undefined {
    return this.#results.get(toolCallId);
  }

  /** Whether the message with this tool call has been seen. */
  hasCall(toolCallId: string): boolean {
    return this.#calls.has(toolCallId);
  }

  /** What is known is of another branch: nothing of it holds. */
  restart(total: number): void {
    this.#age += 1;
    this.#pieces.clear();
    this.#results.clear();
    this.#calls.clear();
    this.#total = total;
    this.#changed();
  }

  /** Something may have been missed: what is known is shown until it is known better. */
  doubt(total: number): void {
    this.#age += 1;
    this.#total = total;
    for (const piece of this.#pieces.values()) Object.assign(piece, { isOld: true, isAsking: false });
    this.#changed();
  }

  /** The branch grew. */
  append(from: number, total: number, messages: readonly ShownMessage[]): void {
    this.#total = total;
    for (const [offset, message] of messages.entries()) this.#put(from + offset, message);
    for (const { kind, targetId } of messages) if (kind === "label") this.#renamed(targetId);
    this.#changed();
  }

  /** An entry that is called otherwise now is shown as it was until it is known better. */
  #renamed(id: string | undefined): void {
    for (const piece of this.#pieces.values()) if (piece.messages.some((one) => one.id === id)) piece.isOld = true;
  }

  #put(index: number, message: ShownMessage): void {
    const number = Math.floor(index / PIECE);
    const known = this.#pieces.get(number);
    const place = index % PIECE;
    // A piece with a hole at its beginning has to be asked for as a whole.
    if (!known && place !== 0) return;
    if (known && known.messages.length < place) return void (known.isOld = true);
    const messages = [...(known?.messages ?? [])];
    messages[place] = message;
    this.#pieces.set(number, { messages, isOld: known?.isOld ?? false, isAsking: known?.isAsking ?? false });
    this.#noteTools(message);
  }

  async #ask(number: number): Promise<void> {
    const piece = this.#pieces.get(number) ?? { messages: [], isOld: true, isAsking: false };
    this.#pieces.set(number, piece);
    if (piece.isAsking || this.#wire.state.value.kind !== "open") return;
    piece.isAsking = true;
    const age = this.#age;
    const params = { sessionKey: this.#sessionKey, from: number * PIECE, limit: PIECE };
    const page = await this.#wire.call("chat.page", params).catch(() => undefined);
    if (age !== this.#age) return;
    piece.isAsking = false;
    if (!page) return;
    const now = this.#pieces.get(number);
    // What was told meanwhile is newer than the answer.
    const told =
      now && now !== piece && now.messages.length > page.messages.length
        ? now.messages.slice(page.messages.length)
        : [];
    this.#pieces.set(number, { messages: [...page.messages, ...told], isOld: false, isAsking: false });
    for (const message of page.messages) this.#noteTools(message);
    this.#forgetOldest();
    this.#changed();
  }

  #noteTools(message: ShownMessage): void {
    for (const block of message.content ?? []) if (block.type === "toolCall") this.#calls.add(block.id);
    if (message.role === "toolResult" && message.toolCallId) this.#results.set(message.toolCallId, message);
  }

  #forgetOldest(): void {
    for (const [number, { messages }] of this.#pieces) {
      if (this.#pieces.size <= MOST_PIECES) return;
      this.#pieces.delete(number);
      for (const message of messages) this.#forgetTools(message);
    }
  }

  #forgetTools(message: ShownMessage): void {
    for (const block of message.content ?? []) if (block.type === "toolCall") this.#calls.delete(block.id);
    if (message.toolCallId) this.#results.delete(message.toolCallId);
  }

  #changed(): void {
    this.version.set(this.version.value + 1);
  }
}
