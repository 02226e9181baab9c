// The config section `channels.telegram`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { bool, idList, item, key, mapOf, positive, secret, text } from "@chela/sdk/config";
import {
  accessShape,
  answerShape,
  channelBlock,
  groupPolicies,
  listenShape,
  markdown,
  mediaMaxMb,
} from "@chela/sdk/config";
import { megabytes, namedShape, nativeCommands, OWN_MENU, ownReactions, placeShape } from "@chela/sdk/config";
import { requireMention, speakersHere, streamMode, webhookPath } from "@chela/sdk/config";

const topicShape = () => ({
  ...listenShape(),
  requireMention: requireMention(),
  groupPolicy: key(groupPolicies(), "The policy here, instead of that of the account."),
  allowFrom: speakersHere(),
});

const accountShape = () => ({
  ...namedShape(4000),
  ...accessShape(idList()),
  ...answerShape(),
  streamMode: streamMode(),
  markdown: markdown("code"),
  commands: nativeCommands(OWN_MENU),
  botToken: key(secret(), "The token @BotFather gave you; else TELEGRAM_BOT_TOKEN."),
  apiRoot: key(text(), "Address of a Bot API server of your own.", { preset: "https://api.telegram.org" }),
  richMessages: key(
    bool(),
    "Whether Markdown is handed over as it is, where the server understands it. A key of ours.",
    { preset: false, guards: false },
  ),
  tokenFile: key(text(), "A file with the token."),
  groups: mapOf(item(() => ({ ...placeShape(), ...topicShape(), topics: mapOf(item(topicShape)) }))),
  mediaMaxMb: mediaMaxMb(20, megabytes(), " In OpenClaw 5; Telegram itself gives bots no more than 20."),
  timeoutSeconds: key(positive(), "How long a request to Telegram may take.", { preset: 30 }),
  webhookUrl: key(text(), "The public address at which Telegram finds the gateway. Without it messages are fetched."),
  webhookSecret: key(secret(), "What Telegram must bring with each request; needed with webhookUrl."),
  webhookPath: webhookPath("/telegram-webhook"),
  reactionNotifications: ownReactions(),
  linkPreview: key(bool(), "Whether Telegram shows previews of links.", { preset: true, guards: false }),
});

export const telegramSection = once(() => channelBlock(accountShape));
