// `channels.msteams`.
import { once } from "@chela/sdk";
import { block, bool, choice, item, mapOf, positive, secret, text, texts } from "../leaf.ts";
import { groupTools } from "../shared.ts";
import { baseShape, channelBlock, megabytes, textAccessShape, viewShape } from "./shared.ts";

const replyStyle = once(() => choice("thread", "top-level"));
const roomShape = () => ({ requireMention: bool(), ...groupTools(), replyStyle: replyStyle() });

export const msteamsChannel = once(() =>
  channelBlock(() => ({
    ...baseShape(),
    ...viewShape(),
    ...textAccessShape(),
    capabilities: texts(),
    dangerouslyAllowNameMatching: bool(),
    appId: text(),
    appPassword: secret(),
    tenantId: text(),
    webhook: block(() => ({ port: positive(), path: text() })),
    defaultTo: text(),
    mediaAllowHosts: texts(),
    mediaAuthAllowHosts: texts(),
    requireMention: bool(),
    replyStyle: replyStyle(),
    teams: mapOf(item(() => ({ ...roomShape(), channels: mapOf(item(roomShape)) }))),
    mediaMaxMb: megabytes(),
    sharePointSiteId: text(),
  })),
);
