// `channels.irc`.
import { once } from "@chela/sdk";
import { block, bool, idList, item, mapOf, portNumber, secret, text, texts } from "../leaf.ts";
import { groupTools } from "../shared.ts";
import { accessShape, channelBlock, megabytes, namedShape, viewShape } from "./shared.ts";

const accountShape = () => ({
  ...namedShape(),
  ...viewShape(),
  ...accessShape(),
  capabilities: texts(),
  host: text(),
  port: portNumber(),
  tls: bool(),
  tlsCa: text(),
  tlsFingerprint: text(),
  tlsCert: text(),
  tlsKey: text(),
  nick: text(),
  username: text(),
  realname: text(),
  password: secret(),
  passwordFile: text(),
  nickserv: block(() => ({
    enabled: bool(),
    service: text(),
    account: text(),
    password: secret(),
    passwordFile: text(),
    register: bool(),
    registerEmail: text(),
  })),
  channels: texts(),
  defaultTo: text(),
  groups: mapOf(
    item(() => ({
      requireMention: bool(),
      ...groupTools(),
      skills: texts(),
      enabled: bool(),
      allowFrom: idList(),
      systemPrompt: text(),
    })),
  ),
  mentionPatterns: texts(),
  mediaMaxMb: megabytes(),
});

export const ircChannel = once(() => channelBlock(() => ({ ...accountShape(), accounts: mapOf(item(accountShape)) })));
