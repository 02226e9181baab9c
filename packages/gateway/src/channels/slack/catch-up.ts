// Takes up what was written while the gateway was down: Slack hands an event over for some minutes only, but keeps the messages.
import * as z from "zod";
import { once, type ChannelHost } from "@chela/sdk";
import type { SlackApi } from "./api.ts";
import type { Inbox } from "./inbox.ts";
import type { Self } from "./surroundings.ts";

interface CatchUp {
  /** Messages of this channel up to this one are settled. */
  settled(channel: string, ts: string): void;
  /** One could not be stored: the note stays where it is, so that it is fetched at the next start. */
  missed(channel: string): void;
  /** Fetches what came after the notes. Never rejects. */
  run(inbox: Inbox): Promise<void>;
  /** Fetches nothing more. */
  stop(): void;
  /** Writes the notes down that are not yet. */
  save(): Promise<void>;
}

const Notes = once(() => z.record(z.string(), z.string()));
const Fetched = once(() => z.object({ messages: z.array(z.looseObject({ ts: z.string() })) }));

const NAME = "settled";
const MOST_CHATS = 100;
const MOST_MESSAGES = 100;
const OLDEST_MS = 24 * 60 * 60_000;
const SAVE_AFTER_MS = 2_000;

export async function createCatchUp(api: SlackApi, host: ChannelHost, self: Self): Promise<CatchUp> {
  const notes = new Map(Object.entries(readNotes(await host.recall(NAME))));
  const before = new Map(notes);
  const stuck = new Set<string>();
  let cancelSave: (() => void) | undefined;
  let isStopped = false;

  /** An older note only means that more is fetched than needed, and known messages are passed over. */
  const write = async (): Promise<void> => {
    cancelSave?.();
    cancelSave = undefined;
    try {
      await host.remember(NAME, JSON.stringify(Object.fromEntries(notes)));
    } catch (error) {
      host.log.warn("slack: how far messages were read could not be written down", { error: String(error) });
    }
  };
  const writeSoon = (): void => {
    cancelSave ??= host.clock.after(SAVE_AFTER_MS, () => void write());
  };

  const fetchChat = async (channel: string, since: string, inbox: Inbox): Promise<boolean> => {
    const asked = await api.ask("conversations.history", { channel, oldest: since, limit: MOST_MESSAGES }, Fetched());
    if (asked.kind === "failed") return asked.failure.reason === "unreachable";
    for (const message of asked.answer.messages.toReversed()) {
      if (isStopped) return false;
      await inbox.take({
        kind: "event",
        body: { team_id: self.teamId, event: { type: "message", ...message, channel } },
      });
    }
    return true;
  };

  return {
    settled(channel, ts) {
      const known = notes.get(channel);
      if (stuck.has(channel) || (known !== undefined && known >= ts)) return;
      notes.delete(channel);
      notes.set(channel, ts);
      const [oldest] = notes.keys();
      if (notes.size > MOST_CHATS && oldest !== undefined) notes.delete(oldest);
      writeSoon();
    },
    missed: (channel) => void stuck.add(channel),
    async run(inbox) {
      const oldest = ((host.clock.now() - OLDEST_MS) / 1000).toFixed(6);
      try {
        for (const [channel, ts] of [...before].reverse()) {
          if (isStopped || !(await fetchChat(channel, ts > oldest ? ts : oldest, inbox))) return;
        }
      } catch (error) {
        host.log.warn("slack: what came while we were away could not be stored", { error: String(error) });
      }
    },
    stop: () => void (isStopped = true),
    save: async () => (cancelSave ? write() : undefined),
  };
}

function readNotes(written: string | undefined): Record<string, string> {
  try {
    const read = Notes().safeParse(JSON.parse(written ?? "{}"));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}
