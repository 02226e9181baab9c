// Whether a server has told all that was written while we were away.
import { expect, it } from "vitest";
import { createFakeClock, createFakeHost } from "@chela/sdk/testing";
import { createServerFacts } from "../server/server-facts.ts";
import { createHistory } from "./history.ts";
import { parseLine, type Line } from "../server/line.ts";

const lineOf = (text: string): Line => {
  const line = parseLine(text);
  if (!line) throw new Error(`no line: ${text}`);
  return line;
};

it.each([
  ["is complete when the server says that nobody wrote", "nobody", true],
  ["is complete when the server gives out no history", "refusal", true],
  ["is not complete when the server is silent", "silence", false],
])("what was missed %s", async (_what, answer, isComplete) => {
  const clock = createFakeClock();
  const { log } = createFakeHost({ directory: "/nowhere" });
  const history = createHistory({ facts: createServerFacts("us"), clock, log, write: async () => true });
  const asked = history.catchUp(0, () => {});
  await new Promise(setImmediate);
  if (answer === "nobody") history.takeBatch({ type: "draft/chathistory-targets", target: "", lines: [] });
  if (answer === "refusal") history.hear(lineOf("FAIL CHATHISTORY UNKNOWN_COMMAND TARGETS :no"));
  if (answer === "silence") await clock.advance(15_000);
  expect(await asked).toBe(isComplete);
});
