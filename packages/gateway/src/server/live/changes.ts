// Tells clients that something they know may be old: at once for the first change, then gathered for a moment.
import type { Change, Clock, CommitNote, TopicSources } from "@chela/sdk";
import type { Topic } from "@chela/sdk/protocol";
import type { Hub } from "./hub.ts";

const GATHER_MS = 250;

/** What a room says of the topics it owns. */
interface ToldTopics {
  readonly topics?: Readonly<Partial<Record<Topic, TopicSources>>>;
}

export class Changes {
  readonly #hub: Hub;
  readonly #clock: Clock;
  readonly #topics = new Set<Topic>();
  readonly #ofCommits = new Map<Change["kind"], Topic>();
  /** By the first key of the configuration. */
  readonly #ofConfig = new Map<string, Topic>();
  #isGathering = false;

  constructor(parts: { readonly hub: Hub; readonly clock: Clock }, rooms: readonly ToldTopics[]) {
    this.#hub = parts.hub;
    this.#clock = parts.clock;
    for (const { topics = {} } of rooms) {
      for (const [topic, { commits = [], config = [] }] of Object.entries(topics) as [Topic, TopicSources][]) {
        for (const kind of commits) this.#ofCommits.set(kind, topic);
        for (const key of config) this.#ofConfig.set(key, topic);
      }
    }
  }

  note(...topics: readonly Topic[]): void {
    if (this.#hub.clients.size === 0) return;
    for (const topic of topics) this.#topics.add(topic);
    if (!this.#isGathering) this.#tell();
  }

  /** What the ledger knows. */
  noteCommit({ commits, admitted }: CommitNote): void {
    if (this.#hub.clients.size === 0) return;
    const topics = new Set<Topic>(admitted.length > 0 ? ["runs"] : []);
    for (const changes of commits) {
      for (const { kind } of changes) {
        const topic = this.#ofCommits.get(kind);
        if (topic) topics.add(topic);
      }
    }
    this.note(...topics);
  }

  /** A new configuration is in force; `changed` are the paths that differ. */
  noteConfig(changed: readonly string[]): void {
    const parts = new Set(changed.map((path) => path.split(/[.[]/, 1)[0] ?? ""));
    this.note("config", ...[...parts].flatMap((part) => this.#ofConfig.get(part) ?? []));
  }

  #tell(): void {
    this.#isGathering = this.#topics.size > 0 && this.#hub.clients.size > 0;
    const topics = [...this.#topics];
    this.#topics.clear();
    if (!this.#isGathering) return;
    this.#hub.broadcast("changed", { topics }, { scope: "operator.read", dropIfSlow: true });
    this.#clock.after(GATHER_MS, () => this.#tell());
  }
}
