// `channels.webhook`.
import { once } from "@chela/sdk";
import { bool, choice, idList, item, mapOf, secret, text, textOrNumber, texts } from "../leaf.ts";
import { groupTools } from "../shared.ts";
import { accessShape, channelBlock, megabytes, namedShape, viewShape } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  capabilities: texts(),
  secret: secret(),
  path: text(),
  outboundUrl: text(),
  format: choice("chela", "github"),
  template: text(),
  sender: textOrNumber(),
  defaultTo: text(),
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
  mediaMaxMb: megabytes(),
});

export const webhookChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
