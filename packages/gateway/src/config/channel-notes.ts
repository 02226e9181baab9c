// A sentence per key of a channel's block, for the reference. What several channels have in common stands here once.
// Where our default is not OpenClaw's, the sentence says so. `*` stands for any name.

type Notes = Readonly<Record<string, string>>;

export const COMMON_NOTES: Notes = {
  enabled: "Whether it is connected.",
  name: "A name for people, shown in lists of accounts.",
  dmPolicy:
    "Who may write directly: whoever was approved with a code (pairing), those in allowFrom (allowlist), everybody (open, which also needs * in allowFrom), or nobody.",
  allowFrom:
    "People who may write directly, by ids that cannot change hands. A name is looked up once and means that person ever after.",
  groupPolicy:
    "In which groups it listens: in those that are listed, to people who are listed (allowlist), in all (open), or in none.",
  groupAllowFrom: "People who may speak in groups. Without it allowFrom; who was approved with a code does not count.",
  historyLimit:
    "How much of what was said in a group, but not to the agent, it is told; instead of messages.groupChat.",
  defaultAccount: "The account that is meant when none is named.",
  textChunkLimit: "Longest message; the platform's own limit still holds.",
  chunkMode:
    "Where long answers are cut: as late as possible (length), or at empty lines and only then by length (newline).",
  responsePrefix: "What stands before answers of this account, instead of messages.responsePrefix.",
  blockStreaming: "Whether finished paragraphs are sent before the whole answer is there.",
  "blockStreamingCoalesce.minChars": "How much text such a message has at least, unless no more comes for a while.",
  "blockStreamingCoalesce.maxChars": "How much it has at most.",
  "blockStreamingCoalesce.idleMs": "After how long without more text it is sent as it is; 5 seconds at most.",
  "heartbeat.showAlerts": "Whether what heartbeats have to say is sent here.",
  "heartbeat.useIndicator": "Whether displays may show a sign of a heartbeat that writes here.",
  streaming:
    "Whether an answer is shown while it is written: as one message that grows (partial, progress, true), in finished blocks (block), or not (off).",
  streamMode: "The older way to write streaming.",
  replyToMode: "Whether answers quote the message they answer: never (off), with their first part, or with all parts.",
  ackReaction: 'The reaction a message gets as soon as it is taken; "" for none.',
  reactionNotifications:
    "Which reactions agents are told of: none, those to their own messages, all, or those of people who are named in a list.",
  "markdown.tables": "What becomes of tables: code, lists (bullets), or left as they are (off).",
  sendReadReceipts: "Whether people see that a message was read. Only messages that were let in are marked.",
  mediaMaxMb: "Largest file that is taken in, in megabytes.",
  "commands.native":
    "Whether the gateway's commands are offered in the platform's own menu, instead of commands.native for all.",
  "dm.enabled": "Whether direct messages are taken at all.",
  "dm.policy": "The older way to write dmPolicy.",
  "dm.allowFrom": "The older way to write allowFrom.",
  "dm.groupEnabled": "Whether it takes part in direct chats of several people.",
  "dm.groupChannels": "The ids of those chats; others are passed over.",
  apiRoot: "Address of the platform's API, for tests and servers of your own.",
  webhookPath: "Where on the gateway's port the platform's requests arrive.",
};

/** Of a group, a topic, a guild, or a channel in one. */
export const PLACE_NOTES: Notes = {
  enabled: "Whether it listens here.",
  allow: "The older way to write enabled.",
  requireMention:
    "Whether it answers here only when it is mentioned or answered. What else is said is kept as context.",
  groupPolicy: "The policy here, instead of that of the account.",
  allowFrom: "Only these people may speak here.",
  users: "Only these people may speak here; without it, and without roles, everybody.",
  roles: "People with one of these roles may speak here, too.",
  systemPrompt: "What agents are told about this place.",
  "tools.allow": "Only these tools here.",
  "tools.alsoAllow": "Further tools beside those.",
  "tools.deny": "Never these tools here.",
  "toolsBySender.*.allow":
    "Only these tools for one person (id:…, e164:… or username:…), instead of what holds for all here. A name only narrows.",
  "toolsBySender.*.alsoAllow": "Further tools for this person.",
  "toolsBySender.*.deny": "Never these tools for this person.",
};

