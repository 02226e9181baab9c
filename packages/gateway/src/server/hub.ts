// The hub: everybody who is connected, and the events they are told of.
import type { EventName, StateVersion } from "@chela/sdk/protocol";
import { MAX_BUFFERED_BYTES } from "@chela/sdk/protocol";
import { holdsScope } from "./scopes.ts";

/** A connection that passed the handshake. */
export interface Client {
  readonly connId: string;
  readonly role: "operator" | "node";
  readonly scopes: readonly string[];
  readonly caps: ReadonlySet<string>;
  readonly deviceId?: string;
  /** The device's token at the time of the handshake. */
  readonly deviceToken?: string;
  /** How it proved itself: connections made with a secret end when the secret changes. */
  readonly method: string;
  readonly info: { readonly id: string; readonly mode: string; readonly displayName?: string };
  /** Its entry in presence, which several connections of one device share. */
  readonly presenceKey?: string;
  /** Bytes that wait to be taken by the other side. */
  readonly buffered: number;
  send(text: string): void;
  close(code: number, reason: string): void;
}

export interface BroadcastOptions {
  /** Only for operators who hold this scope. What is said in a conversation is for those who may read it. */
  readonly scope?: string;
  /** May be skipped for a client that reads too slowly. */
  readonly dropIfSlow?: boolean;
  readonly stateVersion?: StateVersion;
}

export class Hub {
  readonly #clients = new Set<Client>();
  #seq = 0;

  get clients(): ReadonlySet<Client> {
    return this.#clients;
  }

  add(client: Client): void {
    this.#clients.add(client);
  }

  remove(client: Client): void {
    this.#clients.delete(client);
  }

  /** One number per broadcast, the same for all who receive it. */
  broadcast(event: EventName, payload: unknown, options: BroadcastOptions = {}): void {
    if (this.#clients.size === 0) return;
    const { stateVersion } = options;
    const frame = { type: "event", event, payload, seq: ++this.#seq, ...(stateVersion ? { stateVersion } : {}) };
    const text = JSON.stringify(frame);
    for (const client of this.#clients) {
      if (options.scope && !mayHear(client, options.scope)) continue;
      this.#deliver(client, text, options.dropIfSlow ?? false);
    }
  }

  /** To one client, without a number. */
  tell(client: Client, event: EventName, payload: unknown): void {
    this.#deliver(client, JSON.stringify({ type: "event", event, payload }), true);
  }

  #deliver(client: Client, text: string, dropIfSlow: boolean): void {
    if (client.buffered <= MAX_BUFFERED_BYTES) return client.send(text);
    if (!dropIfSlow) client.close(1008, "slow consumer");
  }
}

function mayHear(client: Client, scope: string): boolean {
  return client.role === "operator" && holdsScope(client.scopes, scope);
}
