// The spaces of all embedders an agent has: which of them can answer, and what happens when a new model is complete.
import type { Clock } from "@chela/sdk";
import { isObject, parseJson } from "@chela/sdk/base";
import type { Embedder } from "../../embedder.ts";
import type { KeeperLog } from "../../keeper-log.ts";
import { EmbedderSpace } from "./embedder-space.ts";
import { IMPORTED_MAKER_KEY } from "../store/import-index.ts";
import type { Store } from "../store/opened-store.ts";

export interface EmbedderSet {
  /** Whose vectors are wanted. */
  readonly main?: Embedder;
  /** Who may have been `main` before: vectors it left serve until the new ones are complete, and are dropped then. */
  readonly former?: Embedder;
  /** Who takes over while `main` fails. */
  readonly fallback?: Embedder;
  /** Makes vectors of everything within a moment; they serve until there are better ones. */
  readonly instant?: Embedder;
}

/** A space answers when this share of the chunks, or less, has no vector in it yet: their words are found anyway. */
const MOST_MISSING = 0.05;

export class AgentSpaces {
  readonly main: EmbedderSpace | undefined;
  readonly fallback: EmbedderSpace | undefined;
  readonly instant: EmbedderSpace | undefined;
  #former: EmbedderSpace | undefined;
  readonly #store: Store;
  readonly #log: KeeperLog;

  constructor(store: Store, { main, former, fallback, instant }: EmbedderSet, clock: Clock, log: KeeperLog) {
    this.#store = store;
    this.#log = log;
    const opened = new Map<string, EmbedderSpace>();
    const open = (embedder: Embedder | undefined): EmbedderSpace | undefined => {
      if (!embedder) return undefined;
      const space = new EmbedderSpace(store, embedder, clock);
      const known = opened.get(space.name) ?? space;
      opened.set(space.name, known);
      return known;
    };
    this.main = open(main);
    this.#former = open(former);
    this.fallback = open(fallback);
    this.instant = open(instant);
    store.transaction(() => {
      this.#adoptImported();
      EmbedderSpace.dropOthers(store, this.all);
    });
    store.onUndone(() => {
      for (const space of this.all) space.reload();
    });
  }

  /** In the order they are asked. */
  get all(): readonly EmbedderSpace[] {
    const spaces = [this.main, this.#former, this.fallback, this.instant];
    return [...new Set(spaces.filter((space) => space !== undefined))];
  }

  usable(chunks: number): readonly EmbedderSpace[] {
    return this.all.filter((space) => space.gap(chunks) <= chunks * MOST_MISSING);
  }

  remove(numbers: readonly number[]): void {
    for (const space of this.all) space.remove(numbers);
  }

  /** The new model takes over: from this moment nothing of the former is left. */
  completeMain(): void {
    const former = this.#former;
    if (!former || former === this.main || former === this.fallback || former === this.instant) return;
    this.#former = undefined;
    if (former.size === 0) return;
    this.#store.transaction(() => former.drop());
    this.#log("info", "the vectors of the new model are complete and took the place of the former ones", {
      model: this.main?.embedder.model,
      former: former.embedder.model,
    });
  }

  /** Vectors that came with an index of OpenClaw are of the same model under an account it named in its own way. */
  #adoptImported(): void {
    const stored = this.#store.meta(IMPORTED_MAKER_KEY);
    if (stored === undefined) return;
    const maker = parseJson(stored);
    const { provider, model, providerKey } = isObject(maker) ? maker : {};
    const heir = this.all.find(({ embedder }) => embedder.provider === provider && embedder.model === model)?.embedder;
    if (!heir || typeof provider !== "string" || typeof model !== "string" || typeof providerKey !== "string") return;
    this.#store
      .statement(
        "UPDATE OR IGNORE embedding_cache SET provider_key = ? WHERE provider = ? AND model = ? AND provider_key = ?",
      )
      .run(heir.providerKey, provider, model, providerKey);
    this.#store.dropMeta(IMPORTED_MAKER_KEY);
  }
}
