// Which device is the one a setup code was made for.
import { expect, it } from "vitest";
import { findArrived, whoIsPaired } from "./arrived.ts";
import type { PairedDevice } from "./device-words.ts";

const device = (deviceId: string, more: Partial<PairedDevice> = {}): PairedDevice => ({
  deviceId,
  roles: ["node", "operator"],
  scopes: ["operator.read"],
  createdAtMs: 1,
  approvedAtMs: 1,
  tokens: [],
  ...more,
});
const before = whoIsPaired([device("old")]);
const awaited = { before, roles: ["node", "operator"], name: undefined };

it.each([
  ["nobody came", [device("old")], undefined],
  ["a device that was not there", [device("old"), device("new")], "new"],
  ["one that is known and was approved for more", [device("old", { approvedAtMs: 2 })], "old"],
  ["no administrator, who came another way", [device("new", { scopes: ["operator.admin"] })], undefined],
  ["nobody in another role", [device("new", { roles: ["other"] })], undefined],
  ["nobody whom somebody let in", [device("answered")], undefined],
])("%s", (_name, paired, found) => {
  expect(findArrived(paired, awaited, new Set(["answered"]))?.deviceId).toBe(found);
});

it("a name that was given tells for sure", () => {
  const named = { ...awaited, name: "Phone" };
  const paired = [device("other", { displayName: "Tablet" }), device("new", { displayName: "Phone" })];
  expect(findArrived(paired, named, new Set())?.deviceId).toBe("new");
});
