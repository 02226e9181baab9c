// Turns a query into a vector: asks the best embedder whose vectors are there, and the next one when it fails or takes too long.
import type { Clock } from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import type { ChunkTable } from "../notes/chunk-table.ts";
import type { EmbedderSpace } from "./embedder-space.ts";
import type { AgentSpaces } from "./agent-spaces.ts";
import { toUnitLength } from "./vector-bytes.ts";
import type { VectorWork } from "./vector-work.ts";

export interface EmbeddedQuery {
  /** Undefined: there are words alone. */
  readonly answer?: { readonly space: EmbedderSpace; readonly vector: Float32Array };
  /** Why it is not the embedder that is configured, in a sentence. */
  readonly notice?: string;
}

/** A model that is being loaded is waited for as long as a person would. */
const WAIT_MS = 3_000;
/** So few chunks get their vectors before the search: what was just written is found by its meaning. */
const FEW_CHUNKS = 32;
const FILL_WAIT_MS = 1_500;

export class SpaceAsker {
  readonly #shelf: AgentSpaces;
  readonly #chunks: ChunkTable;
  readonly #work: VectorWork;
  readonly #clock: Clock;

  constructor(parts: { shelf: AgentSpaces; chunks: ChunkTable; work: VectorWork; clock: Clock }) {
    this.#shelf = parts.shelf;
    this.#chunks = parts.chunks;
    this.#work = parts.work;
    this.#clock = parts.clock;
  }

  async ask(query: string): Promise<EmbeddedQuery> {
    await this.#fillFew();
    for (const space of this.#shelf.usable(this.#chunks.count)) {
      const vector = await this.#embed(space, query);
      if (vector) return { answer: { space, vector }, ...this.#noticeAbout(space) };
    }
    return this.#noticeAbout(undefined);
  }

  async #fillFew(): Promise<void> {
    const { main } = this.#shelf;
    const gap = main?.gap(this.#chunks.count) ?? 0;
    if (gap > 0) this.#work.wake();
    if (!main || gap === 0 || gap > FEW_CHUNKS || main.health.restMs > 0 || main.health.isLate) return;
    await waitAtMost(FILL_WAIT_MS, this.#work.settled(), this.#clock);
  }

  async #embed({ embedder, health }: EmbedderSpace, query: string): Promise<Float32Array | undefined> {
    if (health.restMs > 0 || health.isLate) return undefined;
    const asked = embedder.embed([query], "query").then(
      ([vector]) => {
        health.succeeded();
        return vector && toUnitLength(vector);
      },
      (error: unknown) => {
        health.failed(error);
        return undefined;
      },
    );
    const vector = await waitAtMost(WAIT_MS, asked, this.#clock);
    if (vector !== "late") return vector;
    health.isLate = true;
    void asked.finally(() => (health.isLate = false));
    return undefined;
  }

  #noticeAbout(used: EmbedderSpace | undefined): { notice?: string } {
    const { main } = this.#shelf;
    if (!main || used === main || this.#chunks.count === 0) return {};
    const instead = used ? `vectors of ${used.embedder.model} are used meanwhile` : "notes are found by their words";
    return { notice: `${this.#whyNot(main)}; ${instead}.` };
  }

  #whyNot({ embedder: { model }, health, size }: EmbedderSpace): string {
    if (health.why !== undefined) return `${model} cannot be used just now (${health.why})`;
    if (health.isLate) return `${model} is still being loaded`;
    return `Vectors of ${model} are not complete yet (${Math.min(size, this.#chunks.count)} of ${this.#chunks.count})`;
  }
}
