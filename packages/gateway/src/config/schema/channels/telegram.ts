// `channels.telegram`.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  idList,
  item,
  listOf,
  mapOf,
  positive,
  secret,
  text,
  textOrNumber,
  texts,
} from "../leaf.ts";
import { chunking, groupTools } from "../shared.ts";
import {
  accessShape,
  channelBlock,
  draftStreaming,
  draftStreamMode,
  groupPolicy,
  megabytes,
  namedShape,
} from "./shared.ts";
import { nativeCommands, reactionLevel, replyToMode, retryPolicy, viewShape } from "./shared.ts";

const capabilities = () =>
  z
    .union([z.array(z.string()), z.strictObject({ inlineButtons: choice("off", "dm", "group", "all", "allowlist") })])
    .optional();

const topicShape = () => ({
  requireMention: bool(),
  groupPolicy: groupPolicy(),
  skills: texts(),
  enabled: bool(),
  allowFrom: idList(),
  systemPrompt: text(),
});

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  capabilities: capabilities(),
  commands: nativeCommands(),
  customCommands: listOf(item(() => ({ command: text(), description: text() }))),
  botToken: secret(),
  apiRoot: text(),
  richMessages: bool(),
  tokenFile: text(),
  replyToMode: replyToMode(),
  groups: mapOf(item(() => ({ ...topicShape(), ...groupTools(), topics: mapOf(item(topicShape)) }))),
  defaultTo: textOrNumber(),
  streaming: draftStreaming(),
  draftChunk: chunking(),
  streamMode: draftStreamMode(),
  mediaMaxMb: megabytes(),
  timeoutSeconds: positive(),
  retry: retryPolicy(),
  network: block(() => ({ autoSelectFamily: bool(), dnsResultOrder: choice("ipv4first", "verbatim") })),
  proxy: text(),
  webhookUrl: text(),
  webhookSecret: secret(),
  webhookPath: text(),
  webhookHost: text(),
  webhookPort: count(),
  actions: block(() => ({ reactions: bool(), sendMessage: bool(), deleteMessage: bool(), sticker: bool() })),
  reactionNotifications: choice("off", "own", "all"),
  reactionLevel: reactionLevel(),
  linkPreview: bool(),
  ackReaction: text(),
});

export const telegramChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
