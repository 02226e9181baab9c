// The config section `channels.whatsapp-cloud`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { idList, key, secret, text, textOrNumber } from "@chela/sdk/config";
import { accessShape, API_ROOT, channelBlock, markdown, mediaMaxMb, namedShape } from "@chela/sdk/config";
import { reactionNotifications, sendReadReceipts, simpleGroups, webhookPath, wholeMegabytes } from "@chela/sdk/config";

const accountShape = () => ({
  ...namedShape(4096),
  ...accessShape(idList()),
  markdown: markdown("bullets"),
  accessToken: key(secret(), "Meta's access token; else WHATSAPP_CLOUD_ACCESS_TOKEN."),
  phoneNumberId: key(textOrNumber(), "Meta's id of the number, in quotes; else WHATSAPP_CLOUD_PHONE_NUMBER_ID."),
  appSecret: key(secret(), "What Meta signs its requests with; else WHATSAPP_CLOUD_APP_SECRET."),
  verifyToken: key(secret(), "A word of your choice, also told to Meta; else WHATSAPP_CLOUD_VERIFY_TOKEN."),
  apiRoot: key(text(), API_ROOT, { preset: "https://graph.facebook.com" }),
  apiVersion: key(text(), "Version of Meta's API.", { preset: "v25.0" }),
  webhookPath: webhookPath("/whatsapp/webhook"),
  sendReadReceipts: sendReadReceipts(true),
  groups: simpleGroups(),
  reactionNotifications: reactionNotifications(),
  mediaMaxMb: mediaMaxMb(20, wholeMegabytes()),
});

export const whatsappCloudSection = once(() => channelBlock(accountShape));
