// `channels.matrix`.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, choice, count, idList, item, mapOf, openMap, secret, text, texts } from "../leaf.ts";
import { groupTools } from "../shared.ts";
import { accessShape, channelBlock, dmPolicy, draftStreaming, megabytes, namedShape } from "./shared.ts";
import { reactionNotifications, replyToMode, viewShape } from "./shared.ts";

const threadReplies = once(() => choice("off", "inbound", "always"));

const rooms = once(() =>
  mapOf(
    item(() => ({
      enabled: bool(),
      allow: bool(),
      requireMention: bool(),
      autoReply: bool(),
      users: idList(),
      allowFrom: idList(),
      allowBots: z.union([z.boolean(), z.literal("mentions")]).optional(),
      ...groupTools(),
      skills: texts(),
      systemPrompt: text(),
    })),
  ),
);

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  homeserver: text(),
  userId: text(),
  accessToken: secret(),
  password: secret(),
  deviceId: text(),
  deviceName: text(),
  avatarUrl: text(),
  initialSyncLimit: count(),
  encryption: bool(),
  startupVerification: choice("off", "if-unverified"),
  startupVerificationCooldownHours: count(),
  allowlistOnly: bool(),
  allowBots: z.union([z.boolean(), z.literal("mentions")]).optional(),
  dangerouslyAllowNameMatching: bool(),
  replyToMode: replyToMode(),
  threadReplies: threadReplies(),
  threadBindings: openMap(),
  streaming: draftStreaming(),
  mediaMaxMb: megabytes(),
  ackReaction: text(),
  ackReactionScope: choice("group-mentions", "group-all", "direct", "all", "none", "off"),
  reactionNotifications: reactionNotifications(),
  autoJoin: choice("off", "allowlist", "always"),
  autoJoinAllowlist: texts(),
  dm: block(() => ({
    enabled: bool(),
    policy: dmPolicy(),
    allowFrom: idList(),
    sessionScope: choice("per-user", "per-room"),
    threadReplies: threadReplies(),
  })),
  groups: rooms(),
  rooms: rooms(),
  defaultTo: text(),
  proxy: text(),
  network: block(() => ({ dangerouslyAllowPrivateNetwork: bool() })),
  actions: block(() => ({
    reactions: bool(),
    messages: bool(),
    pins: bool(),
    memberInfo: bool(),
    channelInfo: bool(),
    verification: bool(),
    profile: bool(),
  })),
});

export const matrixChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), defaultAccount: text(), accounts: mapOf(item(accountShape)) })),
);
