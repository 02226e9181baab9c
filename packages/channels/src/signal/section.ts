// The config section `channels.signal`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { bool, choice, idList, key, positive, text, wholeNumber } from "@chela/sdk/config";
import { accessShape, channelBlock, markdown, mediaMaxMb, namedShape, reactionNotifications } from "@chela/sdk/config";
import { sendReadReceipts, simpleGroups, wholeMegabytes } from "@chela/sdk/config";

const accountShape = () => ({
  ...namedShape(2000),
  ...accessShape(idList()),
  markdown: markdown("code"),
  groups: simpleGroups(),
  account: key(text(), "The telephone number, with its country code."),
  httpUrl: key(text(), "Address of a signal-cli you run yourself."),
  httpHost: key(text(), "Address on which signal-cli listens.", { preset: "127.0.0.1" }),
  httpPort: key(positive(), "Port on which signal-cli listens.", { preset: 8080 }),
  cliPath: key(text(), "Where signal-cli is, if not on the PATH.", { preset: "signal-cli" }),
  autoStart: key(bool(), "Whether the gateway starts signal-cli.", { preset: true }),
  startupTimeoutMs: key(wholeNumber(1000, 120_000), "How long signal-cli may take to start.", { preset: 30_000 }),
  receiveMode: key(
    choice("on-start", "on-connection", "manual"),
    "When signal-cli fetches messages. With on-connection, our default, they wait at Signal while nobody listens; with on-start they are lost then.",
    { preset: "on-connection" },
  ),
  ignoreAttachments: key(bool(), "Whether files are left alone.", { preset: false }),
  ignoreStories: key(bool(), "Whether stories are left alone.", { preset: true }),
  sendReadReceipts: sendReadReceipts(false),
  mediaMaxMb: mediaMaxMb(8, wholeMegabytes()),
  reactionNotifications: reactionNotifications(),
});

export const signalSection = once(() => channelBlock(accountShape));
