// Checks the text with the gateway while it is typed: a moment after the last letter, the newest answer counts.
import type { MethodResult } from "@chela/sdk/protocol";
import { Live } from "../../state/live.ts";
import type { Wire } from "../../wire/wire.ts";

export type Checked = MethodResult<"config.check">;

const WAIT_MS = 400;

export class TextCheck {
  readonly result = new Live<Checked | undefined>(undefined);
  readonly isBusy = new Live(false);
  readonly #wire: Wire;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  soon(raw: string): void {
    clearTimeout(this.#timer);
    this.isBusy.set(true);
    this.#timer = setTimeout(() => void this.#check(raw), WAIT_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#count += 1;
    this.isBusy.set(false);
    this.result.set(undefined);
  }

  async #check(raw: string): Promise<void> {
    const count = ++this.#count;
    try {
      const result = raw === "" ? undefined : await this.#wire.call("config.check", { raw });
      if (count === this.#count) this.result.set(result);
    } catch {
      // Nobody was there to ask; saving will tell.
      if (count === this.#count) this.result.set(undefined);
    } finally {
      if (count === this.#count) this.isBusy.set(false);
    }
  }
}
