// Puts the tool calls of a chat completion together, whose arguments come in pieces.
import { defined } from "@chela/sdk/base";
import { randomBytes } from "node:crypto";
import type { ModelEvent } from "@chela/sdk";
import { CallsMeter } from "../answer-limits.ts";
import { readArguments } from "../call-arguments.ts";

/** Nothing is checked beforehand: every use checks what it takes. */
interface CallPiece {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  readonly extra_content?: { readonly google?: { readonly thought_signature?: unknown } | null } | null;
}

interface Call {
  readonly index: number;
  id: string;
  name: string;
  text: string;
  signature?: string;
}

const UNNAMED = "unnamed";

export class ChatCalls {
  readonly #calls: Call[] = [];
  readonly #meter = new CallsMeter();

  take(pieces: readonly unknown[]): void {
    for (const piece of pieces as (CallPiece | null)[]) if (piece) this.#takePiece(piece);
  }

  /** OpenRouter's encrypted thinking names the call it led to, and goes back with it. */
  sign(details: readonly unknown[]): void {
    for (const detail of details as ({ type?: unknown; id?: unknown } | null)[]) {
      if (detail?.type !== "reasoning.encrypted") continue;
      const call = this.#calls.find(({ id }) => id === detail.id);
      if (call) call.signature = JSON.stringify(detail);
    }
  }

  /** Adds the calls. What the length limit cut in two is left out. */
  leave(events: ModelEvent[], isCut: boolean): void {
    for (const call of this.#calls) {
      const read = readArguments(call.text);
      if (!isCut || (read.unreadable === undefined && call.name !== "")) events.push(toEvent(call, read));
    }
  }

  #takePiece(piece: CallPiece): void {
    const call = this.#callFor(piece);
    const { name, arguments: args } = piece.function ?? {};
    if (typeof name === "string" && call.name === "") call.name = name;
    if (typeof args === "string") this.#add(call, args);
    else if (typeof args === "object" && args !== null) call.text = JSON.stringify(args);
    const signature = piece.extra_content?.google?.thought_signature;
    if (typeof signature === "string") call.signature = signature;
  }

  #add(call: Call, piece: string): void {
    this.#meter.add(piece);
    call.text += piece;
  }

  /** Pieces belong together by index; servers that leave it out, or count wrong, begin each call with a new id. */
  #callFor(piece: CallPiece): Call {
    const calls = this.#calls;
    const id = typeof piece.id === "string" ? piece.id : "";
    const index = typeof piece.index === "number" ? piece.index : undefined;
    const known = index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
    if (known && (id === "" || known.id === "" || known.id === id)) {
      known.id ||= id;
      return known;
    }
    this.#meter.begin();
    const call = { index: index ?? calls.length, id, name: "", text: "" };
    calls.push(call);
    return call;
  }
}

/** Whoever forgets to name a tool is told which there are. */
function toEvent({ id, name, signature }: Call, read: ReturnType<typeof readArguments>): ModelEvent {
  return {
    kind: "tool-call",
    id: id || `call_${randomBytes(6).toString("hex")}`,
    name: name || UNNAMED,
    ...read,
    ...defined({ signature }),
  };
}
