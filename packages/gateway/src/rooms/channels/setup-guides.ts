// What somebody needs to set up each channel, for forms: the steps at the platform, and the settings they end in.
// What is complete decides each channel's own `configure`; the tests hold this table against it.

export interface SetupField {
  /** The setting; a dot leads into a block. */
  readonly name: string;
  readonly label: string;
  /** It is a list, written with commas. */
  readonly isList?: true;
  readonly isSecret?: true;
  /** The channel cannot do without it. */
  readonly isRequired?: true;
  readonly hint?: string;
  /** How one looks; also what the tests fill in. */
  readonly example?: string;
}

export interface SetupGuide {
  /** Markdown, one step each. */
  readonly steps: readonly string[];
  readonly fields: readonly SetupField[];
}

export const SETUP_GUIDES: Readonly<Record<string, SetupGuide>> = {
  telegram: {
    steps: [
      "Write `/newbot` to [@BotFather](https://t.me/BotFather) in Telegram, and choose a name.",
      "Copy the token it gives you.",
    ],
    fields: [
      { name: "botToken", label: "Bot token", isSecret: true, isRequired: true, example: "123456:ABC-DEF1234ghIkl" },
    ],
  },
  irc: {
    steps: [
      "Choose a network and a nick that is free there.",
      "If the network has services, register the nick: then nobody else can take it.",
    ],
    fields: [
      { name: "host", label: "Server", isRequired: true, example: "irc.libera.chat" },
      { name: "nick", label: "Nick", isRequired: true, example: "my-chela" },
      {
        name: "nickserv.password",
        label: "Password of the nick",
        isSecret: true,
        hint: "Only if the nick is registered.",
      },
      { name: "channels", label: "Channels to join", isList: true, example: "#my-room, #another" },
    ],
  },
  discord: {
    steps: [
      "In the [Developer Portal](https://discord.com/developers/applications) create an application and open its page **Bot**.",
      "Press **Reset Token**, and copy the token.",
      "On the same page switch on **Message Content Intent**: without it Discord hides what people write.",
      "On the page **OAuth2** make an address with the scopes `bot` and `applications.commands`, open it, and choose your server.",
    ],
    fields: [
      { name: "token", label: "Bot token", isSecret: true, isRequired: true, example: "MTk4NjIyNDgzNDc.Cl2FMQ.x" },
    ],
  },
  slack: {
    steps: [
      "On [api.slack.com/apps](https://api.slack.com/apps) create an app from scratch.",
      "**Socket Mode**: switch it on, and make an app-level token with the scope `connections:write`.",
      "**OAuth & Permissions**: add the bot scopes, at least `chat:write`, `im:history`, `im:read`, `im:write`, `users:read`, install the app, and copy the bot token.",
      "**Event Subscriptions**: switch on, and subscribe the bot to `message.im` and `app_mention`.",
      "**App Home**: let people send messages in the messages tab.",
    ],
    fields: [
      {
        name: "botToken",
        label: "Bot token",
        isSecret: true,
        isRequired: true,
        hint: "Begins with xoxb-",
        example: "xoxb-1-2-a",
      },
      {
        name: "appToken",
        label: "App token",
        isSecret: true,
        isRequired: true,
        hint: "Begins with xapp-",
        example: "xapp-1-A-b",
      },
    ],
  },
  whatsapp: {
    steps: [
      "Use a number of its own for the agent: WhatsApp may block numbers that behave like machines.",
      "Save. Then a picture appears, which you scan on the telephone under **Settings → Linked devices**.",
    ],
    fields: [
      {
        name: "phoneNumber",
        label: "Telephone number",
        hint: "Only to link by typing a code instead of scanning a picture.",
        example: "+4915112345678",
      },
    ],
  },
  "whatsapp-cloud": {
    steps: [
      "On [developers.facebook.com](https://developers.facebook.com/apps) make an app of the kind Business, and add WhatsApp to it.",
      "Make a system user with a lasting access token that has `whatsapp_business_messaging`.",
      "Make up a verify token. Enter it in the app under **WhatsApp → Configuration**, with the address `https://<your host>/whatsapp/webhook`, and subscribe to `messages`.",
    ],
    fields: [
      {
        name: "phoneNumberId",
        label: "Phone number id",
        isRequired: true,
        hint: "In the app under WhatsApp, API setup. Not the number itself.",
        example: "123456789012345",
      },
      { name: "accessToken", label: "Access token", isSecret: true, isRequired: true, example: "EAAJB" },
      {
        name: "appSecret",
        label: "App secret",
        isSecret: true,
        isRequired: true,
        hint: "Under App settings, Basic. It proves that messages come from Meta.",
        example: "0123456789abcdef",
      },
      { name: "verifyToken", label: "Verify token", isSecret: true, isRequired: true, example: "made-up-by-you" },
    ],
  },
  signal: {
    steps: [
      "Install [signal-cli](https://github.com/AsamK/signal-cli) on the gateway's machine.",
      "Save. Then a picture appears, which you scan in Signal under **Settings → Linked devices**.",
    ],
    fields: [
      {
        name: "account",
        label: "Telephone number",
        isRequired: true,
        hint: "Of the telephone it is linked with, with its country code.",
        example: "+15551234567",
      },
      {
        name: "cliPath",
        label: "Path of signal-cli",
        hint: "Only if it is not found by itself.",
        example: "/usr/bin/signal-cli",
      },
    ],
  },
  matrix: {
    steps: [
      "Make an account for the agent on a homeserver. Never use your own: the agent would read and write as you.",
      "Log in with its id and password, or with an access token.",
    ],
    fields: [
      { name: "homeserver", label: "Homeserver", isRequired: true, example: "https://matrix.example.org" },
      { name: "userId", label: "User id", hint: "Needed with a password.", example: "@agent:example.org" },
      { name: "password", label: "Password", isSecret: true },
      { name: "accessToken", label: "Access token", isSecret: true, hint: "Instead of id and password." },
    ],
  },
  email: {
    steps: [
      "Make a mailbox for the agent alone: every new mail in it goes to the agent.",
      "Look up its servers for IMAP and SMTP. Many providers want an app password instead of the usual one.",
    ],
    fields: [
      { name: "address", label: "Address", isRequired: true, example: "bot@example.org" },
      { name: "imap.host", label: "IMAP server", isRequired: true, example: "imap.example.org" },
      { name: "imap.password", label: "Password", isSecret: true, isRequired: true, example: "a password" },
      { name: "smtp.host", label: "SMTP server", isRequired: true, example: "smtp.example.org" },
    ],
  },
  webhook: {
    steps: [
      "Make a secret, such as with `openssl rand -hex 32`. Both sides sign with it.",
      "Send messages to `/hooks/channel` on the gateway's port.",
    ],
    fields: [
      {
        name: "secret",
        label: "Secret",
        isSecret: true,
        isRequired: true,
        hint: "16 characters or more.",
        example: "0123456789abcdef0123456789abcdef",
      },
      {
        name: "outboundUrl",
        label: "Where answers go",
        hint: "Leave it out if nobody wants answers.",
        example: "https://my-program.example.org/answers",
      },
    ],
  },
  xmpp: {
    steps: ["Make an account for the agent on any XMPP server."],
    fields: [
      { name: "jid", label: "Address", isRequired: true, example: "agent@example.org" },
      { name: "password", label: "Password", isSecret: true, isRequired: true, example: "a password" },
      { name: "rooms", label: "Rooms to join", isList: true, example: "lobby@rooms.example.org" },
    ],
  },
  mattermost: {
    steps: [
      "In Mattermost open **Integrations → Bot accounts** and make a bot. An administrator may have to allow bots first.",
      "Copy its token.",
    ],
    fields: [
      { name: "baseUrl", label: "Server", isRequired: true, example: "https://chat.example.org" },
      { name: "botToken", label: "Bot token", isSecret: true, isRequired: true, example: "abcdefghijklmnop" },
    ],
  },
  sms: {
    steps: [
      "In [Twilio's console](https://console.twilio.com) buy a number that can send texts.",
      "Make the gateway reachable with https.",
      "Open the number, and under **Messaging** enter the address for “A message comes in”, with HTTP POST.",
    ],
    fields: [
      { name: "accountSid", label: "Account SID", isRequired: true, example: `AC${"0123456789abcdef".repeat(2)}` },
      { name: "authToken", label: "Auth token", isSecret: true, isRequired: true, example: "0123456789abcdef" },
      { name: "from", label: "Your number", isRequired: true, example: "+15551234567" },
      {
        name: "publicUrl",
        label: "Address Twilio calls",
        isRequired: true,
        hint: "Letter by letter as in Twilio's console.",
        example: "https://bot.example.org/sms/webhook",
      },
    ],
  },
};
