// List of channels. Each is loaded when an account of it is configured, and never before; what may be written below
// `channels.<id>` is known without loading it.
import type { Channel, Lazy } from "@chela/sdk";
import type { ChannelSection } from "@chela/sdk/config";
import { discordSection } from "./discord/section.ts";
import { emailSection } from "./email/section.ts";
import { ircSection } from "./irc/section.ts";
import { mattermostSection } from "./mattermost/section.ts";
import { foundPackages, isInstalled, loadPackage, requirePackage } from "./packages.ts";
import { signalSection } from "./signal/section.ts";
import { slackSection } from "./slack/section.ts";
import { smsSection } from "./sms/section.ts";
import { telegramSection } from "./telegram/section.ts";
import { webhookSection } from "./webhook/section.ts";
import { whatsappCloudSection } from "./whatsapp-cloud/section.ts";
import { xmppSection } from "./xmpp/section.ts";

export interface ChannelEntry {
  readonly id: string;
  readonly label: string;
  /** The package it comes in, when it is not part of this one. */
  readonly package?: string;
  isInstalled(): boolean;
  /** What may be written below `channels.<id>`; undefined when nobody here knows. */
  section(): Lazy<ChannelSection> | undefined;
  /** Throws CHANNEL_PACKAGE. */
  load(): Promise<Channel>;
}

/** Each channel has an account type of its own; whoever holds one only hands it back to the same channel. */
function builtIn<Account>(
  id: string,
  label: string,
  section: Lazy<ChannelSection>,
  load: () => Promise<Channel<Account>>,
): ChannelEntry {
  return { id, label, isInstalled: () => true, section: () => section, load: async () => (await load()) as Channel };
}

function packaged(id: string, name: string, label?: string): ChannelEntry {
  return {
    id,
    get label() {
      return label ?? requirePackage(name)?.label ?? id;
    },
    package: name,
    isInstalled: () => isInstalled(name),
    section: () => requirePackage(name)?.section,
    load: () => loadPackage(name),
  };
}

/** In the order in which they are shown. */
export const CHANNELS: readonly ChannelEntry[] = [
  builtIn("telegram", "Telegram", telegramSection, async () => (await import("./telegram/channel.ts")).telegramChannel),
  builtIn("irc", "IRC", ircSection, async () => (await import("./irc/channel.ts")).ircChannel),
  builtIn("discord", "Discord", discordSection, async () => (await import("./discord/channel.ts")).discordChannel),
  builtIn("slack", "Slack", slackSection, async () => (await import("./slack/channel.ts")).slackChannel),
  packaged("whatsapp", "@chela/channel-whatsapp", "WhatsApp"),
  builtIn(
    "whatsapp-cloud",
    "WhatsApp Cloud API",
    whatsappCloudSection,
    async () => (await import("./whatsapp-cloud/channel.ts")).whatsappCloudChannel,
  ),
  builtIn("signal", "Signal", signalSection, async () => (await import("./signal/channel.ts")).signalChannel),
  packaged("matrix", "@chela/channel-matrix", "Matrix"),
  builtIn("email", "E-mail", emailSection, async () => (await import("./email/channel.ts")).emailChannel),
  builtIn("webhook", "Webhook", webhookSection, async () => (await import("./webhook/channel.ts")).webhookChannel),
  builtIn("xmpp", "XMPP", xmppSection, async () => (await import("./xmpp/channel.ts")).xmppChannel),
  builtIn(
    "mattermost",
    "Mattermost",
    mattermostSection,
    async () => (await import("./mattermost/channel.ts")).mattermostChannel,
  ),
  builtIn("sms", "SMS (Twilio)", smsSection, async () => (await import("./sms/channel.ts")).smsChannel),
];

/** With those that somebody else made and the owner installed. */
export function allChannels(): readonly ChannelEntry[] {
  const others = foundPackages().filter(({ id }) => !CHANNELS.some((entry) => entry.id === id));
  return [...CHANNELS, ...others.map(({ id, name }) => packaged(id, name))];
}
