// `channels.sms`.
import { once } from "@chela/sdk";
import { item, mapOf, secret, text } from "../leaf.ts";
import { accessShape, channelBlock, heartbeatView, namedShape, wholeMegabytes } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...accessShape(),
  heartbeat: heartbeatView(),
  accountSid: text(),
  authToken: secret(),
  from: text(),
  messagingServiceSid: text(),
  publicUrl: text(),
  webhookPath: text(),
  apiRoot: text(),
  defaultTo: text(),
  mediaMaxMb: wholeMegabytes(),
});

export const smsChannel = once(() => channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })));
