// The config section `channels.email`: what may be written there, and what each key is for.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, key, portNumber, positive, secret, text, texts } from "@chela/sdk/config";
import { baseShape, channelBlock, directShape, megabytes } from "@chela/sdk/config";

const tls = once(() => z.union([z.boolean(), z.literal("starttls")]).optional());

const accountShape = () => ({
  ...baseShape(100_000),
  ...directShape(texts()),
  name: key(text(), "How the sender of answers is shown.", { guards: false }),
  address: key(text(), "The address answers are written from."),
  imap: block(() => ({
    host: key(text(), "Server that mail is read from."),
    port: key(portNumber(), "Its port.", { preset: 993 }),
    tls: key(
      tls(),
      "Whether the connection is encrypted from the start, or by starttls; never without, except on this machine.",
      { preset: true },
    ),
    user: key(text(), "Name to log in with; else the address."),
    password: key(secret(), "Password; else EMAIL_PASSWORD."),
    mailbox: key(text(), "The folder that is read.", { preset: "INBOX" }),
  })),
  smtp: block(() => ({
    host: key(text(), "Server that mail is sent through."),
    port: key(portNumber(), "Its port.", { preset: 587 }),
    tls: key(tls(), "The same for sending. Unless it is written, true on port 465 and starttls elsewhere."),
    user: key(text(), "Name to log in with; else that of imap."),
    password: key(secret(), "Password; else that of imap."),
  })),
  passwordFile: key(text(), "A file with the password."),
  tlsCa: key(text(), "File with the certificate of whoever signs the servers'."),
  trustedAuthServers: key(
    texts(),
    "Servers whose word on the origin of a mail counts, by the name they write into its headers.",
  ),
  requireDmarc: key(bool(), "Whether only mail is read whose sender is proved.", { preset: true }),
  maxMessageMb: key(megabytes(), "Largest mail that is read, in megabytes.", { preset: 25 }),
  maxPerSenderPerHour: key(positive(), "How many mails of one sender are taken in an hour.", { preset: 10 }),
  sentMailbox: key(
    text(),
    "Folder into which a copy of what was sent is put; unless it is written, the one the server names.",
  ),
});

export const emailSection = once(() => channelBlock(accountShape));
