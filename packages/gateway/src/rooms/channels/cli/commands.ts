// Commands that say something in chats of channels, or act on what was said there.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const load = async () => (await import("./message.ts")).run;

const TARGET: FlagSpec = {
  name: "target",
  short: "t",
  value: "target",
  help: "The chat, such as 123, user:123 or #room",
};
const MESSAGE: FlagSpec = { name: "message", short: "m", value: "text", help: "What to say" };
const MEDIA: FlagSpec = {
  name: "media",
  value: "file",
  repeats: true,
  help: "A file of the workspace or an address; may be given several times",
};
const MESSAGE_ID: FlagSpec = { name: "message-id", value: "id", help: "Which message" };
const THREAD_ID: FlagSpec = { name: "thread-id", value: "id", help: "In this thread" };
const REPLY_TO: FlagSpec = { name: "reply-to", value: "id", help: "As an answer to this message" };
const SILENT: FlagSpec = { name: "silent", help: "Nobody's telephone rings" };
const LIMIT: FlagSpec = { name: "limit", value: "count", kind: "number", preset: "20", help: "How many at most" };
const EVERYWHERE: readonly FlagSpec[] = [
  { name: "channel", value: "channel", help: "Which channel; may be left out when there is only one" },
  { name: "account", value: "id", help: "Which account of it; the default one unless told" },
  { name: "dry-run", help: "Say what would be done, and do nothing" },
  { name: "verbose", help: "Taken for compatibility" },
  ...RPC_FLAGS,
];

const action = (words: string, summary: string, flags: readonly FlagSpec[]): CommandSpec => ({
  path: ["message", ...words.split(" ")],
  summary,
  flags: [...flags, ...EVERYWHERE],
  load,
});

export const commands: readonly CommandSpec[] = [
  { path: ["message"], summary: "Write to chats of channels, and act on messages there" },
  action("send", "Send a text or files", [TARGET, MESSAGE, MEDIA, REPLY_TO, THREAD_ID, SILENT]),
  action("broadcast", "Send the same to several chats", [
    { name: "targets", value: "target", repeats: true, help: "A chat; may be given several times" },
    MESSAGE,
    MEDIA,
  ]),
  action("poll", "Send a poll", [
    TARGET,
    { name: "poll-question", value: "text", help: "The question (required)" },
    { name: "poll-option", value: "text", repeats: true, help: "An answer to choose; at least two" },
    { name: "poll-multi", help: "Several answers may be chosen" },
    { name: "poll-duration-hours", value: "hours", kind: "number", help: "How long it is open" },
    { name: "poll-duration-seconds", value: "seconds", kind: "number", help: "How long it is open" },
    MESSAGE,
    THREAD_ID,
    SILENT,
  ]),
  action("react", "Add a reaction to a message, or take it back", [
    TARGET,
    MESSAGE_ID,
    { name: "emoji", value: "emoji", help: "Which one" },
    { name: "remove", help: "Take it back" },
  ]),
  action("reactions", "Who reacted to a message, and how", [TARGET, MESSAGE_ID, LIMIT]),
  action("read", "What was said last in a chat", [
    TARGET,
    LIMIT,
    { name: "before", value: "id", help: "Before this message" },
    { name: "after", value: "id", help: "After this message" },
    THREAD_ID,
  ]),
  action("edit", "Change one of our messages", [TARGET, MESSAGE_ID, MESSAGE, THREAD_ID]),
  action("delete", "Take one of our messages back", [TARGET, MESSAGE_ID]),
  action("pin", "Pin a message", [TARGET, MESSAGE_ID]),
  action("unpin", "Unpin a message", [TARGET, MESSAGE_ID]),
  action("pins", "What is pinned in a chat", [TARGET, LIMIT]),
  { path: ["message", "thread"], summary: "Threads of a chat" },
  action("thread create", "Begin a thread", [
    TARGET,
    { name: "thread-name", value: "name", help: "What it is called (required)" },
    { ...MESSAGE_ID, help: "Begin it at this message" },
    MESSAGE,
  ]),
  action("thread list", "The threads there are", [TARGET, LIMIT]),
  action("thread reply", "Say something in a thread", [TARGET, THREAD_ID, MESSAGE, MEDIA, REPLY_TO]),
];
