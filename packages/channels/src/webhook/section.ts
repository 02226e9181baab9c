// The config section `channels.webhook`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { choice, idList, key, secret, text, textOrNumber } from "@chela/sdk/config";
import { accessShape, channelBlock, fullGroups, megabytes, namedShape } from "@chela/sdk/config";

const accountShape = () => ({
  ...namedShape(100_000),
  ...accessShape(idList()),
  secret: key(secret(), "What requests are signed with, in both directions; 16 characters or more."),
  path: key(text(), "Where on the gateway's port requests arrive.", { preset: "/hooks/channel" }),
  outboundUrl: key(text(), "Where answers are sent. Without it messages can only come in."),
  format: key(choice("chela", "github"), "Whether requests are of our own form, or GitHub's.", { preset: "chela" }),
  template: key(text(), "What an event of GitHub becomes, with {{fields}} of it."),
  sender: key(textOrNumber(), "Who is the sender of requests that name none."),
  groups: fullGroups(),
  mediaMaxMb: key(megabytes(), "Largest file that is sent with an answer, in megabytes; 5 at most.", { preset: 5 }),
});

export const webhookSection = once(() => channelBlock(accountShape));
