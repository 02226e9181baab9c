// One connection as lines: what comes is learned from and told to whoever listens, what goes keeps the server's pace.
import type { Clock } from "@chela/sdk";
import { createBatches, type HistoryBatch } from "../receive/batches.ts";
import { stripCodes } from "../receive/codes.ts";
import { createLineListeners, waitFor, type LineListeners } from "./line-listeners.ts";
import { createServerFacts, type ServerFacts } from "./server-facts.ts";
import { openLink, type Link, type LinkOptions } from "./link.ts";
import { parseLine, writeLine } from "./line.ts";
import { createPace, type Pace } from "./pace.ts";

export interface Wire {
  readonly facts: ServerFacts;
  readonly listeners: LineListeners;
  readonly pace: Pace;
  /** Resolves with the reason when the connection is over. */
  readonly ended: Promise<string>;
  /** The same for those who come and go: aborted when the connection is over. */
  readonly over: AbortSignal;
  open(server: Pick<LinkOptions, "host" | "port" | "tls">): Promise<void>;
  /** At once, past everything that waits. */
  write(line: string): void;
  /** When its turn has come; false when the connection is over. */
  writePaced(line: string): Promise<boolean>;
  /** The server answers in the order of our lines: true when it has worked off all before this. */
  roundTrip(timeoutMs: number): Promise<boolean>;
  quit(): void;
  /** Without a word. */
  end(why: string): void;
}

export interface WireNeeds {
  readonly nick: string;
  readonly clock: Clock;
  /** Something came. */
  onLife(): void;
  onHistory(batch: HistoryBatch): void;
}

const CONNECT_MS = 20_000;
const GOODBYE_MS = 2000;

export function createWire({ nick, clock, onLife, onHistory }: WireNeeds): Wire {
  const facts = createServerFacts(nick);
  const listeners = createLineListeners();
  const pace = createPace(clock);
  const ended = Promise.withResolvers<string>();
  const batches = createBatches(listeners.tell, onHistory);
  const over = new AbortController();
  let link: Link | undefined;
  let trips = 0;
  let farewell: string | undefined;

  const finish = (why: string): void => {
    over.abort();
    pace.stop();
    ended.resolve(farewell ?? why);
  };
  const end = (why: string): void => {
    link?.destroy();
    finish(why);
  };
  const write = (line: string): void => link?.write(line);
  const onLine = (text: string): void => {
    onLife();
    const line = over.signal.aborted ? undefined : parseLine(text);
    if (!line) return;
    if (line.command === "PING") return write(writeLine("PONG", [line.params.at(-1) ?? ""]));
    if (line.command === "ERROR") farewell = stripCodes(line.params.at(-1) ?? "").slice(0, 200);
    facts.learn(line);
    batches.take(line);
  };
  return {
    facts,
    listeners,
    pace,
    ended: ended.promise,
    over: over.signal,
    async open(server) {
      link = await openLink({ ...server, timeoutMs: CONNECT_MS, onLine, onEnd: finish });
    },
    write,
    async writePaced(line) {
      if (!(await pace.turn()) || over.signal.aborted) return false;
      write(line);
      return true;
    },
    async roundTrip(timeoutMs) {
      const token = `chela-${++trips}`;
      const answer = waitFor({ listeners, clock }, timeoutMs, ({ command, params }) =>
        command === "PONG" && params.at(-1) === token ? true : undefined,
      );
      const lost = Promise.withResolvers<undefined>();
      const onOver = (): void => lost.resolve(undefined);
      over.signal.addEventListener("abort", onOver);
      if (over.signal.aborted) onOver();
      write(writeLine("PING", [token]));
      const isAnswered = await Promise.race([answer, lost.promise]);
      over.signal.removeEventListener("abort", onOver);
      if (isAnswered) pace.confirmed();
      return isAnswered ?? false;
    },
    quit() {
      if (over.signal.aborted) return;
      write(writeLine("QUIT", ["goodbye"]));
      link?.end();
      const cancel = clock.after(GOODBYE_MS, () => end("we said goodbye"));
      void ended.promise.then(cancel);
    },
    end,
  };
}
