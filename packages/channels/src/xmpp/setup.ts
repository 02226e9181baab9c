// Setup guide for XMPP, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
  steps: ["Make an account for the agent on any XMPP server."],
  fields: [
    { name: "jid", label: "Address", isRequired: true, example: "agent@example.org" },
    { name: "password", label: "Password", isSecret: true, isRequired: true, example: "a password" },
    { name: "rooms", label: "Rooms to join", isList: true, example: "lobby@rooms.example.org" },
  ],
};
