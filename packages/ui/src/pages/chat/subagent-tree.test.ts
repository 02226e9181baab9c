// How sub-agents are put below each other.
import { expect, it } from "vitest";
import { childTitle, treeOf, type Branch, type Child } from "./subagent-tree.ts";

const ROOT = "agent:main:main";

function child(id: string, parentKey: string, sessionKey = `agent:main:subagent:${id}`): Child {
  return { runId: id, sessionKey, parentKey, task: id, state: "running" };
}

function shape(branches: ReadonlyArray<Branch<Child>>): unknown[] {
  return branches.map(({ child: { runId }, below }) => (below.length > 0 ? [runId, shape(below)] : runId));
}

it("each stands below the conversation it was started from, in the given order", () => {
  const children = [
    child("b", ROOT),
    child("b2", "agent:main:subagent:b"),
    child("b1", "agent:main:subagent:b"),
    child("b11", "agent:main:subagent:b1"),
    child("a", ROOT),
  ];
  expect(shape(treeOf(children, ROOT))).toEqual([["b", ["b2", ["b1", ["b11"]]]], "a"]);
});

it("one whose parent is not shown any more stands at the top", () => {
  expect(shape(treeOf([child("x", "agent:main:subagent:gone")], ROOT))).toEqual(["x"]);
});

it("a circle does not lead anywhere, and several errands of one conversation are told once each", () => {
  const same = "agent:main:subagent:same";
  const children = [
    child("later", ROOT, same),
    child("first", ROOT, same),
    child("child", same),
    child("circle", "agent:main:subagent:circle"),
  ];
  expect(shape(treeOf(children, ROOT))).toEqual([["later", ["child"]], "first"]);
});

it.each([
  [{ label: "Look", task: "Look it up" }, "Look"],
  [{ task: "  Look it up\nand say so" }, "Look it up"],
  [{ label: "", task: "x" }, "x"],
])("%j is called %j", (named, title) => {
  expect(childTitle(named)).toBe(title);
});
