// `channels.email`.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, item, mapOf, portNumber, positive, secret, text, texts } from "../leaf.ts";
import { channelBlock, heartbeatView, megabytes, namedShape, textAccessShape } from "./shared.ts";

const tls = once(() => z.union([z.boolean(), z.literal("starttls")]).optional());

const serverShape = () => ({ host: text(), port: portNumber(), tls: tls(), user: text(), password: secret() });

const accountShape = () => ({
  ...namedShape(),
  ...textAccessShape(),
  heartbeat: heartbeatView(),
  address: text(),
  imap: block(() => ({ ...serverShape(), mailbox: text() })),
  smtp: block(serverShape),
  passwordFile: text(),
  tlsCa: text(),
  trustedAuthServers: texts(),
  requireDmarc: bool(),
  maxMessageMb: megabytes(),
  maxPerSenderPerHour: positive(),
  sentMailbox: text(),
  defaultTo: text(),
});

export const emailChannel = once(() =>
  channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })),
);
