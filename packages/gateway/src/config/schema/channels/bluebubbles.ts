// `channels.bluebubbles`.
import { once } from "@chela/sdk";
import { block, bool, item, mapOf, secret, text, texts } from "../leaf.ts";
import { accessShape, channelBlock, namedShape, simpleGroups, viewShape, wholeMegabytes } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  capabilities: texts(),
  serverUrl: text(),
  password: secret(),
  webhookPath: text(),
  mediaMaxMb: wholeMegabytes(),
  mediaLocalRoots: texts(),
  sendReadReceipts: bool(),
  groups: simpleGroups(),
});

export const bluebubblesChannel = once(() =>
  channelBlock(() => ({
    ...accountShape(),
    actions: block(() => ({
      reactions: bool(),
      edit: bool(),
      unsend: bool(),
      reply: bool(),
      sendWithEffect: bool(),
      renameGroup: bool(),
      setGroupIcon: bool(),
      addParticipant: bool(),
      removeParticipant: bool(),
      leaveGroup: bool(),
      sendAttachment: bool(),
    })),
    accounts: mapOf(item(accountShape)),
  })),
);
