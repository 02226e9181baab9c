// `channels.discord`.
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
  numberFrom0,
  positive,
  secret,
  text,
  texts,
} from "../leaf.ts";
import { chunking, groupTools, speech } from "../shared.ts";
import {
  channelBlock,
  dmPolicy,
  draftStreaming,
  draftStreamMode,
  megabytes,
  namedShape,
  nativeCommands,
} from "./shared.ts";
import { reactionNotifications, replyToMode, retryPolicy, viewShape } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  capabilities: texts(),
  commands: nativeCommands(),
  apiRoot: text(),
  publicKey: text(),
  token: secret(),
  proxy: text(),
  allowBots: bool(),
  dangerouslyAllowNameMatching: bool(),
  streaming: draftStreaming(),
  streamMode: draftStreamMode(),
  draftChunk: chunking(),
  maxLinesPerMessage: positive(),
  mediaMaxMb: megabytes(),
  retry: retryPolicy(),
  actions: actions(),
  replyToMode: replyToMode(),
  dmPolicy: dmPolicy(),
  allowFrom: idList(),
  defaultTo: text(),
  dm: block(() => ({
    enabled: bool(),
    policy: dmPolicy(),
    allowFrom: idList(),
    groupEnabled: bool(),
    groupChannels: idList(),
  })),
  guilds: mapOf(item(guildShape)),
  execApprovals: block(() => ({
    enabled: bool(),
    approvers: idList(),
    agentFilter: texts(),
    sessionFilter: texts(),
    cleanupAfterResolve: bool(),
    target: choice("dm", "channel", "both"),
  })),
  ui: block(() => ({ components: block(() => ({ accentColor: text() })) })),
  slashCommand: block(() => ({ ephemeral: bool() })),
  threadBindings: block(() => ({
    enabled: bool(),
    ttlHours: numberFrom0(),
    spawnSubagentSessions: bool(),
    spawnAcpSessions: bool(),
  })),
  intents: block(() => ({ presence: bool(), guildMembers: bool() })),
  voice: block(() => ({
    enabled: bool(),
    autoJoin: listOf(item(() => ({ guildId: z.string().min(1), channelId: z.string().min(1) }))),
    daveEncryption: bool(),
    decryptionFailureTolerance: count(),
    tts: speech(),
  })),
  pluralkit: block(() => ({ enabled: bool(), token: secret() })),
  ackReaction: text(),
  activity: text(),
  status: choice("online", "dnd", "idle", "invisible"),
  activityType: z.union(([0, 1, 2, 3, 4, 5] as const).map((type) => z.literal(type))).optional(),
  activityUrl: text(),
});

const guildShape = () => ({
  slug: text(),
  requireMention: bool(),
  ...groupTools(),
  reactionNotifications: reactionNotifications(),
  users: idList(),
  roles: idList(),
  channels: mapOf(
    item(() => ({
      allow: bool(),
      requireMention: bool(),
      ...groupTools(),
      skills: texts(),
      enabled: bool(),
      users: idList(),
      roles: idList(),
      systemPrompt: text(),
      includeThreadStarter: bool(),
      autoThread: bool(),
    })),
  ),
});

const actions = () =>
  block(() => ({
    reactions: bool(),
    stickers: bool(),
    emojiUploads: bool(),
    stickerUploads: bool(),
    polls: bool(),
    permissions: bool(),
    messages: bool(),
    threads: bool(),
    pins: bool(),
    search: bool(),
    memberInfo: bool(),
    roleInfo: bool(),
    roles: bool(),
    channelInfo: bool(),
    voiceStatus: bool(),
    events: bool(),
    moderation: bool(),
    channels: bool(),
    presence: bool(),
  }));

export const discordChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
