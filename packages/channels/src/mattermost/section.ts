// The config section `channels.mattermost`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { bool, choice, idList, key, secret, text, texts } from "@chela/sdk/config";
import {
  accessShape,
  answerShape,
  channelBlock,
  fullGroups,
  markdownOrTables,
  mediaMaxMb,
  namedShape,
} from "@chela/sdk/config";
import { reactionNotifications, REAL_TABLES } from "@chela/sdk/config";

const accountShape = () => ({
  ...namedShape(16_383),
  ...accessShape(idList()),
  ...answerShape(),
  markdown: markdownOrTables(REAL_TABLES),
  botToken: key(secret(), "The bot account's token; else MATTERMOST_BOT_TOKEN."),
  baseUrl: key(text(), "Address of the server, such as https://chat.example.org; else MATTERMOST_URL."),
  chatmode: key(
    choice("oncall", "onmessage", "onchar"),
    "When it answers in channels: when it is mentioned (oncall), always (onmessage), or when a message begins with one of oncharPrefixes (onchar).",
    { preset: "oncall" },
  ),
  oncharPrefixes: key(texts(), "What such a message begins with.", { preset: [">", "!"] }),
  requireMention: key(bool(), "The same for all channels that do not say it themselves; comes before chatmode."),
  groups: fullGroups(),
  reactionNotifications: reactionNotifications(),
  mediaMaxMb: mediaMaxMb(20),
});

export const mattermostSection = once(() => channelBlock(accountShape));
