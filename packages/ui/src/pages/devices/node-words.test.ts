// What a device is said to offer to agents.
import { describe, expect, it } from "vitest";
import words from "./words.ts";
import { abilitiesOf, idleOf, keptOf, partsOf, type WaitingNode } from "./node-words.ts";

describe("what a device offers", () => {
  it.each([
    [["canvas.present", "canvas.hide"], [["Show pages on its screen", false]]],
    [["camera.list"], [["List its cameras", false]]],
    [["camera.snap", "camera.clip"], [["Take pictures and videos", true]]],
    [
      ["location.get", "system.run.prepare", "system.run", "system.which"],
      [
        ["Run programs", true],
        ["Tell where it is", false],
      ],
    ],
    [["system.notify"], [["Show notifications", false]]],
    // Nobody knows what it does.
    [["door.open"], [["door.open", true]]],
    [["__proto__"], [["__proto__", true]]],
    [[], []],
  ])("%j is told as %j", (commands, told) => {
    expect(abilitiesOf(commands, words).map(({ name, isStrong }) => [name, isStrong])).toEqual(told);
  });

  it("hides no command behind a friendly word", () => {
    const commands = ["system.run", "contacts.search", "contacts.add", "x.y", "canvas.eval"];
    const told = abilitiesOf(commands, words).flatMap((ability) => ability.commands);
    expect(told.toSorted()).toEqual(commands.toSorted());
  });

  it("names what its system lets it use", () => {
    expect(partsOf({ caps: ["camera", "canvas"], permissions: { camera: true, microphone: false } })).toEqual([
      "camera",
      "canvas",
    ]);
  });
});

it("what was allowed before is told apart from what is new", () => {
  const adds = { caps: [], commands: ["camera.snap"], permissions: {} };
  const request: WaitingNode = {
    requestId: "r",
    nodeId: "n",
    commands: ["location.get", "camera.snap"],
    ts: 0,
    adds,
  };
  expect(keptOf(request)).toEqual(["location.get"]);
});

it("what is allowed and not to be had is told", () => {
  expect(idleOf({ commands: ["a"] }, { commands: ["a", "b"] })).toEqual(["b"]);
  expect(idleOf({ commands: ["a"] }, undefined)).toEqual([]);
});
