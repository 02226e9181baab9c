// The private folder of one start of bubblewrap: its arguments, its filter, and the channel to the inside.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PipeStock } from "./pipe-stock.ts";
import { makePrivateFolder } from "./private-folders.ts";

export interface Housing {
  /** All that the inside sees of it, read-only. */
  readonly channel: string;
  readonly argumentsFile: string;
  readonly filterFile: string;
  remove(): void;
}

/** Nobody but the gateway's user gets in. */
function makeHousing(parent: string, filter: Buffer): Housing {
  const root = makePrivateFolder(parent, "sandbox");
  const at = (name: string): string => join(root, name);
  mkdirSync(at("channel"), { mode: 0o755 });
  writeFileSync(at("filter"), filter, { mode: 0o600 });
  return {
    channel: at("channel"),
    argumentsFile: at("arguments"),
    filterFile: at("filter"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A housing with its first pipes. */
export interface PipedHousing {
  readonly housing: Housing;
  readonly pipes: PipeStock;
}

/** Keeps one ready, so that the first command of a conversation does not wait for it. */
export class HousingStock {
  readonly #parent: string;
  readonly #filter: Buffer;
  readonly #mkfifo: string;
  #spare: Promise<PipedHousing> | undefined;
  #isClosed = false;

  constructor(parent: string, filter: Buffer, mkfifo: string) {
    this.#parent = parent;
    this.#filter = filter;
    this.#mkfifo = mkfifo;
  }

  /** One without pipes, for who needs none. */
  plain(): Housing {
    return makeHousing(this.#parent, this.#filter);
  }

  async take(): Promise<PipedHousing> {
    const taken = this.#spare ?? this.#make();
    this.#spare = undefined;
    return taken;
  }

  /** For the next one; called when there is time. */
  prepare(): void {
    if (this.#isClosed) return;
    this.#spare ??= this.#make();
    this.#spare.catch(() => (this.#spare = undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    (await this.#spare?.catch(() => undefined))?.housing.remove();
    this.#spare = undefined;
  }

  async #make(): Promise<PipedHousing> {
    const housing = this.plain();
    const pipes = new PipeStock(housing.channel, this.#mkfifo);
    try {
      await pipes.fill();
      return { housing, pipes };
    } catch (error) {
      housing.remove();
      throw error;
    }
  }
}
