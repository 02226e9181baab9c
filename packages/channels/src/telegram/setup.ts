// Setup guide for Telegram, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
  steps: [
    "Write `/newbot` to [@BotFather](https://t.me/BotFather) in Telegram, and choose a name.",
    "Copy the token it gives you.",
  ],
  fields: [
    { name: "botToken", label: "Bot token", isSecret: true, isRequired: true, example: "123456:ABC-DEF1234ghIkl" },
  ],
};
