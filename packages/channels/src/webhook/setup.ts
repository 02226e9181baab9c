// Setup guide for the webhook channel, as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
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
};
