// List of channels. Each is loaded when an account of it is configured, and never before; what may be written below
// `channels.<id>` is known without loading it.
import type { Channel, Lazy } from "@chela/sdk";
import type { ChannelSection } from "@chela/sdk/config";
import { discordSection } from "@chela/channels/discord/section";
import { emailSection } from "@chela/channels/email/section";
import { ircSection } from "@chela/channels/irc/section";
import { mattermostSection } from "@chela/channels/mattermost/section";
import { foundPackages, isInstalled, loadPackage, requirePackage } from "./packages.ts";
import { signalSection } from "@chela/channels/signal/section";
import { slackSection } from "@chela/channels/slack/section";
import { smsSection } from "@chela/channels/sms/section";
import { telegramSection } from "@chela/channels/telegram/section";
import { webhookSection } from "@chela/channels/webhook/section";
import { whatsappCloudSection } from "@chela/channels/whatsapp-cloud/section";
import { xmppSection } from "@chela/channels/xmpp/section";

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
  builtIn(
    "telegram",
    "Telegram",
    telegramSection,
    async () => (await import("@chela/channels/telegram")).telegramChannel,
  ),
  builtIn("irc", "IRC", ircSection, async () => (await import("@chela/channels/irc")).ircChannel),
  builtIn("discord", "Discord", discordSection, async () => (await import("@chela/channels/discord")).discordChannel),
  builtIn("slack", "Slack", slackSection, async () => (await import("@chela/channels/slack")).slackChannel),
  packaged("whatsapp", "@chela/channel-whatsapp", "WhatsApp"),
  builtIn(
    "whatsapp-cloud",
    "WhatsApp Cloud API",
    whatsappCloudSection,
    async () => (await import("@chela/channels/whatsapp-cloud")).whatsappCloudChannel,
  ),
  builtIn("signal", "Signal", signalSection, async () => (await import("@chela/channels/signal")).signalChannel),
  packaged("matrix", "@chela/channel-matrix", "Matrix"),
  builtIn("email", "E-mail", emailSection, async () => (await import("@chela/channels/email")).emailChannel),
  builtIn("webhook", "Webhook", webhookSection, async () => (await import("@chela/channels/webhook")).webhookChannel),
  builtIn("xmpp", "XMPP", xmppSection, async () => (await import("@chela/channels/xmpp")).xmppChannel),
  builtIn(
    "mattermost",
    "Mattermost",
    mattermostSection,
    async () => (await import("@chela/channels/mattermost")).mattermostChannel,
  ),
  builtIn("sms", "SMS (Twilio)", smsSection, async () => (await import("@chela/channels/sms")).smsChannel),
];

/** With those that somebody else made and the owner installed. */
export function allChannels(): readonly ChannelEntry[] {
  const others = foundPackages().filter(({ id }) => !CHANNELS.some((entry) => entry.id === id));
  return [...CHANNELS, ...others.map(({ id, name }) => packaged(id, name))];
}
