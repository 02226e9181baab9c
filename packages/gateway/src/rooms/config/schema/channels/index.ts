// `channels`: one block per channel, each built only when a file has it. Channels of plugins are kept as they are.
import * as z from "zod";
import { block, bool, harmless, key, openBlock, part, section } from "../leaf.ts";
import { discordChannel } from "./discord.ts";
import { emailChannel } from "./email.ts";
import { ircChannel } from "./irc.ts";
import { matrixChannel } from "./matrix.ts";
import { mattermostChannel } from "./mattermost.ts";
import { groupPolicies } from "./shared.ts";
import { signalChannel } from "./signal.ts";
import { slackChannel } from "./slack.ts";
import { smsChannel } from "./sms.ts";
import { telegramChannel } from "./telegram.ts";
import { whatsappCloudChannel } from "./whatsapp-cloud.ts";
import { webhookChannel } from "./webhook.ts";
import { whatsappChannel } from "./whatsapp.ts";
import { xmppChannel } from "./xmpp.ts";

export const channelsSection = section(
  "The messaging platforms the gateway is connected with.",
  { reload: { roomOfEach: "channel" } },
  () =>
    openBlock(
      () => ({
        // Each account looks whether the change concerns it.
        defaults: part(channelDefaults(), { reload: { room: "channels" } }),
        whatsapp: whatsappChannel(),
        "whatsapp-cloud": whatsappCloudChannel(),
        telegram: telegramChannel(),
        discord: discordChannel(),
        email: emailChannel(),
        irc: ircChannel(),
        slack: slackChannel(),
        signal: signalChannel(),
        matrix: matrixChannel(),
        webhook: webhookChannel(),
        mattermost: mattermostChannel(),
        xmpp: xmppChannel(),
        sms: smsChannel(),
      }),
      z.unknown(),
    ),
);

const channelDefaults = () =>
  block(() => ({
    groupPolicy: key(groupPolicies(), "The policy for groups of channels that have none of their own.", {
      preset: "allowlist",
    }),
    heartbeat: harmless(
      block(() => ({
        showAlerts: key(bool(), "Whether what heartbeats have to say is sent to chats.", { preset: true }),
        useIndicator: key(bool(), "Whether displays may show a sign of a heartbeat.", { preset: true }),
      })),
    ),
  }));
