// Commands that talk to an agent, and show how the gateway does.
import { type CommandSpec, JSON_FLAG, RPC_FLAGS } from "@chela/sdk/command-line";

export const TALK_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["agent"],
    summary: "Send one message and print the answer",
    flags: [
      { name: "message", short: "m", value: "text", help: "What to say (required)" },
      { name: "to", short: "t", value: "target", help: "Whose conversation, such as a phone number" },
      { name: "session-id", value: "id", help: "Go on in the session with this id" },
      { name: "session-key", value: "key", help: "Go on in the session with this key" },
      { name: "agent", value: "id", help: "Which agent answers" },
      { name: "thinking", value: "level", help: "off, minimal, low, medium, high or xhigh" },
      { name: "stream", help: "Print the answer while it is written" },
      { name: "url", value: "url", help: "Address of the gateway; needs --token or --password" },
      { name: "token", value: "token", help: "Token of the gateway" },
      { name: "password", value: "password", help: "Password of the gateway" },
      {
        name: "timeout",
        value: "seconds",
        kind: "number",
        preset: "600",
        help: "How long the answer may take; 0 for no limit",
      },
      {
        name: "verbose",
        value: "on|off",
        choices: ["on", "off"],
        help: "Verbosity of the session",
        unused: "--verbose has no effect yet.",
      },
      { name: "channel", value: "channel", help: "Channel of the conversation" },
      {
        name: "reply-to",
        value: "target",
        help: "Where the answer is delivered",
        unused: "--reply-to has no effect yet: the answer is printed here.",
      },
      {
        name: "reply-channel",
        value: "channel",
        help: "Channel of the delivery",
        unused: "--reply-channel has no effect yet.",
      },
      {
        name: "reply-account",
        value: "account",
        help: "Account of the delivery",
        unused: "--reply-account has no effect yet.",
      },
      {
        name: "deliver",
        help: "Deliver the answer to its channel too",
        unused: "--deliver has no effect yet: the answer is printed here.",
      },
      { name: "local", help: "Answer without a gateway", unused: "--local has no effect: the gateway answers." },
      JSON_FLAG,
    ],
    load: async () => (await import("../commands/agent.ts")).run,
  },
  {
    path: ["chat"],
    summary: "Talk with the agent in this terminal",
    flags: [
      { name: "session", value: "key", help: "Which session; the main one unless told" },
      { name: "history", value: "count", kind: "number", preset: "4", help: "Earlier messages to show first" },
      ...RPC_FLAGS.filter(({ name }) => name !== "json"),
    ],
    load: async () => (await import("../commands/chat.ts")).run,
  },
  {
    path: ["status"],
    summary: "The gateway, its sessions, devices and use at a glance",
    flags: [
      ...RPC_FLAGS,
      { name: "all", help: "Show ten recent sessions instead of five" },
      { name: "deep", help: "Taken for compatibility; everything is always asked" },
      { name: "usage", help: "Taken for compatibility; use is always shown" },
      { name: "verbose", help: "Taken for compatibility" },
    ],
    load: async () => (await import("../commands/status.ts")).run,
  },
  {
    path: ["health"],
    summary: "Ask the gateway whether it is well",
    flags: [
      ...RPC_FLAGS,
      { name: "verbose", help: "Measure anew and ask the platforms of channels, instead of taking the last result" },
    ],
    load: async () => (await import("../commands/health.ts")).run,
  },
  {
    path: ["logs"],
    summary: "Show the gateway's log",
    flags: [
      { name: "follow", short: "f", help: "Go on with new lines until Ctrl-C" },
      { name: "limit", value: "lines", kind: "number", preset: "200", help: "How many lines" },
      { name: "max-bytes", value: "bytes", kind: "number", preset: "250000", help: "How much of the file to read" },
      { name: "interval", value: "ms", kind: "number", preset: "1000", help: "How often --follow looks" },
      { name: "plain", help: "No colours" },
      { name: "local-time", help: "Times of this machine instead of UTC" },
      ...RPC_FLAGS.map((flag) =>
        flag === JSON_FLAG ? { ...flag, help: "The lines as they are: one JSON object each" } : flag,
      ),
    ],
    load: async () => (await import("../commands/logs.ts")).run,
  },
];
