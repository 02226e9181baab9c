// The config section `channels.xmpp`: what may be written there, and what each key is for.
import * as z from "zod";
import { once } from "@chela/sdk";
import { idList, key, keyed, secret, text } from "@chela/sdk/config";
import {
  accessShape,
  answerShape,
  channelBlock,
  fullGroups,
  markdown,
  mediaMaxMb,
  namedShape,
} from "@chela/sdk/config";
import { passwordFile, reactionNotifications } from "@chela/sdk/config";

const room = once(() =>
  z.union([
    z.string(),
    keyed({
      jid: key(z.string(), "The address of the room."),
      nick: key(text(), "The nick in this room."),
      password: key(secret(), "The password of the room, if it has one."),
    }),
  ]),
);

const accountShape = () => ({
  ...namedShape(4000),
  ...accessShape(idList()),
  ...answerShape(),
  markdown: markdown("code"),
  jid: key(text(), "The account's address, such as agent@example.org; else XMPP_JID."),
  password: key(secret(), "Its password; else XMPP_PASSWORD."),
  passwordFile: passwordFile(),
  service: key(
    text(),
    "Where the server is: xmpp:// (STARTTLS), xmpps:// (TLS) or wss://. Unless it is written, as the domain's DNS says.",
  ),
  resource: key(text(), "The name of this device; another connection with the same one takes its place.", {
    preset: "chela",
  }),
  tlsCa: key(text(), "File with the certificate of whoever signs the server's."),
  nick: key(text(), "The nick in rooms; unless it is written, the first part of the address."),
  rooms: key(z.array(room()).optional(), "Rooms to be in: addresses, or objects with jid, nick and password."),
  groups: fullGroups(),
  reactionNotifications: reactionNotifications(),
  mediaMaxMb: mediaMaxMb(20),
});

export const xmppSection = once(() => channelBlock(accountShape));
