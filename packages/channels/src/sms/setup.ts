// Setup guide for SMS, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
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
};
