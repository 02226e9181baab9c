// Services for sending messages and acting in chats, by agents, pages and errands. Loaded with the first message.
import { createSafeFetch } from "../../base/http/safe-fetch.ts";
import type { House } from "../../house/house.ts";
import { sendPolicyOf } from "../send-policy-of.ts";
import type { ToolContext } from "@chela/sdk";
import type { MessageArguments, MessageToolResult } from "../../rooms/tools/room.ts";
import { actForAgent } from "./agent-messages.ts";
import { createMessageSender } from "./messages.ts";
import type { MessageSender } from "./request.ts";

type MessagesHouse = Pick<
  House,
  | "clock"
  | "ids"
  | "log"
  | "config"
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
  | "fileSettings"
>;

interface AgentMessages {
  /** What the tool `message` asks for. */
  act(args: MessageArguments, context: ToolContext): Promise<MessageToolResult>;
}

export function openMessages(house: MessagesHouse): MessageSender & AgentMessages {
  const { clock, ids, log, config, ledger, sessions, transcripts, lanes, outbox, runEvents, channels, media } = house;
  const sender = createMessageSender({
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
    fileSettings: house.fileSettings,
    announce: (key, entryId, text) => runEvents.announceInjected(key, entryId, text),
  });
  return { ...sender, act: (args, context) => actForAgent(sender, args, context) };
}
