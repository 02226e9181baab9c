// Tools of all rooms: the lists that policies make of them, and the order in which models are told of them.
// A tool that is new has no part in this: what is held here is what configurations and prompts count on.
import type { Tool, ToolTraits } from "@chela/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOMS } from "../../src/house/contributions.ts";
import { inToldOrder, listTools } from "../../src/rooms/tools/policy/catalogue.ts";
import { BUILT_IN } from "../../src/rooms/tools/toolbox.test-support.ts";
import { startTroubledGateway, type TroubledGateway } from "../support/in-process-ledger.ts";

const FS = ["read", "write", "edit", "apply_patch"];
const SESSIONS = ["list", "history", "search", "send", "spawn"].map((name) => `sessions_${name}`);
const MEMORY = ["memory_search", "memory_get"];

let gateway: TroubledGateway;
let tools: readonly Tool[];
beforeAll(async () => {
  gateway = await startTroubledGateway();
  const all = await Promise.all(ROOMS.flatMap((room) => (room.tools ?? []).map((make) => make(gateway.house))));
  tools = all.filter(({ name }) => BUILT_IN.some((known) => known.name === name));
});
afterAll(() => gateway[Symbol.asyncDispose]());

const sorted = (names: Iterable<string>): string[] => [...names].toSorted();

test("each tool says of itself what the tests of policies say of it", () => {
  const traitsOf = ({
    name,
    family,
    profiles,
    inSandbox,
    notForSubagents,
    notForGuests,
    ownerOnly,
    told,
  }: ToolTraits) => ({ name, family, profiles, inSandbox, notForSubagents, notForGuests, ownerOnly, told });
  const byName = (all: readonly ToolTraits[]) => all.map(traitsOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(byName(tools)).toEqual(byName(BUILT_IN));
});

test("the lists are those that configurations count on", () => {
  const lists = listTools(tools);
  const inFamily = (family: string) =>
    sorted(lists.families.keys().filter((name) => lists.families.get(name) === family));
  expect(inFamily("fs")).toEqual(sorted(FS));
  expect(inFamily("runtime")).toEqual(["exec", "process"]);
  expect(inFamily("web")).toEqual(["web_fetch", "web_search"]);
  expect(inFamily("memory")).toEqual(sorted(MEMORY));
  expect(inFamily("sessions")).toEqual(sorted([...SESSIONS, "subagents", "session_status"]));
  expect(inFamily("ui")).toEqual(["browser", "canvas"]);
  expect(inFamily("messaging")).toEqual(["message"]);
  expect(inFamily("automation")).toEqual(["cron", "gateway"]);
  expect(inFamily("nodes")).toEqual(["nodes"]);
  expect(inFamily("agents")).toEqual(["agents_list"]);
  expect(inFamily("media")).toEqual(["attach", "image", "tts"]);
  const coding = [
    ...FS,
    "exec",
    "process",
    ...MEMORY,
    ...SESSIONS,
    "subagents",
    "session_status",
    "cron",
    "image",
    "attach",
  ];
  expect(sorted(lists.profiles.coding)).toEqual(sorted(coding));
  expect(lists.profiles.minimal).toEqual(["session_status"]);
  const talking = SESSIONS.filter((name) => name !== "sessions_spawn");
  expect(sorted(lists.profiles.messaging)).toEqual(sorted([...talking, "session_status", "message", "attach"]));
  expect(sorted(lists.ownerOnly)).toEqual(["cron", "gateway", "nodes", "whatsapp_login"]);
  expect(sorted(lists.guestDeny)).toEqual(["apply_patch", "edit", "write"]);
  const inside = [
    ...FS,
    "exec",
    "process",
    ...SESSIONS,
    "subagents",
    "session_status",
    "web_search",
    "web_fetch",
    ...MEMORY,
  ];
  expect(sorted(lists.sandboxAllow)).toEqual(sorted([...inside, "message", "image", "attach"]));
  expect(sorted(lists.sandboxDeny)).toEqual(["browser", "canvas", "cron", "gateway", "nodes"]);
  const never = ["gateway", "agents_list", "whatsapp_login", "session_status", "cron", ...MEMORY, "sessions_send"];
  expect(sorted(lists.subagentDeny)).toEqual(sorted(never));
  const forOthers = ["sessions_list", "sessions_history", "sessions_search", "sessions_spawn"];
  expect(sorted(lists.lastSubagentDeny)).toEqual(sorted(forOthers));
});

test("models are told of them in the order that providers have kept", () => {
  expect(inToldOrder(tools).map(({ name }) => name)).toEqual([
    "read",
    "write",
    "edit",
    "apply_patch",
    "exec",
    "process",
    "web_search",
    "web_fetch",
    "nodes",
    "cron",
    "message",
    "gateway",
    "agents_list",
    "sessions_list",
    "sessions_history",
    "sessions_search",
    "sessions_send",
    "subagents",
    "session_status",
    "image",
    "attach",
    "memory_get",
    "memory_search",
    "sessions_spawn",
  ]);
});
