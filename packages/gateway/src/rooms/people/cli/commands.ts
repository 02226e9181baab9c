// Commands about people: who is who, what they may do, and how much they may ask for.
import { type ArgumentSpec, type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const people = () => import("./people.ts");

const PERSON: ArgumentSpec = { name: "id", help: "Id of the person, such as ann" };
const IDS: ArgumentSpec = {
  name: "channel:id",
  repeats: true,
  help: "Who they are on a channel, such as telegram:123",
};
const ACCOUNT: FlagSpec = { name: "account", value: "id", help: "The ids hold on this account of the channel only" };
const ROLE: FlagSpec = {
  name: "role",
  value: "role",
  choices: ["owner", "approver", "member", "guest"],
  help: "What they may do",
};
const ABOUT: readonly FlagSpec[] = [
  { name: "name", value: "name", help: "How they are called" },
  { name: "note", value: "text", help: "For yourself" },
  { name: "messages-per-hour", value: "count", kind: "number", help: "At most so many messages reach an agent" },
  { name: "messages-per-day", value: "count", kind: "number", help: "The same for a day" },
  { name: "cost-per-day", value: "usd", kind: "number", help: "At most so many US dollars of model calls" },
];

export const commands: readonly CommandSpec[] = [
  { path: ["people"], summary: "Who is who across channels, and what they may do" },
  {
    path: ["people", "list"],
    summary: "Everybody who is known, with role, ids and limits",
    flags: RPC_FLAGS,
    load: async () => (await people()).list,
  },
  {
    path: ["people", "show"],
    summary: "One person, with how much of their limits is used",
    args: [PERSON],
    flags: RPC_FLAGS,
    load: async () => (await people()).show,
  },
  {
    path: ["people", "add"],
    summary: "Write a person down",
    args: [PERSON, { ...IDS, isOptional: true }],
    flags: [{ ...ROLE, preset: "guest" }, ACCOUNT, ...ABOUT, ...RPC_FLAGS],
    load: async () => (await people()).add,
  },
  {
    path: ["people", "edit"],
    summary: "Change role, name, note or limits",
    args: [PERSON],
    flags: [ROLE, ...ABOUT, { name: "no-quota", help: "Take all limits away" }, ...RPC_FLAGS],
    load: async () => (await people()).edit,
  },
  {
    path: ["people", "link"],
    summary: "Add ids: the same human on another channel",
    args: [PERSON, IDS],
    flags: [ACCOUNT, ...RPC_FLAGS],
    load: async () => (await people()).link,
  },
  {
    path: ["people", "unlink"],
    summary: "Take ids away",
    args: [PERSON, IDS],
    flags: [ACCOUNT, ...RPC_FLAGS],
    load: async () => (await people()).unlink,
  },
  {
    path: ["people", "remove"],
    summary: "Forget a person",
    args: [PERSON],
    flags: RPC_FLAGS,
    load: async () => (await people()).remove,
  },
  {
    path: ["people", "who"],
    summary: "Whose id this is",
    args: [{ name: "channel:id", help: "Such as telegram:123" }],
    flags: [ACCOUNT, ...RPC_FLAGS],
    load: async () => (await people()).who,
  },
  {
    path: ["people", "suggest"],
    summary: "Who is linked in the configuration and could be written down",
    flags: RPC_FLAGS,
    load: async () => (await people()).suggest,
  },
];
