// What holds in a channel's block when a key is not written, for the reference; the channels and joins have the numbers.

type Defaults = Readonly<Record<string, unknown>>;

export const COMMON_DEFAULTS: Defaults = {
  enabled: true,
  dmPolicy: "pairing",
  groupPolicy: "allowlist",
  chunkMode: "length",
  "blockStreamingCoalesce.idleMs": 1000,
  streaming: "off",
  replyToMode: "off",
  reactionNotifications: "own",
  "dm.groupEnabled": false,
  mediaMaxMb: 20,
};

/** Of a group, a topic, a guild, or a channel in one. */
export const PLACE_DEFAULTS: Defaults = { requireMention: true };

export const CHANNEL_DEFAULTS: Readonly<Record<string, Defaults>> = {
  telegram: {
    apiRoot: "https://api.telegram.org",
    richMessages: false,
    timeoutSeconds: 30,
    linkPreview: true,
    webhookPath: "/telegram-webhook",
    "markdown.tables": "code",
    textChunkLimit: 4000,
  },
  discord: {
    textChunkLimit: 2000,
    mediaMaxMb: 8,
    "intents.presence": false,
    "intents.guildMembers": false,
    "slashCommand.ephemeral": true,
    activityType: 4,
    status: "online",
  },
  slack: {
    mode: "socket",
    apiRoot: "https://slack.com/api/",
    webhookPath: "/slack/events",
    userTokenReadOnly: true,
    markdownBlocks: false,
    "slashCommand.enabled": false,
    "slashCommand.name": "openclaw",
    textChunkLimit: 4000,
  },
  whatsapp: {
    "ackReaction.direct": true,
    "ackReaction.group": "mentions",
    "markdown.tables": "bullets",
    sendReadReceipts: true,
    selfChatMode: false,
    textChunkLimit: 4000,
  },
  "whatsapp-cloud": {
    apiRoot: "https://graph.facebook.com",
    apiVersion: "v25.0",
    webhookPath: "/whatsapp/webhook",
    "markdown.tables": "bullets",
    sendReadReceipts: true,
    textChunkLimit: 4096,
  },
  signal: {
    httpHost: "127.0.0.1",
    httpPort: 8080,
    cliPath: "signal-cli",
    autoStart: true,
    startupTimeoutMs: 30_000,
    receiveMode: "on-connection",
    ignoreAttachments: false,
    ignoreStories: true,
    sendReadReceipts: false,
    mediaMaxMb: 8,
    "markdown.tables": "code",
    textChunkLimit: 2000,
  },
  irc: {
    tls: true,
    "nickserv.service": "NickServ",
    "nickserv.register": false,
    textChunkLimit: 350,
  },
  matrix: {
    deviceName: "Chela",
    encryption: false,
    threadReplies: "inbound",
    autoJoin: "off",
    textChunkLimit: 16_000,
  },
  email: {
    "imap.port": 993,
    "imap.tls": true,
    "imap.mailbox": "INBOX",
    "smtp.port": 587,
    requireDmarc: true,
    maxMessageMb: 25,
    maxPerSenderPerHour: 10,
    textChunkLimit: 100_000,
  },
  webhook: { path: "/hooks/channel", format: "chela", mediaMaxMb: 5, textChunkLimit: 100_000 },
  mattermost: { chatmode: "oncall", oncharPrefixes: [">", "!"], textChunkLimit: 16_383 },
  xmpp: { resource: "chela", "markdown.tables": "code", textChunkLimit: 4000 },
  sms: { apiRoot: "https://api.twilio.com", webhookPath: "/sms/webhook", textChunkLimit: 1500 },
  googlechat: { "dm.policy": "pairing", streamMode: "replace" },
};
