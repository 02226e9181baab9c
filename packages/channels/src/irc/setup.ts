// Setup guide for IRC, shown as a form: the steps at the platform, and the settings they end in.
import type { SetupGuide } from "@chela/sdk";

export const setup: SetupGuide = {
  steps: [
    "Choose a network and a nick that is free there.",
    "If the network has services, register the nick: then nobody else can take it.",
  ],
  fields: [
    { name: "host", label: "Server", isRequired: true, example: "irc.libera.chat" },
    { name: "nick", label: "Nick", isRequired: true, example: "my-chela" },
    {
      name: "nickserv.password",
      label: "Password of the nick",
      isSecret: true,
      hint: "Only if the nick is registered.",
    },
    { name: "channels", label: "Channels to join", isList: true, example: "#my-room, #another" },
  ],
};
