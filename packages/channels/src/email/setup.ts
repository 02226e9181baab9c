// Setup guide for e-mail, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
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
};
