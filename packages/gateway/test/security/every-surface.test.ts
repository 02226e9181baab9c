// Nothing is there that no suite looks at: no route, method, tool, kind of event, channel, child process, listener or
// way into the configuration; and no class of flaw is without a suite.
import { expect, test } from "vitest";
import { CHANNEL_CONTENT_KINDS } from "@chela/sdk";
import { CHANNELS } from "../../src/rooms/channels/index.ts";
import { contentsWith } from "../support/stages/channel-stage.ts";
import { listDoorRoutes } from "../support/security/door-routes.ts";
import { openDoorStage } from "../support/security/door-stage.ts";
import {
  CHANNEL_SUITES,
  CHILD_STARTERS,
  CLASSES,
  CONFIG_WRITERS,
  EVENT_KINDS,
  findChildStarters,
  findConfigWriters,
  findListeners,
  LISTENERS,
  listSuites,
  TOOLS,
  WALKED,
} from "../support/security/security-surfaces.ts";

const SUITES = listSuites();

test.each(CLASSES)("%s has a suite", (id) => {
  expect(SUITES.filter((suite) => suite.id === id).map(({ path }) => path)).not.toEqual([]);
});

test("every suite belongs to a class, and its first line names it", () => {
  const wrong = SUITES.filter(({ id, text }) => {
    const [line = ""] = text.split("\n", 1);
    return !CLASSES.includes(id) || !/^\/\/ S-\d\d\b/.test(line) || !line.includes(id);
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test.each(WALKED)("the suites that say so walk the table of $table", ({ sign, suites }) => {
  const walking = SUITES.filter(({ text }) => sign.test(text)).map(({ id }) => id);
  expect(suites.filter((id) => !walking.includes(id))).toEqual([]);
});

test("every route has an address that suites ask for", () => {
  // Throws, with its name, when one has none.
  expect(listDoorRoutes().length).toBeGreaterThan(20);
});

test("every tool of a gateway with everything in it is listed", async () => {
  await using stage = await openDoorStage();
  const { groups } = await (await stage.gateway.connect()).call("tools.catalog", {});
  const names = groups.flatMap(({ tools }: { tools: Array<{ id: string }> }) => tools.map(({ id }) => id));
  expect(names.toSorted()).toEqual(Object.keys(TOOLS).toSorted());
});

test("every kind of event is listed, and is one that suites send", () => {
  expect(CHANNEL_CONTENT_KINDS.toSorted()).toEqual(Object.keys(EVENT_KINDS).toSorted());
  expect(CHANNEL_CONTENT_KINDS.toSorted()).toEqual(Object.keys(contentsWith("")).toSorted());
});

test("every channel is listed", () => {
  expect(CHANNELS.map(({ id }) => id).toSorted()).toEqual(Object.keys(CHANNEL_SUITES).toSorted());
});

test.each([
  ["starts a process", findChildStarters, CHILD_STARTERS],
  ["listens", findListeners, LISTENERS],
  ["writes the configuration", findConfigWriters, CONFIG_WRITERS],
] as const)("every file that %s is listed", (_what, find, listed) => {
  expect(find()).toEqual(Object.keys(listed).toSorted());
});

test("nothing is listed under a suite that is not there", () => {
  const named = [
    ...[TOOLS, EVENT_KINDS, CHANNEL_SUITES].flatMap((table) => Object.entries(table)),
    ...[CHILD_STARTERS, LISTENERS, CONFIG_WRITERS].flatMap((table) =>
      Object.entries(table).map(([path, { suites }]) => [path, suites] as const),
    ),
  ];
  const known = new Set(SUITES.map(({ id }) => id));
  const missing = named.flatMap(([name, suites]) =>
    suites.filter((id) => !known.has(id)).map((id) => `${name}: ${id}`),
  );
  expect(missing).toEqual([]);
  expect(named.filter(([, suites]) => suites.length === 0)).toEqual([]);
});
