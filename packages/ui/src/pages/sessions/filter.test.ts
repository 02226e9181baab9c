// What the address says of the list of sessions.
import { expect, test } from "vitest";
import { isNarrow, listParams, readFilter, writeFilter } from "./filter.ts";

test("an address without words is the usual list", () => {
  const usual = readFilter({});
  expect([writeFilter(usual), isNarrow(usual)]).toEqual([{}, false]);
  expect(listParams(usual, false)).toEqual({ includeDerivedTitles: true, sort: "updated" });
});

test("what was chosen comes back from the address, nonsense does not", () => {
  const said = { search: "a b", agent: "home", channel: "telegram", kind: "group", sort: "tokens" };
  expect(writeFilter(readFilter(said))).toEqual(said);
  expect(writeFilter(readFilter({ kind: "odd", sort: "odd", details: "key" }))).toEqual({});
});

test("the gateway is asked for what is meant", () => {
  const filter = readFilter({ search: " x ", agent: "home", channel: "irc", kind: "direct", sort: "created" });
  expect(listParams(filter, true)).toEqual({
    includeDerivedTitles: true,
    includeGlobal: true,
    search: "x",
    agentId: "home",
    channel: "irc",
    kind: "direct",
    sort: "created",
  });
});
