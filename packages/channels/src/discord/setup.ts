// Setup guide for Discord, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
  steps: [
    "In the [Developer Portal](https://discord.com/developers/applications) create an application and open its page **Bot**.",
    "Press **Reset Token**, and copy the token.",
    "On the same page switch on **Message Content Intent**: without it Discord hides what people write.",
    "On the page **OAuth2** make an address with the scopes `bot` and `applications.commands`, open it, and choose your server.",
  ],
  fields: [
    { name: "token", label: "Bot token", isSecret: true, isRequired: true, example: "MTk4NjIyNDgzNDc.Cl2FMQ.x" },
  ],
};