/** What is peculiar to a channel, also when it only says more than the common sentence. */
export const CHANNEL_NOTES: Readonly<Record<string, Notes>> = {
  telegram: {
    botToken: "The token @BotFather gave you; else TELEGRAM_BOT_TOKEN.",
    tokenFile: "A file with the token.",
    apiRoot: "Address of a Bot API server of your own.",
    richMessages: "Whether Markdown is handed over as it is, where the server understands it. A key of ours.",
    timeoutSeconds: "How long a request to Telegram may take.",
    linkPreview: "Whether Telegram shows previews of links.",
    webhookUrl: "The public address at which Telegram finds the gateway. Without it messages are fetched.",
    webhookSecret: "What Telegram must bring with each request; needed with webhookUrl.",
    mediaMaxMb:
      "Largest file that is taken in, in megabytes. In OpenClaw 5; Telegram itself gives bots no more than 20.",
  },
  discord: {
    token: "The bot's token; else DISCORD_BOT_TOKEN.",
    publicKey:
      "The application's public key: with it, slash commands and buttons may also come by HTTP. A key of ours.",
    "intents.presence": "Whether Discord tells who is online. Must be allowed in the developer portal.",
    "intents.guildMembers": "Whether Discord tells who joins and leaves. Must be allowed in the developer portal.",
    "slashCommand.ephemeral": "Whether only whoever gave a slash command sees that it is being answered.",
    activity: "What stands below the bot's name.",
    activityType:
      "What kind of activity it is: 0 playing, 1 streaming, 2 listening, 3 watching, 4 as written, 5 competing.",
    activityUrl: "Address of the stream, for activity type 1.",
    status: "How the bot is shown.",
  },
  slack: {
    mode: "Whether the gateway connects to Slack (socket), or Slack calls the gateway (http).",
    botToken: "The bot's token (xoxb-…); else SLACK_BOT_TOKEN.",
    appToken: "The app-level token (xapp-…) for socket mode; else SLACK_APP_TOKEN.",
    signingSecret: "What Slack signs its requests with, for http mode; else SLACK_SIGNING_SECRET.",
    requireMention: "The same for all channels that do not say it themselves.",
    markdownBlocks: "Whether texts are sent as Slack's own Markdown blocks. A key of ours.",
    "slashCommand.enabled": "Whether the slash command is listened to.",
    "slashCommand.name": "Name of the slash command.",
    "commands.native": "The same as slashCommand.enabled.",
    streaming:
      "Whether an answer is shown while it is written: as one message that grows (partial, progress, true), in finished blocks (block), or not. Off by default; in OpenClaw partial.",
  },
  whatsapp: {
    phoneNumber: "Link the account by a code that is typed on this telephone, instead of a picture. A key of ours.",
    selfChatMode: "The number is your own: what you write to yourself is for the agent.",
    waWebSocketUrl: "Another server than WhatsApp's, for tests. A key of ours.",
    authDir: "Where the credentials of this account lie, as an absolute path.",
    "ackReaction.emoji": "The reaction a message gets as soon as it is taken.",
    "ackReaction.direct": "Whether direct messages get it.",
    "ackReaction.group": "Which messages in groups get it: all, those that mention the agent, or none.",
    mediaMaxMb: "Largest file that is taken in, in megabytes. In OpenClaw 50.",
  },
  "whatsapp-cloud": {
    accessToken: "Meta's access token; else WHATSAPP_CLOUD_ACCESS_TOKEN.",
    phoneNumberId: "Meta's id of the number, in quotes; else WHATSAPP_CLOUD_PHONE_NUMBER_ID.",
    appSecret: "What Meta signs its requests with; else WHATSAPP_CLOUD_APP_SECRET.",
    verifyToken: "A word of your choice, also told to Meta; else WHATSAPP_CLOUD_VERIFY_TOKEN.",
    apiVersion: "Version of Meta's API.",
  },
  signal: {
    account: "The telephone number, with its country code.",
    httpUrl: "Address of a signal-cli you run yourself.",
    httpHost: "Address on which signal-cli listens.",
    httpPort: "Port on which signal-cli listens.",
    cliPath: "Where signal-cli is, if not on the PATH.",
    autoStart: "Whether the gateway starts signal-cli.",
    startupTimeoutMs: "How long signal-cli may take to start.",
    receiveMode:
      "When signal-cli fetches messages. With on-connection, our default, they wait at Signal while nobody listens; with on-start they are lost then.",
    ignoreAttachments: "Whether files are left alone.",
    ignoreStories: "Whether stories are left alone.",
  },
  irc: {
    host: "The server; else IRC_HOST.",
    port: "Its port; else IRC_PORT, else 6697, or 6667 without TLS.",
    tls: "Whether the connection is encrypted; else IRC_TLS.",
    tlsCa: "File with the certificate of whoever signs the server's. A key of ours, like the three below.",
    tlsFingerprint: "SHA-256 of the only certificate that is accepted.",
    tlsCert: "File of a client certificate, to log in without a password.",
    tlsKey: "File of its key.",
    nick: "The nick; else IRC_NICK.",
    username: "The user name the server is told; else IRC_USERNAME, else the nick.",
    realname: "The real name the server is told; else IRC_REALNAME, else the nick.",
    password: "Password of the server or bouncer; else IRC_PASSWORD.",
    passwordFile: "A file with that password.",
    "nickserv.enabled": "Whether it logs in to the services account.",
    "nickserv.service": "Who is told the password when the server has no SASL.",
    "nickserv.account": "Name of the services account, if it is not the nick. A key of ours.",
    "nickserv.password": "Password of the services account; else IRC_NICKSERV_PASSWORD.",
    "nickserv.passwordFile": "A file with that password.",
    "nickserv.register": "Whether the nick is registered if it is not yet.",
    "nickserv.registerEmail": "The address to register with; else IRC_NICKSERV_REGISTER_EMAIL.",
    channels: 'Channels to join, as "#name" or "#name key"; else IRC_CHANNELS.',
  },
  matrix: {
    homeserver: "Address of the homeserver, as clients use it; else MATRIX_HOMESERVER.",
    userId: "The full id, such as @agent:example.org; else MATRIX_USER_ID. Needed with a password.",
    accessToken: "A token to log in with; else MATRIX_ACCESS_TOKEN.",
    password: "A password to log in with once; else MATRIX_PASSWORD.",
    deviceName: "How the gateway is called in lists of devices; else MATRIX_DEVICE_NAME.",
    encryption: "Whether encrypted rooms are read and written.",
    threadReplies: "Whether answers are written in threads: in those that exist (inbound), always, or never.",
    autoJoin: "Whether invitations are followed: none, those in autoJoinAllowlist, or all.",
    allowlistOnly: "Whether policies that let everybody in are read as allow-lists.",
    autoJoinAllowlist: "People whose invitations are followed, and rooms that are entered when invited.",
    defaultAccount: "The account that is meant when none is named.",
    "groups.*.autoReply": "The older way to write requireMention: false.",
    "rooms.*.autoReply": "The older way to write requireMention: false.",
    "dm.policy": "The same as dmPolicy, and comes before it.",
    "dm.allowFrom": "The same as allowFrom, and comes before it.",
    "markdown.tables":
      "What becomes of tables: code, lists (bullets), or left as they are (off). Unless it is written, real tables.",
  },
  email: {
    name: "How the sender of answers is shown.",
    address: "The address answers are written from.",
    "imap.host": "Server that mail is read from.",
    "imap.port": "Its port.",
    "imap.tls":
      "Whether the connection is encrypted from the start, or by starttls; never without, except on this machine.",
    "imap.user": "Name to log in with; else the address.",
    "imap.password": "Password; else EMAIL_PASSWORD.",
    "imap.mailbox": "The folder that is read.",
    "smtp.host": "Server that mail is sent through.",
    "smtp.port": "Its port.",
    "smtp.tls": "The same for sending. Unless it is written, true on port 465 and starttls elsewhere.",
    "smtp.user": "Name to log in with; else that of imap.",
    "smtp.password": "Password; else that of imap.",
    passwordFile: "A file with the password.",
    tlsCa: "File with the certificate of whoever signs the servers'.",
    trustedAuthServers: "Servers whose word on the origin of a mail counts, by the name they write into its headers.",
    requireDmarc: "Whether only mail is read whose sender is proved.",
    maxMessageMb: "Largest mail that is read, in megabytes.",
    maxPerSenderPerHour: "How many mails of one sender are taken in an hour.",
    sentMailbox: "Folder into which a copy of what was sent is put; unless it is written, the one the server names.",
  },
  webhook: {
    secret: "What requests are signed with, in both directions; 16 characters or more.",
    path: "Where on the gateway's port requests arrive.",
    outboundUrl: "Where answers are sent. Without it messages can only come in.",
    format: "Whether requests are of our own form, or GitHub's.",
    template: "What an event of GitHub becomes, with {{fields}} of it.",
    sender: "Who is the sender of requests that name none.",
    mediaMaxMb: "Largest file that is sent with an answer, in megabytes; 5 at most.",
  },
  mattermost: {
    botToken: "The bot account's token; else MATTERMOST_BOT_TOKEN.",
    baseUrl: "Address of the server, such as https://chat.example.org; else MATTERMOST_URL.",
    chatmode:
      "When it answers in channels: when it is mentioned (oncall), always (onmessage), or when a message begins with one of oncharPrefixes (onchar).",
    oncharPrefixes: "What such a message begins with.",
    requireMention: "The same for all channels that do not say it themselves; comes before chatmode.",
    "markdown.tables":
      "What becomes of tables: code, lists (bullets), or left as they are (off). Unless it is written, real tables.",
  },
  xmpp: {
    jid: "The account's address, such as agent@example.org; else XMPP_JID.",
    password: "Its password; else XMPP_PASSWORD.",
    passwordFile: "A file with that password.",
    service:
      "Where the server is: xmpp:// (STARTTLS), xmpps:// (TLS) or wss://. Unless it is written, as the domain's DNS says.",
    resource: "The name of this device; another connection with the same one takes its place.",
    tlsCa: "File with the certificate of whoever signs the server's.",
    nick: "The nick in rooms; unless it is written, the first part of the address.",
    rooms: "Rooms to be in: addresses, or objects with jid, nick and password.",
    "rooms[].jid": "The address of the room.",
    "rooms[].nick": "The nick in this room.",
    "rooms[].password": "The password of the room, if it has one.",
  },
  sms: {
    accountSid: "The Twilio account (AC…); else TWILIO_ACCOUNT_SID.",
    authToken: "Its primary auth token, with which Twilio also signs its requests; else TWILIO_AUTH_TOKEN.",
    from: "Your number, with its country code.",
    messagingServiceSid: "A messaging service (MG…) that chooses the number, instead of from or beside it.",
    publicUrl: "The address Twilio calls, letter by letter. Signatures are checked against it.",
  },
};
