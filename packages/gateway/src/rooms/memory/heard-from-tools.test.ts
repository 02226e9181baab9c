// What tools told in a turn: the same wherever in the ledger the reading began.
import { expect, test } from "vitest";
import type { HistoryEntry } from "@chela/sdk";
import { HeardFromTools } from "./heard-from-tools.ts";

const ROLES = ["user", "assistant", "toolResult", "toolResult", "assistant", "user", "assistant"] as const;
const HISTORY: readonly HistoryEntry[] = ROLES.map((role, at) => ({
  seq: at + 1,
  line: JSON.stringify({ id: `e${at}`, message: { role, content: `${role} ${at}` } }),
  sessionId: "s",
  sessionKey: "agent:main:main",
  agentId: "main",
}));
const read = (line: string) => (JSON.parse(line) as { message: { content: string } }).message.content;

test.each([0, 1, 2, 3, 4])("is heard by the answer, read from entry %i on", async (from) => {
  const tools = new HeardFromTools({ branch: async (_id, entryId) => HISTORY.slice(0, Number(entryId[1]) + 1) }, read);
  const heard: unknown[] = [];
  for (const entry of HISTORY.slice(from)) {
    tools.pass(entry);
    const id = `e${entry.seq - 1}`;
    if (entry.line.includes('"assistant"')) heard.push([id, (await tools.before(entry, id))?.trim()]);
  }
  const all = [
    ["e1", undefined],
    ["e4", "toolResult 2\ntoolResult 3"],
    ["e6", undefined],
  ];
  expect(heard).toEqual(all.filter(([id]) => Number(String(id)[1]) >= from));
});

test("is as long as anybody says it again, the newest of it", async () => {
  const tools = new HeardFromTools({ branch: async () => [] }, () => "x".repeat(10_000));
  const [user, , first, second, answer] = HISTORY;
  for (const entry of [user, first, second]) if (entry) tools.pass(entry);
  expect((await tools.before(answer as HistoryEntry, "e4"))?.length).toBe(16_000);
});
