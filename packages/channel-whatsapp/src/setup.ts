// Setup guide for WhatsApp, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
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
};
