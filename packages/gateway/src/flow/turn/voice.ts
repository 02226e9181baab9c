// Sends what a turn says: to those who watch it, and to the sender when it is over. Only words for people get out.
import { textOf, type AgentMessage, type SessionEntry, type Usage } from "@chela/sdk";
import type { LoopEvent, LoopOutcome } from "../../rooms/agent/room.ts";
import type { ReplyWishes } from "../reply/delivery.ts";
import { finalTexts } from "../reply/texts.ts";
import type { TurnEvent } from "./events.ts";
import { visibleText, VisibleText } from "../../base/text/visible-text.ts";

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type OwnEvent = DistributiveOmit<TurnEvent, "runId" | "sessionKey">;

export class TurnVoice {
  readonly #tell: (event: OwnEvent) => void;
  /** What earlier steps said, what is told before the answer, and what after it. */
  readonly #texts: string[] = [];
  readonly #asides: readonly string[];
  readonly #notices: string[] = [];
  readonly #directives: string[] = [];
  readonly #media: string[] = [];
  #shown = new VisibleText();

  constructor(tell: (event: OwnEvent) => void, asides: readonly string[]) {
    this.#tell = tell;
    this.#asides = asides;
  }

  /** Said to the sender besides the answer. */
  notice(sentence: string): void {
    this.#notices.push(sentence);
  }

  /** A step is over in which the model said something and went on. */
  said(message: AgentMessage): void {
    const text = this.#read(message);
    if (text) this.#texts.push(text);
  }

  /** What the model asked for besides its words. */
  get wishes(): ReplyWishes {
    return { directives: this.#directives, media: this.#media };
  }

  #read(message: AgentMessage): string {
    const { text, directives, media } = visibleText(textOf(message));
    this.#directives.push(...directives);
    this.#media.push(...media);
    return text;
  }

  finalTexts(loop: LoopOutcome, entry: SessionEntry | undefined, spent: Usage): string[] {
    const text = this.#read(loop.message);
    return finalTexts(loop, text, { texts: this.#texts, asides: this.#asides, notices: this.#notices, entry, spent });
  }

  hear(event: LoopEvent): void {
    switch (event.kind) {
      case "step":
        this.tellRest();
        return this.#tell({ kind: "step-started" });
      case "text": {
        const delta = this.#shown.add(event.delta);
        return delta ? this.#tell({ kind: "text", delta }) : undefined;
      }
      case "tool-start":
        this.tellRest();
        return this.#tell({ kind: "tool-started", call: event.call });
      case "tool-update":
        return this.#tell({ kind: "tool-updated", call: event.call, partial: event.partial, details: event.details });
      case "tool-result":
        return this.#tell({ kind: "tool-ended", call: event.call, result: event.result });
      default:
        return this.#tell(event);
    }
  }

  /** The message is complete: what was held back until its meaning was clear is told now. */
  tellRest(): void {
    const delta = this.#shown.rest();
    this.#shown = new VisibleText();
    if (delta) this.#tell({ kind: "text", delta });
  }
}
