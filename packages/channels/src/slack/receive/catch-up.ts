// Takes up what was written while the gateway was down: Slack hands an event over for some minutes only, but keeps the messages.
import * as z from "zod";
import { pause, once, type ChannelHost, type SendFailure } from "@chela/sdk";
import { Noted, recallAs } from "@chela/sdk/channel-kit";
import type { SlackApi } from "../api.ts";
import type { Inbound } from "./inbound.ts";
import type { Self } from "./message-context.ts";

interface CatchUp {
  /** Messages of this channel up to this one are settled. */
  settled(channel: string, ts: string): void;
  /** One could not be stored: the note stays where it is, so that it is fetched at the next start. */
  missed(channel: string): void;
  /** Fetches what came after the notes. Never rejects. */
  run(inbound: Inbound): Promise<void>;
  /** Fetches nothing more. */
  stop(): void;
  /** Writes the notes down that are not yet. */
  save(): Promise<void>;
}

const Notes = once(() => z.record(z.string(), z.string()));
const Fetched = once(() => z.object({ messages: z.array(z.looseObject({})) }));

const NAME = "settled";
const MOST_CHATS = 100;
const MOST_MESSAGES = 100;
const OLDEST_MS = 24 * 60 * 60_000;
const SAVE_AFTER_MS = 2_000;
/** Slack lets some apps ask once a minute only. */
const NEXT_ROUND_MS = 60_000;
const MOST_ROUNDS = 10;

/** What became of one chat's missed messages; "busy": Slack wants no more questions for now. */
type Fetching = "done" | "again" | "busy";

export async function createCatchUp(api: SlackApi, host: ChannelHost, self: Self): Promise<CatchUp> {
  const notes = new Map(Object.entries((await recallAs(host, NAME, Notes)) ?? {}));
  const stuck = new Set<string>();
  /** Chats whose missed messages are not all here yet: until then a note says no more than before. */
  const open = new Map(notes);
  const newest = new Map<string, string>();
  const stopped = new AbortController();

  /** An older note only means that more is fetched than needed, and known messages are passed over. */
  const noted = new Noted(host, {
    name: NAME,
    afterMs: SAVE_AFTER_MS,
    read: () => JSON.stringify(Object.fromEntries(notes)),
  });

  const settled = (channel: string, ts: string): void => {
    const known = newest.get(channel) ?? notes.get(channel);
    if (stuck.has(channel) || (known !== undefined && known >= ts)) return;
    if (open.has(channel)) return void newest.set(channel, ts);
    notes.delete(channel);
    notes.set(channel, ts);
    const [oldest] = notes.keys();
    if (notes.size > MOST_CHATS && oldest !== undefined) notes.delete(oldest);
    noted.changed();
  };
  const close = (channel: string): void => {
    const ts = newest.get(channel);
    open.delete(channel);
    newest.delete(channel);
    if (ts !== undefined) settled(channel, ts);
  };

  const fetchChat = async (channel: string, since: string, inbound: Inbound): Promise<Fetching> => {
    // What could not be stored up to now is among what is fetched.
    stuck.delete(channel);
    const asked = await api.ask("conversations.history", { channel, oldest: since, limit: MOST_MESSAGES }, Fetched());
    if (asked.kind === "failed") return afterFailure(asked.failure.reason);
    try {
      for (const message of asked.answer.messages.toReversed()) {
        if (stopped.signal.aborted) return "again";
        const event = { type: "message", ...message, channel };
        await inbound.take({ kind: "event", body: { team_id: self.teamId, event } });
      }
      return "done";
    } catch (error) {
      host.log.warn("slack: what came while we were away could not be stored", { channel, error: String(error) });
      return "again";
    }
  };

  /** Whether there is anything left to ask for. */
  const fetchRound = async (oldest: string, inbound: Inbound): Promise<boolean> => {
    for (const [channel, ts] of [...open].reverse()) {
      if (stopped.signal.aborted) return false;
      const outcome = await fetchChat(channel, ts > oldest ? ts : oldest, inbound);
      if (outcome === "done") close(channel);
      if (outcome === "busy") break;
    }
    return open.size > 0;
  };

  return {
    settled,
    missed: (channel) => void stuck.add(channel),
    async run(inbound) {
      const oldest = ((host.clock.now() - OLDEST_MS) / 1000).toFixed(6);
      for (let round = 1; await fetchRound(oldest, inbound); round += 1) {
        if (round === MOST_ROUNDS) {
          return host.log.warn("slack: what came while we were away is not all here; it is fetched at the next start");
        }
        await pause(host.clock, NEXT_ROUND_MS, stopped.signal);
      }
    },
    stop: () => stopped.abort(),
    save: () => noted.save(),
  };
}

/** A chat that is gone, or that we may not read, has nothing for us at any time. */
function afterFailure(reason: SendFailure): Fetching {
  if (reason === "unreachable" || reason === "rejected") return "done";
  return reason === "rate-limited" ? "busy" : "again";
}
