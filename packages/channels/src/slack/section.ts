// The config section `channels.slack`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { block, bool, choice, idList, item, key, mapOf, secret, text } from "@chela/sdk/config";
import {
  allowHere,
  answerShape,
  API_ROOT,
  channelBlock,
  directShape,
  dm,
  groupShape,
  listenShape,
} from "@chela/sdk/config";
import { mediaMaxMb, namedShape, nativeCommands, placeShape, reactionNotifications } from "@chela/sdk/config";
import { streaming, usersHere, webhookPath } from "@chela/sdk/config";

const accountShape = () => ({
  ...namedShape(4000),
  ...directShape(idList()),
  ...groupShape(),
  ...answerShape(),
  streaming: streaming(". Off by default; in OpenClaw partial."),
  mode: key(
    choice("socket", "http"),
    "Whether the gateway connects to Slack (socket), or Slack calls the gateway (http).",
    { preset: "socket" },
  ),
  signingSecret: key(secret(), "What Slack signs its requests with, for http mode; else SLACK_SIGNING_SECRET."),
  webhookPath: webhookPath("/slack/events"),
  commands: nativeCommands("The same as slashCommand.enabled."),
  apiRoot: key(text(), API_ROOT, { preset: "https://slack.com/api/" }),
  markdownBlocks: key(bool(), "Whether texts are sent as Slack's own Markdown blocks. A key of ours.", {
    preset: false,
    guards: false,
  }),
  botToken: key(secret(), "The bot's token (xoxb-…); else SLACK_BOT_TOKEN."),
  appToken: key(secret(), "The app-level token (xapp-…) for socket mode; else SLACK_APP_TOKEN."),
  requireMention: key(bool(), "The same for all channels that do not say it themselves."),
  mediaMaxMb: mediaMaxMb(20),
  reactionNotifications: reactionNotifications(),
  slashCommand: block(() => ({
    enabled: key(bool(), "Whether the slash command is listened to.", { preset: false }),
    name: key(text(), "Name of the slash command.", { preset: "openclaw" }),
  })),
  dm: dm(),
  channels: mapOf(item(() => ({ ...placeShape(), ...listenShape(), allow: allowHere(), users: usersHere() }))),
});

export const slackSection = once(() => channelBlock(accountShape));
