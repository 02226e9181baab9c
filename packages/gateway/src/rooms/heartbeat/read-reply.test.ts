// What the answer to a heartbeat means.
import { describe, expect, test } from "vitest";
import { isHiddenSession } from "@chela/sdk";
import { readReply } from "./read-reply.ts";

const LONG = "word ".repeat(80).trim();

describe("nothing is told", () => {
  test.for([
    "HEARTBEAT_OK",
    "  HEARTBEAT_OK\n",
    "**HEARTBEAT_OK**",
    "`HEARTBEAT_OK`",
    "_HEARTBEAT_OK_",
    "<b>HEARTBEAT_OK</b>",
    "HEARTBEAT_OK.",
    "HEARTBEAT_OK!!!",
    "HEARTBEAT_OK 👍",
    "HEARTBEAT_OK - all is well.",
    "All is well. HEARTBEAT_OK",
    "All is well.\n\n**HEARTBEAT_OK**.",
    "<think>Is the door open? HEARTBEAT_OK or not</think>HEARTBEAT_OK",
  ])("for %j", (written) => {
    expect(readReply(written, ["what was shown"], 300)).toEqual({ kind: "nothing" });
  });
  test("for an empty answer, or one of which nothing is meant for people", () => {
    expect(readReply("", [], 300)).toEqual({ kind: "empty" });
    expect(readReply("<think>hm</think>", [], 300)).toEqual({ kind: "empty" });
    expect(readReply("NO_REPLY", [], 300)).toEqual({ kind: "empty" });
    expect(readReply("HEARTBEAT_OK and a few words", ["and a few words"], 0)).not.toEqual({ kind: "nothing" });
  });
});

describe("the person is told", () => {
  test.for<[string, string]>([
    ["The door is open.", "The door is open."],
    [`HEARTBEAT_OK\n\n${LONG}`, LONG],
    [`${LONG} HEARTBEAT_OK!`, LONG],
    ["I never say HEARTBEAT_OK in the middle of things.", "I never say HEARTBEAT_OK in the middle of things."],
    ["MY_HEARTBEAT_OK", "MY_HEARTBEAT_OK"],
    ["HEARTBEAT_OKAY", "HEARTBEAT_OKAY"],
  ])("%j", ([written, text]) => {
    expect(readReply(written, [written], 300)).toEqual({ kind: "news", text });
  });
  test("only the last of what was said, not what was said on the way", () => {
    const shown = ["Let me look.", "The door is open."];
    expect(readReply("The door is open.", shown, 300)).toEqual({ kind: "news", text: "The door is open." });
  });
});

test.for<[string, boolean]>([
  ["agent:main:heartbeat:main", true],
  ["agent:main:heartbeat:global", true],
  ["agent:main:main", false],
  ["agent:main:telegram:direct:heartbeat", false],
  ["agent:heartbeat:main", false],
])("lists leave out %s: %s", ([key, hidden]) => {
  expect(isHiddenSession(key)).toBe(hidden);
});
