// What one line tells of a tool call.
import type { ShownMessage } from "@chela/sdk/protocol";
import { expect, test } from "vitest";
import { stateOf, tellingArgument } from "./tool-call.ts";
import { changesOf } from "../pages/chat/tools/tool-changes.ts";

const call = (name: string, args: unknown) => ({ id: "c", name, arguments: args });
const result = (part: Partial<ShownMessage>): ShownMessage => ({ index: 1, id: "r", role: "toolResult", ...part });

test("the argument that says most is told, on one line", () => {
  expect(tellingArgument(call("exec", { workdir: "/tmp", command: "ls \\\n  -la" }))).toBe("ls \\ -la");
  expect(tellingArgument(call("read", { file_path: "a.txt" }))).toBe("a.txt");
  expect(tellingArgument(call("process", { action: "poll", sessionId: "x1" }))).toBe("poll x1");
  expect(tellingArgument(call("apply_patch", { input: "*** Update File: a\n*** Delete File: b" }))).toBe("a, b");
  expect(tellingArgument(call("of_a_plugin", { depth: 3, where: "there" }))).toBe("there");
  expect(tellingArgument(call("agents_list", undefined))).toBe("");
  expect(tellingArgument(call("exec", { command: "x".repeat(900) }))).toHaveLength(200);
});

test("a running tool says since when, or that it waits for a yes", () => {
  expect(stateOf({ startedAt: 5 }, undefined)).toEqual({ kind: "running", startedAt: 5 });
  expect(stateOf({ startedAt: 5, details: { status: "approval-pending" } }, undefined)).toEqual({ kind: "asks" });
  expect(stateOf({ startedAt: 5, details: { status: "approval-resolved" } }, undefined).kind).toBe("running");
});

test("a result is what counts, whatever was running", () => {
  const running = { startedAt: 5 };
  expect(stateOf(running, result({ details: { exitCode: 0, durationMs: 12 } }))).toEqual({
    kind: "done",
    durationMs: 12,
  });
  expect(stateOf(running, result({ details: { exitCode: 2 } }))).toEqual({ kind: "exited", code: 2 });
  expect(stateOf(running, result({ isError: true }))).toEqual({ kind: "failed" });
  expect(stateOf(running, result({ isError: true, details: { status: "denied" } }))).toEqual({ kind: "denied" });
  expect(stateOf(running, result({ toolName: "exec", details: { status: "running" } })).kind).toBe("background");
});

test("without a result and without a run nothing is claimed", () => {
  expect(stateOf(undefined, undefined)).toEqual({ kind: "unknown" });
});

test("changes are those the tool told of, or those it was asked for", () => {
  const edit = call("edit", { path: "a", oldText: "x", newText: "" });
  expect(changesOf(edit)).toEqual({ kind: "passages", before: "x", after: "" });
  expect(changesOf(edit, result({ details: { diff: "@@ -1 +0,0 @@\n-x\n" } }))).toEqual({
    kind: "lines",
    lines: [{ kind: "gone", text: "x", number: 1 }],
  });
  expect(changesOf(call("write", { path: "a.ts", content: "" }))).toEqual({ kind: "file", path: "a.ts", text: "" });
  expect(changesOf(call("exec", { command: "x" }), result({ details: { diff: "no" } }))).toBeUndefined();
});
