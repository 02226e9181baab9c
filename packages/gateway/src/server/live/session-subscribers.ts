// Subscribers to sessions: to all of them, or to what is said in one. Until there are some, nothing is prepared.
import type { Client } from "@chela/sdk/protocol";
import { Watchers } from "./watchers.ts";

/** What was done to a session by a call. */
export type ChangeReason = "create" | "send" | "steer" | "abort" | "patch" | "compact" | "new" | "reset" | "delete";

type Teller = (sessionKey: string, reason: ChangeReason, more: object) => void;

export class SessionSubscribers {
  readonly #all = new Set<Client>();
  /** By the session whose messages they follow. */
  readonly ofOne = new Watchers();
  #tell: Teller | undefined;

  get ofAll(): ReadonlySet<Client> {
    return this.#all;
  }

  /** Those who are told what is said in a session. */
  hearing(sessionKey: string): ReadonlySet<Client> {
    const some = this.ofOne.of(sessionKey);
    return some.size === 0 ? this.#all : new Set([...this.#all, ...some]);
  }

  add(client: Client): void {
    this.#all.add(client);
  }

  remove(client: Client): void {
    this.#all.delete(client);
  }

  /** The client's connection is closed. */
  leave(client: Client): void {
    this.#all.delete(client);
    this.ofOne.leave(client);
  }

  /** Something was done to a session; those who follow sessions are told. */
  note(sessionKey: string, reason: ChangeReason, more: object = {}): void {
    if (this.#all.size > 0) this.#tell?.(sessionKey, reason, more);
  }

  tellBy(tell: Teller): void {
    this.#tell = tell;
  }
}
