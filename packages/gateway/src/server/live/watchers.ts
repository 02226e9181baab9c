// Watchers of each session: they are told of everything that happens in it.
import { MAX_WATCHED, type Client } from "@chela/sdk/protocol";

const NOBODY: ReadonlySet<Client> = new Set();

export class Watchers {
  readonly #bySession = new Map<string, Set<Client>>();

  of(sessionKey: string): ReadonlySet<Client> {
    return this.#bySession.get(sessionKey) ?? NOBODY;
  }

  get isEmpty(): boolean {
    return this.#bySession.size === 0;
  }

  /** False when the client watches too many sessions already. */
  add(client: Client, sessionKey: string): boolean {
    const watched = [...this.#bySession.values()].filter((clients) => clients.has(client)).length;
    const clients = this.#bySession.get(sessionKey) ?? new Set();
    if (watched >= MAX_WATCHED && !clients.has(client)) return false;
    this.#bySession.set(sessionKey, clients.add(client));
    return true;
  }

  remove(client: Client, sessionKey: string): void {
    const clients = this.#bySession.get(sessionKey);
    clients?.delete(client);
    if (clients?.size === 0) this.#bySession.delete(sessionKey);
  }

  /** The client's connection is closed. */
  leave(client: Client): void {
    for (const sessionKey of this.#bySession.keys()) this.remove(client, sessionKey);
  }
}
