// Setup guide for Slack, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
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
};
