// The hub: everybody who is connected, and the events they are told of.
import { type EventName, type StateVersion, MAX_BUFFERED_BYTES, holdsScope, type Client } from "@chela/sdk/protocol";

export interface BroadcastOptions {
  /** Only for operators who hold this scope. What is said in a conversation is for those who may read it. */
  readonly scope?: string;
  /** Only for those who do not hold it, or are no operators: what is left to tell them. */
  readonly withoutScope?: string;
  /** Not for these: they know already. */
  readonly except?: ReadonlySet<Client>;
  /** May be skipped for a client that reads too slowly. */
  readonly dropIfSlow?: boolean;
  readonly stateVersion?: StateVersion;
}

export class Hub {
  readonly #clients = new Set<Client>();
  readonly #leaveTasks: Array<(client: Client) => void> = [];
  /** The number each of them heard last: whoever sees a gap knows that something was lost. */
  readonly #seqs = new WeakMap<Client, number>();

  get clients(): ReadonlySet<Client> {
    return this.#clients;
  }

  add(client: Client): void {
    this.#clients.add(client);
  }

  remove(client: Client): void {
    if (!this.#clients.delete(client)) return;
    for (const task of this.#leaveTasks) task(client);
  }

  /** Whoever waits for something of a client hears when it is gone. */
  onLeave(task: (client: Client) => void): void {
    this.#leaveTasks.push(task);
  }

  /** The number of the last event the client was told. */
  seqOf(client: Client): number {
    return this.#seqs.get(client) ?? 0;
  }

  /** To everybody who may hear it. */
  broadcast(event: EventName, payload: unknown, options: BroadcastOptions = {}): void {
    const { scope, withoutScope, except, dropIfSlow = false, stateVersion } = options;
    const hearers = [...this.#clients].filter(
      (client) =>
        (scope === undefined || mayHear(client, scope)) &&
        (withoutScope === undefined || !mayHear(client, withoutScope)) &&
        !except?.has(client),
    );
    if (hearers.length > 0) this.#send(hearers, frameOf(event, payload, stateVersion), dropIfSlow);
  }

  /** To some clients. Those who read too slowly miss it, and see that by its number. */
  tell(clients: Iterable<Client>, event: EventName, payload: unknown): void {
    const hearers = [...clients].filter((client) => this.#clients.has(client));
    if (hearers.length > 0) this.#send(hearers, frameOf(event, payload), true);
  }

  #send(hearers: readonly Client[], frame: Frame, dropIfSlow: boolean): void {
    for (const client of hearers) {
      const seq = this.seqOf(client) + 1;
      this.#seqs.set(client, seq);
      if (client.buffered <= MAX_BUFFERED_BYTES) client.send(`${frame.head}${seq}${frame.tail}`);
      else if (!dropIfSlow) client.close(1008, "slow consumer");
    }
  }
}

/** An event with a place for the number: what it says is written out once, however many hear it. */
interface Frame {
  readonly head: string;
  readonly tail: string;
}

function frameOf(event: EventName, payload: unknown, stateVersion?: StateVersion): Frame {
  const head = JSON.stringify({ type: "event", event, payload });
  return {
    head: `${head.slice(0, -1)},"seq":`,
    tail: stateVersion ? `,"stateVersion":${JSON.stringify(stateVersion)}}` : "}",
  };
}

function mayHear(client: Client, scope: string): boolean {
  return client.role === "operator" && holdsScope(client.scopes, scope);
}
