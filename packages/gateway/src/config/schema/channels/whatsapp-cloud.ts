// `channels.whatsapp-cloud`.
import { once } from "@chela/sdk";
import { bool, item, mapOf, secret, text, texts, textOrNumber } from "../leaf.ts";
import { accessShape, channelBlock, namedShape, reactionNotifications, simpleGroups, viewShape } from "./shared.ts";
import { wholeMegabytes } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  capabilities: texts(),
  accessToken: secret(),
  phoneNumberId: textOrNumber(),
  appSecret: secret(),
  verifyToken: secret(),
  apiRoot: text(),
  apiVersion: text(),
  webhookPath: text(),
  sendReadReceipts: bool(),
  defaultTo: text(),
  groups: simpleGroups(),
  reactionNotifications: reactionNotifications(),
  mediaMaxMb: wholeMegabytes(),
});

export const whatsappCloudChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
