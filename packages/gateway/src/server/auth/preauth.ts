// Room for connections that have not yet shown a credential. When it is full the oldest goes, never the newcomer.
import type { Clock } from "@chela/sdk";
import { limitKeyOf } from "./addresses.ts";
import type { ClientAddress } from "@chela/sdk";

export interface PreauthLimits {
  readonly maxTotal: number;
  readonly maxPerIp: number;
  /** Bytes a connection may send before it is let in. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export type PreauthEnd = "timeout" | "evicted";

export interface WaitingRoom {
  /** `close` is called at most once, when the connection has to go. */
  enter(client: ClientAddress, close: (why: PreauthEnd) => void): Visitor;
  readonly size: number;
}

export interface Visitor {
  /** Counts what arrived; "too-much" means the connection must be closed with 1009. */
  receive(bytes: number): "ok" | "too-much";
  /** The connection was let in, or is gone: it no longer takes room. */
  leave(): void;
  /** Ends the connection, unless it has left: the house closes. */
  dismiss(): void;
  /** Calls back once the visitor leaves, or at once when it has left. */
  onLeave(task: () => void): void;
}

export function readPreauthLimits(env: Readonly<Record<string, string | undefined>>): PreauthLimits {
  const override = Number(env["OPENCLAW_TEST_HANDSHAKE_TIMEOUT_MS"]);
  const timeoutMs = Number.isInteger(override) && override > 0 ? Math.min(override, 60_000) : 10_000;
  return { maxTotal: 512, maxPerIp: 64, maxBytes: 64 * 1024, timeoutMs };
}

export function createWaitingRoom(clock: Clock, limits: PreauthLimits): WaitingRoom {
  const everybody = createQueue<() => void>();
  const byAddress = new Map<string, Queue<() => void>>();

  const makeRoom = (key: string | undefined): void => {
    const neighbours = key === undefined ? undefined : byAddress.get(key);
    if (neighbours && neighbours.size >= limits.maxPerIp) neighbours.oldest()?.();
    if (everybody.size >= limits.maxTotal) everybody.oldest()?.();
  };

  /** Stands in line with the others of the same address; the returned function leaves it. */
  const joinNeighbours = (key: string, evict: () => void): (() => void) => {
    const neighbours = byAddress.get(key) ?? createQueue<() => void>();
    byAddress.set(key, neighbours);
    const leave = neighbours.add(evict);
    return () => {
      leave();
      if (neighbours.size === 0) byAddress.delete(key);
    };
  };

  return {
    enter(client, close) {
      const key = client.isDirectLoopback ? undefined : limitKeyOf(client.ip);
      makeRoom(key);
      let bytes = 0;
      let isHere = true;
      const leave = (): void => {
        if (!isHere) return;
        isHere = false;
        for (const end of ends) end();
      };
      const end = (why: PreauthEnd): void => {
        leave();
        close(why);
      };
      const ends = [
        clock.after(limits.timeoutMs, () => end("timeout")),
        everybody.add(() => end("evicted")),
        ...(key === undefined ? [] : [joinNeighbours(key, () => end("evicted"))]),
      ];
      return {
        receive(count) {
          bytes += count;
          return bytes > limits.maxBytes ? "too-much" : "ok";
        },
        leave,
        dismiss() {
          if (isHere) end("evicted");
        },
        onLeave(task) {
          if (isHere) ends.push(task);
          else task();
        },
      };
    },
    get size() {
      return everybody.size;
    },
  };
}

/** Oldest first; adding, leaving from anywhere and asking for the oldest all take constant time. */
interface Queue<T> {
  add(value: T): () => void;
  oldest(): T | undefined;
  readonly size: number;
}

interface QueueLink<T> {
  readonly value: T;
  before: QueueLink<T> | undefined;
  after: QueueLink<T> | undefined;
}

function createQueue<T>(): Queue<T> {
  let first: QueueLink<T> | undefined;
  let last: QueueLink<T> | undefined;
  let size = 0;
  return {
    add(value) {
      const place: QueueLink<T> = { value, before: last, after: undefined };
      if (last) last.after = place;
      else first = place;
      last = place;
      size += 1;
      return () => {
        if (place.before) place.before.after = place.after;
        else first = place.after;
        if (place.after) place.after.before = place.before;
        else last = place.before;
        size -= 1;
      };
    },
    oldest: () => first?.value,
    get size() {
      return size;
    },
  };
}
