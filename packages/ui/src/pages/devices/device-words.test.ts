// What a device is said to be and to be able to do.
import { describe, expect, it } from "vitest";
import words from "./words.ts";
import { deviceKind, deviceName, powerName, powersOf, roleName, rolesOf } from "./device-words.ts";

describe("what a device may do", () => {
  it.each([
    [["operator.admin", "operator.approvals", "operator.pairing"], ["operator.admin"]],
    [["operator.read", "operator.write"], ["operator.write"]],
    [
      ["operator.read", "operator.approvals"],
      ["operator.read", "operator.approvals"],
    ],
    [
      ["operator.admin", "other.thing"],
      ["operator.admin", "other.thing"],
    ],
    [[], []],
  ])("%j is told as %j", (scopes, told) => {
    expect(powersOf(scopes)).toEqual(told);
  });

  it("has plain words where they are known", () => {
    expect(powerName(words, "operator.pairing")).toBe("Let devices in");
    expect(powerName(words, "other.thing")).toBe("other.thing");
    expect(roleName(words, "constructor")).toBe("constructor");
  });
});

it("a device says what it is", () => {
  expect(deviceKind(words, { clientMode: "ui", platform: "web" })).toEqual(["Control page", "web"]);
  expect(deviceName(words, { displayName: " " })).toBe("Unnamed device");
  expect(deviceName(words, { displayName: "\u202Eabc\u0007 👩‍💻" })).toBe("abc 👩‍💻");
  expect(rolesOf({ role: "operator", roles: ["node", "operator"] })).toEqual(["node", "operator"]);
});
