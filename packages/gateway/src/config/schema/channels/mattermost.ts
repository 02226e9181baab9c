// `channels.mattermost`.
import { once } from "@chela/sdk";
import { bool, choice, idList, item, mapOf, secret, text, texts } from "../leaf.ts";
import { groupTools } from "../shared.ts";
import { accessShape, channelBlock, megabytes, namedShape, nativeCommands, reactionNotifications } from "./shared.ts";
import { draftStreaming, replyToMode, viewShape } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  capabilities: texts(),
  botToken: secret(),
  baseUrl: text(),
  chatmode: choice("oncall", "onmessage", "onchar"),
  oncharPrefixes: texts(),
  requireMention: bool(),
  groups: mapOf(
    item(() => ({
      requireMention: bool(),
      ...groupTools(),
      skills: texts(),
      enabled: bool(),
      allowFrom: idList(),
      systemPrompt: text(),
    })),
  ),
  commands: nativeCommands(),
  streaming: draftStreaming(),
  replyToMode: replyToMode(),
  reactionNotifications: reactionNotifications(),
  ackReaction: text(),
  mediaMaxMb: megabytes(),
  defaultTo: text(),
});

export const mattermostChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
