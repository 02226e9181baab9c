// One search through everything that was said: asked anew with other words, gone on with, and repeated as the index grows.
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { WireFailure } from "../../wire/failure.ts";
import type { Wire } from "../../wire/wire.ts";

type SearchAnswer = MethodAnswer<"sessions.search">;
export type Hit = SearchAnswer["hits"][number];
export type SearchWish = Pick<MethodParams<"sessions.search">, "query" | "role" | "includeDeleted">;

const PAGE = 50;

export class SaidSearch implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #wire: () => Wire;
  #wanted: SearchWish | undefined;
  /** Answers to what was asked before are thrown away. */
  #age = 0;
  #stops: Array<() => void> = [];
  /** Undefined while nothing has been looked for. */
  hits: readonly Hit[] | undefined;
  hasMore = false;
  isAsking = false;
  indexing: SearchAnswer["indexing"];
  failure: Error | undefined;

  constructor(host: ReactiveControllerHost, wire: () => Wire) {
    this.#host = host;
    this.#wire = wire;
    host.addController(this);
  }

  hostConnected(): void {
    const wire = this.#wire();
    this.#stops = [
      wire.on("search.progress", (progress) => this.#progressed(progress)),
      wire.onResync(() => void this.again()),
    ];
  }

  hostDisconnected(): void {
    for (const stop of this.#stops) stop();
    this.#age += 1;
  }

  /** Undefined means: for nothing. */
  look(wanted: SearchWish | undefined): void {
    if (JSON.stringify(wanted) === JSON.stringify(this.#wanted)) return;
    this.#wanted = wanted;
    if (wanted) return void this.again();
    this.#age += 1;
    this.hits = undefined;
    this.hasMore = false;
    this.isAsking = false;
    this.failure = undefined;
  }

  /** As many as are here, so that nothing that is being read goes away. */
  again(): Promise<void> {
    return this.#ask(async (wanted, wire) => {
      const limit = Math.min(100, Math.max(PAGE, this.hits?.length ?? 0));
      const answer = await wire.call("sessions.search", { ...wanted, limit });
      return { ...answer, hits: answer.hits };
    });
  }

  more(): Promise<void> {
    const known = this.hits ?? [];
    const last = known.at(-1);
    if (!last || this.isAsking) return Promise.resolve();
    return this.#ask(async (wanted, wire) => {
      // Two may have been said in the same moment.
      const before = last.timestamp + 1;
      const answer = await wire.call("sessions.search", { ...wanted, before, limit: PAGE });
      const added = withoutKnown(answer.hits, known);
      return { ...answer, hits: [...known, ...added], hasMore: answer.hasMore && added.length > 0 };
    });
  }

  async #ask(ask: (wanted: SearchWish, wire: Wire) => Promise<SearchAnswer>): Promise<void> {
    const wanted = this.#wanted;
    if (!wanted) return;
    const age = ++this.#age;
    this.isAsking = true;
    this.#host.requestUpdate();
    try {
      const answer = await ask(wanted, this.#wire());
      if (age !== this.#age) return;
      this.hits = answer.hits;
      this.hasMore = answer.hasMore;
      this.indexing = answer.indexing;
      this.failure = undefined;
    } catch (error) {
      // A lost connection is told elsewhere, and the search is repeated when it is back.
      if (age !== this.#age || (error instanceof WireFailure && error.code === "OFFLINE")) return;
      this.failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      if (age === this.#age) this.isAsking = false;
      this.#host.requestUpdate();
    }
  }

  #progressed(progress: NonNullable<SearchAnswer["indexing"]>): void {
    const isDone = progress.done >= progress.of;
    const wasIndexing = this.indexing !== undefined;
    this.indexing = isDone ? undefined : progress;
    this.#host.requestUpdate();
    if (isDone && wasIndexing) void this.again();
  }
}

function withoutKnown(hits: readonly Hit[], known: readonly Hit[]): Hit[] {
  const ids = new Set(known.map(({ sessionId, entryId }) => `${sessionId} ${entryId}`));
  return hits.filter(({ sessionId, entryId }) => !ids.has(`${sessionId} ${entryId}`));
}
