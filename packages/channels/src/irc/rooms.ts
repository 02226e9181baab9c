// The channels we are in: joins those of the settings, and comes back when thrown out.
import type { Clock, Logger } from "@chela/sdk";
import { stripCodes } from "./receive/codes.ts";
import type { Room } from "./config.ts";
import type { ServerFacts } from "./server/server-facts.ts";
import { writeLine, type Line } from "./server/line.ts";

export interface Rooms {
  /** Resolves when the server has said of each channel whether we are in, or takes too long for it. */
  joinAll(): Promise<void>;
  isIn(name: string): boolean;
  isWanted(name: string): boolean;
  /** Names of all channels we are in. */
  list(): string[];
  hear(line: Line): void;
  stop(): void;
}

export interface RoomsNeeds {
  readonly wanted: readonly Room[];
  readonly facts: ServerFacts;
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes when the pace allows. */
  write(line: string): Promise<boolean>;
}

const PATIENCE_MS = 15_000;
const FIRST_RETURN_MS = 10_000;
const LONGEST_RETURN_MS = 600_000;
/** Whoever stayed this long was welcome: the next return is quick again. */
const WELCOME_MS = 600_000;
/** Numerics that refuse a join, with the channel as their second parameter. */
const REFUSALS = new Set(["403", "405", "437", "471", "473", "474", "475", "476", "477", "480", "489", "520"]);

export function createRooms({ wanted, facts, clock, log, write }: RoomsNeeds): Rooms {
  const joined = new Map<string, { readonly name: string; readonly at: number }>();
  const failures = new Map<string, number>();
  const timers = new Map<string, () => void>();
  let awaited: { readonly rooms: Set<string>; resolve(): void } | undefined;

  const find = (name: string): Room | undefined => wanted.find((room) => facts.fold(room.name) === facts.fold(name));
  const settle = (name: string): void => {
    awaited?.rooms.delete(facts.fold(name));
    if (awaited?.rooms.size === 0) awaited.resolve();
  };
  const join = ({ name, key }: Room): Promise<boolean> =>
    write(writeLine("JOIN", key === undefined ? [name] : [name, key]));
  const returnLater = (name: string): void => {
    const room = find(name);
    const key = facts.fold(name);
    if (!room || timers.has(key)) return;
    const count = failures.get(key) ?? 0;
    failures.set(key, count + 1);
    const wait = Math.min(FIRST_RETURN_MS * 2 ** count, LONGEST_RETURN_MS);
    const cancel = clock.after(wait, () => {
      timers.delete(key);
      void join(room);
    });
    timers.set(key, cancel);
  };
  const leave = (name: string, why: string): void => {
    const key = facts.fold(name);
    const stay = joined.get(key);
    if (!stay) return;
    joined.delete(key);
    if (clock.steady() - stay.at > WELCOME_MS) failures.delete(key);
    log.warn(`no longer in ${name}: ${why}`);
    returnLater(name);
  };
  return {
    async joinAll() {
      if (wanted.length === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      awaited = {
        rooms: new Set(wanted.map(({ name }) => facts.fold(name)).filter((key) => !joined.has(key))),
        resolve,
      };
      const cancel = clock.after(PATIENCE_MS, resolve);
      const missing = wanted.filter(({ name }) => !joined.has(facts.fold(name)));
      if (missing.length === 0) resolve();
      for (const room of missing) if (!(await join(room))) resolve();
      await promise;
      cancel();
      awaited = undefined;
    },
    isIn: (name) => joined.has(facts.fold(name)),
    isWanted: (name) => find(name) !== undefined,
    list: () => [...joined.values()].map(({ name }) => name),
    hear({ command, source, params }) {
      const [first = "", second = ""] = params;
      const isMine = source !== undefined && facts.isMe(source.nick);
      if (command === "JOIN" && isMine) {
        joined.set(facts.fold(first), { name: first, at: clock.steady() });
        settle(first);
      }
      if (command === "PART" && isMine) leave(first, "we left");
      if (command === "KICK" && facts.isMe(second)) {
        leave(first, `thrown out by ${source?.nick ?? "the server"}: ${stripCodes(params[2] ?? "")}`);
      }
      if (REFUSALS.has(command) && find(second) && !joined.has(facts.fold(second))) {
        log.warn(`cannot join ${second}: ${stripCodes(params.at(-1) ?? "")}`, { numeric: command });
        settle(second);
        returnLater(second);
      }
    },
    stop() {
      for (const cancel of timers.values()) cancel();
      timers.clear();
      awaited?.resolve();
    },
  };
}
