// `channels.whatsapp`.
import { once } from "@chela/sdk";
import { block, bool, choice, count, item, mapOf, text, texts } from "../leaf.ts";
import { baseShape, channelBlock, simpleGroups, textAccessShape, viewShape, wholeMegabytes } from "./shared.ts";

const accountShape = () => ({
  ...baseShape(),
  ...viewShape(),
  ...textAccessShape(),
  capabilities: texts(),
  blockStreaming: bool(),
  sendReadReceipts: bool(),
  messagePrefix: text(),
  selfChatMode: bool(),
  phoneNumber: text(),
  waWebSocketUrl: text(),
  defaultTo: text(),
  groups: simpleGroups(),
  ackReaction: block(() => ({ emoji: text(), direct: bool(), group: choice("always", "mentions", "never") })),
  debounceMs: count(),
  mediaMaxMb: wholeMegabytes(),
});

export const whatsappChannel = once(() =>
  channelBlock(() => ({
    ...accountShape(),
    actions: block(() => ({ reactions: bool(), sendMessage: bool(), polls: bool() })),
    accounts: mapOf(item(() => ({ ...accountShape(), name: text(), authDir: text() }))),
  })),
);
