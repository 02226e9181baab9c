// Threads of mail: the subject an answer needs, and the mails it refers to.
import { createHash } from "node:crypto";
import * as z from "zod";
import { once, type ChannelHost, type Parsed } from "@chela/sdk";
import { Recent } from "@chela/sdk/channel-kit";

const Thread = once(() =>
  z.object({ subject: z.string(), lastId: z.string().optional(), references: z.array(z.string()) }),
);
export type Thread = Parsed<typeof Thread>;

const MOST_IN_MEMORY = 500;
const MOST_REFERENCES = 20;

export class Threads {
  readonly #host: Pick<ChannelHost, "recall" | "remember">;
  readonly #recent = new Recent<Thread>(MOST_IN_MEMORY);

  constructor(host: Pick<ChannelHost, "recall" | "remember">) {
    this.#host = host;
  }

  /** For answers that follow at once; whether it is worth keeping is known only later. */
  note(address: string, threadId: string, thread: Thread): void {
    const key = keyOf(address, threadId);
    this.#recent.set(key, { ...thread, references: shorten(thread.references) });
  }

  async keep(address: string, threadId: string): Promise<void> {
    const key = keyOf(address, threadId);
    const thread = this.#recent.get(key);
    if (thread) await this.#host.remember(key, JSON.stringify(thread));
  }

  async find(address: string, threadId: string): Promise<Thread | undefined> {
    const key = keyOf(address, threadId);
    return this.#recent.get(key) ?? readThread(await this.#host.recall(key));
  }
}

/** With the address in it: nobody writes into what is known of somebody else's thread. */
function keyOf(address: string, threadId: string): string {
  const print = createHash("sha256").update(`${address}\n${threadId.toLowerCase()}`).digest("hex");
  return `thread:${print.slice(0, 32)}`;
}

function readThread(kept: string | undefined): Thread | undefined {
  if (kept === undefined) return undefined;
  try {
    return Thread().safeParse(JSON.parse(kept)).data;
  } catch {
    return undefined;
  }
}

/** The first one names the thread; of the others the last ones do. */
function shorten(references: readonly string[]): string[] {
  const [first, ...rest] = references;
  return first === undefined ? [] : [first, ...rest.slice(1 - MOST_REFERENCES)];
}
