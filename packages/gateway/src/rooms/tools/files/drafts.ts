// The files a patch touches, as they will be once it is applied. Nothing here writes.
import { GatewayError } from "@chela/sdk";
import type { FileChange } from "./change-files.ts";
import { diffTexts } from "./line-diff.ts";
import { locate, type LocatedPath } from "./locate.ts";
import { describeMissing } from "./look-around.ts";
import { readWhole, type Snapshot } from "./open-file.ts";
import { decodeText } from "./text-content.ts";
import type { Confinement } from "./written-path.ts";

export interface Draft {
  readonly place: LocatedPath;
  readonly before: Snapshot | undefined;
  /** Undefined: there is no such file, or not any more. */
  bytes: Buffer | undefined;
  /** The rights of the file that was moved here. */
  mode?: number | undefined;
}

/** One file under two names is one draft. */
export class Drafts implements Disposable {
  readonly #rules: Confinement;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal;
  readonly #drafts = new Map<string, Draft>();

  constructor(rules: Confinement, maxBytes: number, signal: AbortSignal) {
    this.#rules = rules;
    this.#maxBytes = maxBytes;
    this.#signal = signal;
  }

  async open(path: string): Promise<Draft> {
    const place = locate(path, this.#rules);
    const known = this.#drafts.get(place.real);
    if (known) {
      place[Symbol.dispose]();
      return known;
    }
    try {
      const before = place.kind === "missing" ? undefined : await readWhole(place, this.#maxBytes, this.#signal);
      const draft: Draft = { place, before, bytes: before?.bytes };
      this.#drafts.set(place.real, draft);
      return draft;
    } catch (error) {
      place[Symbol.dispose]();
      throw error;
    }
  }

  changes(): FileChange[] {
    return [...this.#drafts.values()].flatMap(({ place, before, bytes, mode }): FileChange[] => {
      if (bytes !== undefined) return [{ kind: "write", place, before, after: bytes, mode }];
      return before ? [{ kind: "delete", place, before }] : [];
    });
  }

  diff(): string {
    return [...this.#drafts.values()]
      .map(({ place, before, bytes }) => {
        const [old, young] = [decodeText(before?.bytes ?? Buffer.of()), decodeText(bytes ?? Buffer.of())];
        return old && young ? diffTexts(place.written, old.text, young.text).diff : "";
      })
      .join("");
  }

  [Symbol.dispose](): void {
    for (const { place } of this.#drafts.values()) place[Symbol.dispose]();
  }
}

export function expectNoFile(file: Draft, path: string, advice: string): void {
  if (file.bytes !== undefined) throw doesNotFit(`"${path}" exists already. ${advice}.`);
}

export function expectFile(file: Draft, path: string): Buffer {
  if (file.bytes !== undefined) return file.bytes;
  throw doesNotFit(file.before ? `"${path}" is deleted earlier in it.` : describeMissing(file.place));
}

function doesNotFit(why: string): GatewayError {
  return new GatewayError("TOOL_EDIT", `The patch does not fit, so nothing was changed. ${why}`);
}
