// Which channels there are. Each is loaded when an account of it is configured, and never before.
import { GatewayError, type Channel } from "@chela/sdk";

export interface ChannelEntry {
  readonly id: string;
  readonly label: string;
  /** The package it comes in, when it is not part of this one. */
  readonly package?: string;
  load(): Promise<Channel>;
}

// Each channel has an account type of its own; whoever holds one only hands it back to the same channel.
const asChannel = (channel: unknown): Channel => channel as Channel;

/** The name is a variable on purpose: a bundler must leave it for the time when it is needed. */
async function fromPackage(name: string): Promise<Channel> {
  try {
    const { channel } = (await import(name)) as { channel: unknown };
    return asChannel(channel);
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new GatewayError("CHANNEL_PACKAGE", `npm install ${name}`, { cause: error });
  }
}

const packaged = (id: string, label: string): ChannelEntry => {
  const name = `@chela/channel-${id}`;
  return { id, label, package: name, load: () => fromPackage(name) };
};

export const CHANNELS: readonly ChannelEntry[] = [
  {
    id: "telegram",
    label: "Telegram",
    load: async () => asChannel((await import("./telegram/channel.ts")).telegramChannel),
  },
  { id: "irc", label: "IRC", load: async () => asChannel((await import("./irc/channel.ts")).ircChannel) },
  {
    id: "discord",
    label: "Discord",
    load: async () => asChannel((await import("./discord/channel.ts")).discordChannel),
  },
  { id: "slack", label: "Slack", load: async () => asChannel((await import("./slack/channel.ts")).slackChannel) },
  packaged("whatsapp", "WhatsApp"),
  {
    id: "whatsapp-cloud",
    label: "WhatsApp Cloud API",
    load: async () => asChannel((await import("./whatsapp-cloud/channel.ts")).whatsappCloudChannel),
  },
  { id: "signal", label: "Signal", load: async () => asChannel((await import("./signal/channel.ts")).signalChannel) },
  packaged("matrix", "Matrix"),
  { id: "email", label: "E-mail", load: async () => asChannel((await import("./email/channel.ts")).emailChannel) },
  {
    id: "webhook",
    label: "Webhook",
    load: async () => asChannel((await import("./webhook/channel.ts")).webhookChannel),
  },
  { id: "xmpp", label: "XMPP", load: async () => asChannel((await import("./xmpp/channel.ts")).xmppChannel) },
  {
    id: "mattermost",
    label: "Mattermost",
    load: async () => asChannel((await import("./mattermost/channel.ts")).mattermostChannel),
  },
  { id: "sms", label: "SMS (Twilio)", load: async () => asChannel((await import("./sms/channel.ts")).smsChannel) },
];
