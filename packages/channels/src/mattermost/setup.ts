// Setup guide for Mattermost, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
  steps: [
    "In Mattermost open **Integrations → Bot accounts** and make a bot. An administrator may have to allow bots first.",
    "Copy its token.",
  ],
  fields: [
    { name: "baseUrl", label: "Server", isRequired: true, example: "https://chat.example.org" },
    { name: "botToken", label: "Bot token", isSecret: true, isRequired: true, example: "abcdefghijklmnop" },
  ],
};
