// `channels.signal`.
import { once } from "@chela/sdk";
import { block, bool, choice, idList, item, mapOf, positive, text, texts, wholeNumber } from "../leaf.ts";
import {
  accessShape,
  channelBlock,
  namedShape,
  reactionLevel,
  reactionNotifications,
  simpleGroups,
  viewShape,
} from "./shared.ts";
import { wholeMegabytes } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  capabilities: texts(),
  groups: simpleGroups(),
  account: text(),
  httpUrl: text(),
  httpHost: text(),
  httpPort: positive(),
  cliPath: text(),
  autoStart: bool(),
  startupTimeoutMs: wholeNumber(1000, 120_000),
  receiveMode: choice("on-start", "on-connection", "manual"),
  ignoreAttachments: bool(),
  ignoreStories: bool(),
  sendReadReceipts: bool(),
  defaultTo: text(),
  mediaMaxMb: wholeMegabytes(),
  reactionNotifications: reactionNotifications(),
  reactionAllowlist: idList(),
  actions: block(() => ({ reactions: bool() })),
  reactionLevel: reactionLevel(),
});

export const signalChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
