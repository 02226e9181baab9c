// Setup guide for Matrix, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
  steps: [
    "Make an account for the agent on a homeserver. Never use your own: the agent would read and write as you.",
    "Log in with its id and password, or with an access token.",
  ],
  fields: [
    { name: "homeserver", label: "Homeserver", isRequired: true, example: "https://matrix.example.org" },
    { name: "userId", label: "User id", hint: "Needed with a password.", example: "@agent:example.org" },
    { name: "password", label: "Password", isSecret: true },
    { name: "accessToken", label: "Access token", isSecret: true, hint: "Instead of id and password." },
  ],
};
