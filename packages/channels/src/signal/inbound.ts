// Hands what arrived to the gateway. Signal-cli gives everything out once, so nothing is let go before it is written down.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { once, type ChannelEvent, type ChannelHost, OneAtATime } from "@chela/sdk";
import { UnderWay, untilAccepted } from "@chela/sdk/channel-kit";
import { parseJson } from "@chela/sdk/base";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { parseFrame, type Reader } from "./parse.ts";
import type { RecentWords } from "./recent-words.ts";

export interface Inbound {
  /** Resolves when there is room for more; what is unreadable is dropped and logged. */
  take(frame: string): Promise<void>;
  /** What could not be handed over yet is put into a file, for the next start. */
  stop(): Promise<void>;
}

const FILE = "not-received.json";
const MOST_WAITING = 500;

const Saved = once(() => z.array(z.string()));

interface Waiting {
  readonly frame: string;
  readonly event: ChannelEvent;
}

export function openInbound(host: ChannelHost, reader: Reader, recent: RecentWords): Inbound {
  const { log } = host;
  const path = join(host.directory, FILE);
  const chats = new OneAtATime();
  const waiting = new Set<Waiting>();
  const works = new UnderWay();
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
    return works.add(chats.run(event.chat.id, () => handOver(one)));
  };
  const handOver = async (one: Waiting): Promise<void> => {
    const handed = await untilAccepted(host, over.signal, () => host.receive(one.event));
    if (handed.kind === "over") return;
    waiting.delete(one);
    forget();
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
      await works.room(MOST_WAITING, over.signal);
    },
    async stop() {
      over.abort();
      await works.idle();
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
