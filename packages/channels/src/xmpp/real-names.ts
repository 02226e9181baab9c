// Remembers who is behind the ids that rooms give to people, so that it is known also of those who are not there any more.
import * as z from "zod";
import { once, type ChannelHost } from "@chela/sdk";
import { Recent, recallAs } from "@chela/sdk/channel-kit";

export interface RealNames {
  note(room: string, occupant: string, jid: string): void;
  find(room: string, occupant: string): string | undefined;
  save(): Promise<void>;
}

const Written = once(() => z.array(z.tuple([z.string(), z.string()])));
const NAME = "occupants";
const MOST = 500;

export async function createRealNames(host: ChannelHost): Promise<RealNames> {
  const known = new Recent<string>(MOST, await recallAs(host, NAME, Written));
  let isChanged = false;
  const keyOf = (room: string, occupant: string): string => `${room}/${occupant}`;
  return {
    note(room, occupant, jid) {
      const key = keyOf(room, occupant);
      if (known.get(key) === jid) return;
      known.set(key, jid);
      isChanged = true;
    },
    find: (room, occupant) => known.get(keyOf(room, occupant)),
    async save() {
      if (!isChanged) return;
      isChanged = false;
      await host
        .remember(NAME, JSON.stringify([...known.entries()]))
        .catch((error: unknown) => host.log.warn("cannot remember who is in the rooms", { error: String(error) }));
    },
  };
}
