// Tells clients that something they know may be old: at once for the first change, then gathered for a moment.
import type { Change, Clock, CommitNote } from "@chela/sdk";
import type { Topic } from "@chela/sdk/protocol";
import type { Hub } from "./hub.ts";

const GATHER_MS = 250;

export class Changes {
  readonly #hub: Hub;
  readonly #clock: Clock;
  readonly #topics = new Set<Topic>();
  #isGathering = false;

  constructor(parts: { readonly hub: Hub; readonly clock: Clock }) {
    this.#hub = parts.hub;
    this.#clock = parts.clock;
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
        const topic = TOPIC_OF[kind];
        if (topic) topics.add(topic);
      }
    }
    this.note(...topics);
  }

  /** A new configuration is in force; `changed` are the paths that differ. */
  noteConfig(changed: readonly string[]): void {
    const parts = new Set(changed.map((path) => path.split(/[.[]/, 1)[0] ?? ""));
    this.note("config", ...[...parts].flatMap((part) => TOPIC_OF_CONFIG[part] ?? []));
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

const TOPIC_OF: Readonly<Partial<Record<Change["kind"], Topic>>> = {
  "session-put": "sessions",
  "session-delete": "sessions",
  "entries-append": "sessions",
  "transcript-cut": "sessions",
  "job-put": "jobs",
  "job-delete": "jobs",
  "errand-add": "errands",
  "errand-state": "errands",
  "turn-begin": "runs",
  "turn-end": "runs",
  "outbox-add": "deliveries",
  "outbox-state": "deliveries",
  "usage-add": "usage",
  "person-put": "people",
  "person-delete": "people",
};

/** By the first key of the configuration. */
const TOPIC_OF_CONFIG: Readonly<Record<string, Topic>> = {
  agents: "agents",
  bindings: "agents",
  auth: "models",
  models: "models",
  channels: "channels",
  commands: "commands",
  skills: "commands",
};
