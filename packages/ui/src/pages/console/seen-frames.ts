// The newest frames, short enough to be listed: which way, what about, and how big.
import type { SeenFrame } from "../../wire/wire.ts";
import { maskSecrets } from "./mask-secrets.ts";

export interface ListedFrame {
  readonly id: number;
  readonly at: number;
  readonly way: "in" | "out";
  readonly kind: "req" | "res" | "event" | "other";
  /** The method or event. */
  readonly name: string;
  readonly isFailure: boolean;
  readonly text: string;
}

export const MOST_FRAMES = 500;

interface FrameParts {
  readonly type?: string;
  readonly id?: string;
  readonly method?: string;
  readonly event?: string;
  readonly ok?: boolean;
}

export class FrameList {
  #count = 0;
  /** Answers do not name the method they belong to. */
  readonly #methods = new Map<string, string>();

  list({ at, way, frame }: SeenFrame): ListedFrame {
    const parts = frame as FrameParts;
    const id = ++this.#count;
    const { name, kind } = this.#about(parts);
    return {
      id,
      at,
      way,
      kind,
      name,
      isFailure: parts.ok === false,
      text: JSON.stringify(maskSecrets(frame), null, 2),
    };
  }

  #about({ type, id = "", method, event }: FrameParts): Pick<ListedFrame, "kind" | "name"> {
    if (type === "req") {
      this.#methods.set(id, method ?? "");
      return { kind: "req", name: method ?? "" };
    }
    if (type === "event") return { kind: "event", name: event ?? "" };
    if (type !== "res") return { kind: "other", name: type ?? "" };
    const name = this.#methods.get(id) ?? "";
    this.#methods.delete(id);
    return { kind: "res", name };
  }
}
