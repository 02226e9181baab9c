// Notes how far each channel was read, so that what comes while we are away can be asked for.
import * as z from "zod";
import { once, type ChannelHost } from "@chela/sdk";
import { Noted, recallAs } from "@chela/sdk/channel-kit";

export interface Notes {
  settled(channel: string, at: number): void;
  /** A post could not be stored: its channel's note stays where it is. */
  missed(channel: string): void;
  /**
   * Hands over the time of the last settled post of each channel, and of all under EVERYWHERE. Until `letGo` notes are not
   * written: while older posts are fetched, newer ones may be settled before them.
   */
  hold(): ReadonlyMap<string, number>;
  letGo(): Promise<void>;
  save(): Promise<void>;
}

const Written = once(() => z.record(z.string(), z.number()));
const NAME = "settled";
export const EVERYWHERE = "";
const MOST_CHANNELS = 300;
const SAVE_AFTER_MS = 1000;

export async function createNotes(host: ChannelHost): Promise<Notes> {
  const notes = new Map(Object.entries((await recallAs(host, NAME, Written)) ?? {}));
  const stuck = new Set<string>();
  let held = 0;

  const noted = new Noted(host, {
    name: NAME,
    afterMs: SAVE_AFTER_MS,
    read: () => (held > 0 ? undefined : JSON.stringify(Object.fromEntries(notes))),
  });
  const put = (channel: string, at: number): void => {
    if (stuck.has(channel) || (notes.get(channel) ?? 0) >= at) return;
    notes.delete(channel);
    notes.set(channel, at);
    const oldest = [...notes.keys()].find((key) => key !== EVERYWHERE);
    if (notes.size > MOST_CHANNELS && oldest !== undefined) notes.delete(oldest);
    noted.changed();
  };
  return {
    settled(channel, at) {
      put(channel, at);
      if (stuck.size === 0) put(EVERYWHERE, at);
    },
    missed: (channel) => void stuck.add(channel),
    hold() {
      held += 1;
      return new Map(notes);
    },
    async letGo() {
      held -= 1;
      await noted.save();
    },
    save: () => noted.save(),
  };
}
