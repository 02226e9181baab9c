// Hands what arrived to the gateway. Signal-cli gives everything out once, so nothing is let go before it is written down.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { pause, once, type ChannelEvent, type ChannelHost } from "@chela/sdk";
import { parseJson } from "../../../base/http/read-answer.ts";
import { errnoOf, writeFileAtomic } from "../../../base/files/files.ts";
import { OneAtATime } from "../../../base/one-at-a-time.ts";
import { parseFrame, type Reader } from "./parse.ts";
import type { Recent } from "./recent.ts";

export interface Intake {
  /** Resolves when there is room for more; what is unreadable is dropped and logged. */
  take(frame: string): Promise<void>;
  /** What could not be handed over yet is put into a file, for the next start. */
  stop(): Promise<void>;
}

const FILE = "not-received.json";
const MOST_WAITING = 500;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

const Saved = once(() => z.array(z.string()));

interface Waiting {
  readonly frame: string;
  readonly event: ChannelEvent;
}

export function openIntake(host: ChannelHost, reader: Reader, recent: Recent): Intake {
  const { log } = host;
  const path = join(host.directory, FILE);
  const chats = new OneAtATime();
  const waiting = new Set<Waiting>();
  const works = new Set<Promise<void>>();
  const over = new AbortController();
  let isSaved = false;

  const parse = (frame: string): ChannelEvent | undefined => {
    const parsed = parseFrame(parseJson(frame), reader);
    if (parsed.kind === "event") return parsed.event;
    log.debug("passed over", { why: parsed.why });
    return undefined;
  };
  const begin = (frame: string): Promise<void> | undefined => {
    const event = parse(frame);
    if (!event) return undefined;
    recent.note(event);
    const one = { frame, event };
    waiting.add(one);
    const work = chats.run(event.chat.id, () => handOver(one)).finally(() => works.delete(work));
    works.add(work);
    return work;
  };
  const handOver = async (one: Waiting): Promise<void> => {
    for (let waitMs = FIRST_PAUSE_MS; !over.signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await host.receive(one.event);
        waiting.delete(one);
        forget();
        return;
      } catch (error) {
        log.warn("a message could not be written down, and is tried again", { error });
        await pause(host.clock, waitMs, over.signal);
      }
    }
  };
  /** The file is needed until everything in it was handed over. */
  const forget = (): void => {
    if (!isSaved || waiting.size > 0) return;
    isSaved = false;
    rmSync(path, { force: true });
  };

  for (const frame of readSaved(path, host)) {
    isSaved = true;
    void begin(frame);
  }
  return {
    async take(frame) {
      void begin(frame);
      while (waiting.size > MOST_WAITING && !over.signal.aborted) await Promise.race(works);
    },
    async stop() {
      over.abort();
      await Promise.all(works);
      if (waiting.size === 0) return;
      try {
        writeFileAtomic(path, JSON.stringify([...waiting].map(({ frame }) => frame)));
      } catch (error) {
        log.error("messages that were not received yet could not be saved", { count: waiting.size, error });
      }
    },
  };
}

function readSaved(path: string, { log }: ChannelHost): readonly string[] {
  try {
    return Saved().parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") log.error("messages that were saved cannot be read", { path, error });
    return [];
  }
}
