// The config section `channels.whatsapp`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { block, bool, choice, harmless, key, text, texts } from "@chela/sdk/config";
import { accessShape, accountName, baseShape, channelBlock, markdown, mediaMaxMb } from "@chela/sdk/config";
import { sendReadReceipts, simpleGroups, wholeMegabytes } from "@chela/sdk/config";

const accountShape = () => ({
  ...baseShape(4000),
  ...accessShape(texts()),
  markdown: markdown("bullets"),
  sendReadReceipts: sendReadReceipts(true),
  selfChatMode: key(bool(), "The number is your own: what you write to yourself is for the agent.", { preset: false }),
  phoneNumber: key(
    text(),
    "Link the account by a code that is typed on this telephone, instead of a picture. A key of ours.",
  ),
  waWebSocketUrl: key(text(), "Another server than WhatsApp's, for tests. A key of ours."),
  groups: simpleGroups(),
  ackReaction: harmless(
    block(() => ({
      emoji: key(text(), "The reaction a message gets as soon as it is taken."),
      direct: key(bool(), "Whether direct messages get it.", { preset: true }),
      group: key(
        choice("always", "mentions", "never"),
        "Which messages in groups get it: all, those that mention the agent, or none.",
        { preset: "mentions" },
      ),
    })),
  ),
  mediaMaxMb: mediaMaxMb(20, wholeMegabytes(), " In OpenClaw 50."),
});

export const whatsappSection = once(() =>
  channelBlock(accountShape, () => ({
    name: accountName(),
    authDir: key(text(), "Where the credentials of this account lie, as an absolute path."),
  })),
);
