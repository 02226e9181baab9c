// Setup guide for WhatsApp Cloud, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
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
};
