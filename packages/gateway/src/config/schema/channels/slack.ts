// `channels.slack`.
import { once } from "@chela/sdk";
import { block, bool, choice, count, idList, item, mapOf, secret, text, texts } from "../leaf.ts";
import { groupTools } from "../shared.ts";
import {
  channelBlock,
  dmPolicy,
  draftStreaming,
  finalStreamMode,
  megabytes,
  namedShape,
  nativeCommands,
} from "./shared.ts";
import { reactionNotifications, replyToMode, viewShape } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  mode: choice("socket", "http"),
  signingSecret: secret(),
  webhookPath: text(),
  capabilities: texts(),
  commands: nativeCommands(),
  apiRoot: text(),
  markdownBlocks: bool(),
  botToken: secret(),
  appToken: secret(),
  userToken: secret(),
  userTokenReadOnly: bool(),
  allowBots: bool(),
  dangerouslyAllowNameMatching: bool(),
  requireMention: bool(),
  streaming: draftStreaming(),
  nativeStreaming: bool(),
  streamMode: finalStreamMode(),
  mediaMaxMb: megabytes(),
  reactionNotifications: reactionNotifications(),
  reactionAllowlist: idList(),
  replyToMode: replyToMode(),
  replyToModeByChatType: block(() => ({ direct: replyToMode(), group: replyToMode(), channel: replyToMode() })),
  thread: block(() => ({
    historyScope: choice("thread", "channel"),
    inheritParent: bool(),
    initialHistoryLimit: count(),
  })),
  actions: block(() => ({
    reactions: bool(),
    messages: bool(),
    pins: bool(),
    search: bool(),
    permissions: bool(),
    memberInfo: bool(),
    channelInfo: bool(),
    emojiList: bool(),
  })),
  slashCommand: block(() => ({ enabled: bool(), name: text(), sessionPrefix: text(), ephemeral: bool() })),
  dmPolicy: dmPolicy(),
  allowFrom: idList(),
  defaultTo: text(),
  dm: block(() => ({
    enabled: bool(),
    policy: dmPolicy(),
    allowFrom: idList(),
    groupEnabled: bool(),
    groupChannels: idList(),
    replyToMode: replyToMode(),
  })),
  channels: mapOf(
    item(() => ({
      enabled: bool(),
      allow: bool(),
      requireMention: bool(),
      ...groupTools(),
      allowBots: bool(),
      users: idList(),
      skills: texts(),
      systemPrompt: text(),
    })),
  ),
  ackReaction: text(),
});

export const slackChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
