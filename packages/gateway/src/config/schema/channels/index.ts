// `channels`: one block per channel, each built only when a file has it. Channels of plugins are kept as they are.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, openBlock } from "../leaf.ts";
import { bluebubblesChannel } from "./bluebubbles.ts";
import { discordChannel } from "./discord.ts";
import { emailChannel } from "./email.ts";
import { googlechatChannel } from "./googlechat.ts";
import { imessageChannel } from "./imessage.ts";
import { ircChannel } from "./irc.ts";
import { matrixChannel } from "./matrix.ts";
import { mattermostChannel } from "./mattermost.ts";
import { msteamsChannel } from "./msteams.ts";
import { groupPolicy, heartbeatView } from "./shared.ts";
import { signalChannel } from "./signal.ts";
import { slackChannel } from "./slack.ts";
import { smsChannel } from "./sms.ts";
import { telegramChannel } from "./telegram.ts";
import { whatsappCloudChannel } from "./whatsapp-cloud.ts";
import { webhookChannel } from "./webhook.ts";
import { whatsappChannel } from "./whatsapp.ts";
import { xmppChannel } from "./xmpp.ts";

export const channelsSection = once(() =>
  openBlock(
    () => ({
      defaults: block(() => ({ groupPolicy: groupPolicy(), heartbeat: heartbeatView() })),
      modelByChannel: z.record(z.string(), z.record(z.string(), z.string())).optional(),
      whatsapp: whatsappChannel(),
      "whatsapp-cloud": whatsappCloudChannel(),
      telegram: telegramChannel(),
      discord: discordChannel(),
      email: emailChannel(),
      irc: ircChannel(),
      googlechat: googlechatChannel(),
      slack: slackChannel(),
      signal: signalChannel(),
      imessage: imessageChannel(),
      bluebubbles: bluebubblesChannel(),
      matrix: matrixChannel(),
      msteams: msteamsChannel(),
      webhook: webhookChannel(),
      mattermost: mattermostChannel(),
      xmpp: xmppChannel(),
      sms: smsChannel(),
    }),
    z.unknown(),
  ),
);
