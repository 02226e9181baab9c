// `channels.imessage`.
import { once } from "@chela/sdk";
import { bool, choice, item, mapOf, text, texts } from "../leaf.ts";
import { accessShape, channelBlock, namedShape, simpleGroups, viewShape, wholeMegabytes } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  capabilities: texts(),
  cliPath: text(),
  dbPath: text(),
  remoteHost: text(),
  service: choice("imessage", "sms", "auto"),
  region: text(),
  defaultTo: text(),
  includeAttachments: bool(),
  attachmentRoots: texts(),
  remoteAttachmentRoots: texts(),
  mediaMaxMb: wholeMegabytes(),
  groups: simpleGroups(),
});

export const imessageChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
