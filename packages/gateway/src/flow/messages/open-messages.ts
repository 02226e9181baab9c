// Joins the message desk with the way of fetching and the files of the agents. Loaded with the first message it sends.
import { createSafeFetch } from "../../base/http/safe-fetch.ts";
import type { House } from "../../house/house.ts";
import { sendPolicyOf } from "../send-policy-of.ts";
import { fileSettingsOf } from "../../house/tools/open-tools.ts";
import { createMessageSender } from "./messages.ts";
import type { MessageSender } from "./request.ts";

type DeskHouse = Pick<
  House,
  | "clock"
  | "ids"
  | "log"
  | "config"
  | "paths"
  | "ledger"
  | "sessions"
  | "transcripts"
  | "lanes"
  | "channels"
  | "media"
  | "outbox"
  | "runEvents"
  | "keys"
  | "workspaceOf"
>;

export function openMessages(house: DeskHouse): MessageSender {
  const { clock, ids, log, config, ledger, sessions, transcripts, lanes, outbox, runEvents, channels, media } = house;
  const files = fileSettingsOf(house);
  return createMessageSender({
    clock,
    ids,
    log,
    config,
    ledger,
    sessions,
    transcripts,
    channels,
    media,
    fetch: createSafeFetch({ clock }),
    outbox,
    sendPolicy: async (key, channel) => sendPolicyOf(config, key, channel, await ledger.session(key)),
    isBusy: (key) => lanes.runIds(key).length > 0,
    defaultAgent: () => house.keys().defaultAgentId,
    workspace: house.workspaceOf,
    fileSettings: (agentId) => files.settings(agentId),
    announce: (key, entryId, text) => runEvents.announceInjected(key, entryId, text),
  });
}
