// Keeps a small value over a restart, such as how far messages were read: written a while after it changed, and at the end.
import type * as z from "zod";
import type { ChannelHost } from "../channel.ts";
import type { Lazy } from "../schema.ts";

export interface NotedOptions {
  /** As for `host.recall`. */
  readonly name: string;
  /** How long a change may wait. Losing it must mean no more than that something comes twice. */
  readonly afterMs: number;
  /** What is to be written now; undefined while nothing may be. */
  read(): string | undefined;
  /** What is written already, when that is known. */
  readonly was?: string;
}

export class Noted {
  readonly #host: Pick<ChannelHost, "clock" | "log" | "remember">;
  readonly #options: NotedOptions;
  #was: string | undefined;
  #isChanged = false;
  #isClosed = false;
  #cancel: (() => void) | undefined;

  constructor(host: Pick<ChannelHost, "clock" | "log" | "remember">, options: NotedOptions) {
    this.#host = host;
    this.#options = options;
    this.#was = options.was;
  }

  /** It is another value now. */
  changed(): void {
    if (this.#isClosed) return;
    this.#isChanged = true;
    this.#cancel ??= this.#host.clock.after(this.#options.afterMs, () => void this.save());
  }

  /** Writes at once what is not written yet. Never rejects. */
  async save(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const text = this.#isChanged ? this.#options.read() : undefined;
    if (text === undefined) return;
    this.#isChanged = false;
    if (text === this.#was) return;
    try {
      await this.#host.remember(this.#options.name, text);
      this.#was = text;
    } catch (error) {
      this.#isChanged = true;
      this.#host.log.warn("what is kept over a restart could not be written", {
        name: this.#options.name,
        error: String(error),
      });
    }
  }

  /** Writes for the last time: after that, another connection may have taken over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.save();
  }
}

/** What was remembered, if it is there and as it should be. */
export async function recallAs<S extends z.ZodType>(
  host: Pick<ChannelHost, "recall">,
  name: string,
  schema: Lazy<S>,
): Promise<z.output<S> | undefined> {
  const text = await host.recall(name);
  try {
    return schema().safeParse(JSON.parse(text ?? "")).data;
  } catch {
    return undefined;
  }
}
