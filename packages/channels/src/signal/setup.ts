// Setup guide for Signal, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
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
};
