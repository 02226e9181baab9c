// Who may do what, and which changes give somebody more.
import { describe, expect, it } from "vitest";
import { freeId, givesPower, idOfName, inOrder, readQuota, type Person } from "./person-facts.ts";

const one = { channel: "telegram", id: "1" };
const two = { channel: "discord", id: "2" };
const person = (more: Partial<Person>): Person => ({
  id: "x",
  name: "X",
  role: "guest",
  ids: [],
  createdAt: 1,
  updatedAt: 1,
  ...more,
});

describe("power", () => {
  it.each([
    ["a new guest", undefined, { role: "guest", ids: [one] }, false],
    ["a new member", undefined, { role: "member", ids: [one] }, false],
    ["a new approver", undefined, { role: "approver", ids: [one] }, true],
    ["a new owner without ids", undefined, { role: "owner", ids: [] }, true],
    ["an owner stays one", { role: "owner", ids: [one] }, { role: "owner", ids: [one] }, false],
    ["an owner loses an id", { role: "owner", ids: [one, two] }, { role: "owner", ids: [one] }, false],
    ["an owner gets another id", { role: "owner", ids: [one] }, { role: "owner", ids: [one, two] }, true],
    [
      "an id of one account becomes one of all",
      { role: "owner", ids: [{ ...one, account: "a" }] },
      { role: "owner", ids: [one] },
      true,
    ],
    ["an approver becomes an owner", { role: "approver", ids: [one] }, { role: "owner", ids: [one] }, true],
    ["an owner becomes an approver", { role: "owner", ids: [one] }, { role: "approver", ids: [one] }, false],
  ] as const)("is given to %s: %s", (_who, before, after, isGiven) => {
    const of = (given: typeof before | typeof after) => given && { role: given.role, ids: [...given.ids] };
    expect(givesPower(of(before), of(after) ?? person({}))).toBe(isGiven);
  });
});

it("those who may do most come first", () => {
  const people = [person({ name: "Zoe" }), person({ name: "Ann" }), person({ name: "Max", role: "owner" })];
  expect(inOrder(people).map(({ name }) => name)).toEqual(["Max", "Ann", "Zoe"]);
});

it.each([
  ["Ann", "ann"],
  ["Zoë Müller", "zoe-muller"],
  ["  -_x_-  ", "x"],
  ["王芳", ""],
  ["a".repeat(90), "a".repeat(60)],
])("%j could have the id %j", (name, id) => {
  expect(idOfName(name)).toBe(id);
});

it("an id is nobody else's", () => {
  expect(freeId("Ann", ["ann", "ann-2"])).toBe("ann-3");
  expect(freeId("王芳", [])).toBe("person");
});

it("an empty field is no limit, and nothing is one", () => {
  expect(readQuota({ messagesPerHour: "", messagesPerDay: " ", costPerDay: "" })).toBeUndefined();
  expect(readQuota({ messagesPerHour: "0", messagesPerDay: "", costPerDay: "1.5" })).toEqual({
    messagesPerHour: 0,
    costPerDay: 1.5,
  });
});
