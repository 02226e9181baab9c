// The memory keeper's program: answers what the gateway asks over its channel, one agent's memory at a time.
import { GatewayError, toGatewayError } from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import { AgentMemory } from "./agent-memory.ts";
import { Embedders } from "./choose-embedders.ts";
import type { AgentOnly, FromKeeper, IndexSettings, KeeperCall, KeeperCalls, ToKeeper } from "./messages.ts";

type Answers = { readonly [C in KeeperCall]: (asks: KeeperCalls[C]["asks"]) => Promise<KeeperCalls[C]["gives"]> };

class Keeper {
  readonly #memories = new Map<string, Promise<AgentMemory>>();
  readonly #settings = new Map<string, IndexSettings>();
  readonly #embedders = new Embedders({
    clock: systemClock,
    log: (level, message, fields) => tell({ kind: "log", level, message, fields }),
    ask: (agentId, texts, purpose) => this.#ask(agentId, texts, purpose),
  });
  readonly #asked = new Map<
    number,
    { readonly resolve: (vectors: Float32Array[]) => void; readonly reject: (error: unknown) => void }
  >();
  #lastId = 0;

  readonly answers: Answers = {
    configure: async (settings) => {
      const { agentId } = settings;
      const isChange = this.#memories.has(agentId);
      this.#settings.set(agentId, settings);
      const memory = await this.#open(settings);
      // Other settings can mean other notes, other pieces or other vectors: nobody has to ask for them.
      if (isChange) memory.sync(false).catch((error: unknown) => this.#warn(agentId, error));
      return memory.status();
    },
    status: async ({ agentId }) => (await this.#memory(agentId)).status(),
    tryEmbedding: async ({ agentId }) => (await this.#memory(agentId)).tryEmbedding(),
    search: async ({ agentId, ...wish }) => (await this.#memory(agentId)).search(wish),
    sync: async ({ agentId, isForced }) => (await this.#memory(agentId)).sync(isForced),
    rebuild: async ({ agentId, what }) => (await this.#memory(agentId)).rebuild(what),
    check: async ({ agentId, repairs }) => (await this.#memory(agentId)).check(repairs),
    notes: async ({ agentId }) => (await this.#memory(agentId)).notes(),
    feedMark: async ({ agentId }) => (await this.#memory(agentId)).feedMark(),
    feed: async ({ agentId, ...fed }) => (await this.#memory(agentId)).feed(fed),
    reading: async ({ agentId, now }) => (await this.#memory(agentId)).reading(now),
    readable: async ({ agentId, entries }) => (await this.#memory(agentId)).readable(entries),
    keepRead: async ({ agentId, ...read }) => (await this.#memory(agentId)).keepRead(read),
    facts: async ({ agentId, ...wish }) => (await this.#memory(agentId)).facts(wish),
    subjects: async ({ agentId, ...wish }) => (await this.#memory(agentId)).subjects(wish),
    block: async ({ agentId, mostChars }) => (await this.#memory(agentId)).block(mostChars),
    forget: async ({ agentId, ...wish }) => (await this.#memory(agentId)).forget(wish),
    leaveOut: async ({ agentId, sessionIds }) => (await this.#memory(agentId)).leaveOut(sessionIds),
    restoreForgotten: async ({ agentId, tombs }) => (await this.#memory(agentId)).restoreForgotten(tombs),
    release: async ({ agentId }) => {
      const opening = this.#memories.get(agentId);
      this.#memories.delete(agentId);
      this.#settings.delete(agentId);
      await (await opening?.catch(() => undefined))?.close();
    },
    close: async () => {
      const memories = await Promise.allSettled(this.#memories.values());
      await Promise.all(memories.flatMap((one) => (one.status === "fulfilled" ? [one.value.close()] : [])));
      await this.#embedders.unload();
      process.exit(0);
    },
  };

  hear(message: ToKeeper): void {
    switch (message.kind) {
      case "call":
        void this.#answer(message.id, message.name, message.asks);
        break;
      case "embedded":
        this.#asked.get(message.id)?.resolve([...message.vectors]);
        this.#asked.delete(message.id);
        break;
      case "not-embedded": {
        const { why, retryAfterMs } = message;
        const cause = retryAfterMs === undefined ? undefined : { retryAfterMs };
        this.#asked.get(message.id)?.reject(new GatewayError("MEMORY_EMBEDDING", why, { cause }));
        this.#asked.delete(message.id);
      }
    }
  }

  async #answer(id: number, name: KeeperCall, asks: unknown): Promise<void> {
    try {
      const gives = await (this.answers[name] as (asks: unknown) => Promise<unknown>)(asks);
      tell({ kind: "gave", id, gives });
    } catch (thrown) {
      const { code, detail } = toGatewayError(thrown, "MEMORY_UNAVAILABLE");
      tell({ kind: "failed", id, code, detail });
    }
  }

  /** Other settings, or a damaged file, open it anew; everything in it is on the disk or can be derived again. */
  #open(settings: IndexSettings): Promise<AgentMemory> {
    const { agentId } = settings;
    const known = this.#memories.get(agentId);
    const opening = (async () => {
      await (await known?.catch(() => undefined))?.close();
      return AgentMemory.open({
        settings,
        embedders: this.#embedders.choose(settings),
        clock: systemClock,
        log: (level, message, fields) => tell({ kind: "log", level, message, fields: { agentId, ...fields } }),
        progressed: (progress) => tell({ kind: "progress", agentId, progress }),
      });
    })();
    this.#memories.set(agentId, opening);
    return opening;
  }

  #warn(agentId: string, error: unknown): void {
    const fields = { agentId, error: String(error) };
    tell({ kind: "log", level: "warn", message: "notes could not be read after a change of settings", fields });
  }

  async #memory(agentId: AgentOnly["agentId"]): Promise<AgentMemory> {
    for (;;) {
      const settings = this.#settings.get(agentId);
      const opening = this.#memories.get(agentId);
      const memory = await opening;
      if (!memory || !settings) throw new GatewayError("MEMORY_UNAVAILABLE", `the memory of ${agentId} was not opened`);
      // Somebody may have opened it anew meanwhile.
      if (this.#memories.get(agentId) !== opening) continue;
      return memory.isDamaged ? this.#open(settings) : memory;
    }
  }

  #ask(agentId: string, texts: readonly string[], purpose: "query" | "document"): Promise<Float32Array[]> {
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    this.#asked.set(id, { resolve, reject });
    tell({ kind: "embed", id, agentId, texts, purpose });
    return promise;
  }
}

function tell(message: FromKeeper): void {
  process.send?.(message);
}

const keeper = new Keeper();
process.on("message", (message) => keeper.hear(message as ToKeeper));
// Without the gateway there is nobody to answer.
process.on("disconnect", () => process.exit(0));
tell({ kind: "ready" });
