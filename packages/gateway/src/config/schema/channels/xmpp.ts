// `channels.xmpp`.
import * as z from "zod";
import { once } from "@chela/sdk";
import { bool, idList, item, mapOf, secret, text, texts } from "../leaf.ts";
import { groupTools } from "../shared.ts";
import { accessShape, channelBlock, megabytes, namedShape, reactionNotifications, replyToMode } from "./shared.ts";
import { draftStreaming, viewShape } from "./shared.ts";

const room = once(() => z.union([z.string(), z.strictObject({ jid: z.string(), nick: text(), password: secret() })]));

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  jid: text(),
  password: secret(),
  passwordFile: text(),
  service: text(),
  resource: text(),
  tlsCa: text(),
  nick: text(),
  rooms: z.array(room()).optional(),
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
  streaming: draftStreaming(),
  replyToMode: replyToMode(),
  reactionNotifications: reactionNotifications(),
  ackReaction: text(),
  mediaMaxMb: megabytes(),
  defaultTo: text(),
});

export const xmppChannel = once(() => channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })));
