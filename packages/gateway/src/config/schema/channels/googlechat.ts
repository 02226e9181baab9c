// `channels.googlechat`.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, choice, idList, item, mapOf, secretAccount, secretRef, text, texts } from "../leaf.ts";
import {
  checkAccountNames,
  checkDirectAccess,
  dmPolicy,
  finalStreamMode,
  megabytes,
  namedShape,
  replyToMode,
} from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  capabilities: texts(),
  allowBots: bool(),
  dangerouslyAllowNameMatching: bool(),
  requireMention: bool(),
  groupAllowFrom: idList(),
  groups: mapOf(
    item(() => ({ enabled: bool(), allow: bool(), requireMention: bool(), users: idList(), systemPrompt: text() })),
  ),
  defaultTo: text(),
  serviceAccount: secretAccount(),
  serviceAccountRef: secretRef().optional(),
  serviceAccountFile: text(),
  audienceType: choice("app-url", "project-number"),
  audience: text(),
  webhookPath: text(),
  webhookUrl: text(),
  botUser: text(),
  streamMode: finalStreamMode(),
  mediaMaxMb: megabytes(),
  replyToMode: replyToMode(),
  actions: block(() => ({ reactions: bool() })),
  dm: z.lazy(() =>
    z
      .strictObject({ enabled: bool(), policy: dmPolicy(), allowFrom: idList() })
      .superRefine(checkDirectAccess)
      .optional(),
  ),
  typingIndicator: choice("none", "message", "reaction"),
});

export const googlechatChannel = once(() =>
  z.lazy(() =>
    z
      .strictObject({ ...accountShape(), accounts: mapOf(item(accountShape)), defaultAccount: text() })
      .superRefine(checkAccountNames)
      .optional(),
  ),
);
