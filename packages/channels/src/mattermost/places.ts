// Finds the channel behind an address; a direct chat with somebody is opened once.
import type { Target } from "@chela/sdk";
import { addresseeOf } from "./address.ts";
import type { Asked, MattermostApi } from "./api.ts";
import { MattermostChannel } from "./wire.ts";

export interface Places {
  find(target: Target): Promise<Asked<string>>;
}

const MOST_OPEN = 2000;

export function createPlaces(api: MattermostApi, selfId: string): Places {
  const open = new Map<string, string>();
  return {
    async find(target) {
      const addressee = addresseeOf(target);
      if (!addressee) {
        const why = `${target.to} is no address in Mattermost`;
        return { kind: "failed", failure: { reason: "unreachable", status: undefined, why } };
      }
      const known = addressee.kind === "channel" ? addressee.id : open.get(addressee.id);
      if (known !== undefined) return { kind: "answered", answer: known };
      const opened = await api.ask("POST", "/channels/direct", MattermostChannel(), [selfId, addressee.id]);
      if (opened.kind === "failed") return opened;
      if (open.size >= MOST_OPEN) open.clear();
      open.set(addressee.id, opened.answer.id);
      return { kind: "answered", answer: opened.answer.id };
    },
  };
}
