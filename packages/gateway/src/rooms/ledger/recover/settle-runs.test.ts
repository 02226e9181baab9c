// After damage, what the transcripts show decides whether a message is still to be answered.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { openDatabase, SqliteLedger } from "../room.ts";
import { settleRuns } from "./settle-runs.ts";

const root = mkdtempSync(join(tmpdir(), "chela-settle-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const AT = Date.UTC(2026, 1, 26, 10, 11, 12, 345);
const KEY = "agent:main:main";

const user = (text: string, timestamp = AT) => ({ role: "user", content: [{ type: "text", text }], timestamp });
const answer = (text: string, more: object = {}) => ({ role: "assistant", content: [{ type: "text", text }], ...more });
const call = { role: "assistant", content: [{ type: "toolCall", id: "c1", name: "look", arguments: {} }] };
const result = { role: "toolResult", toolCallId: "c1", content: [] };

let count = 0;

/** A ledger with one message that waits, and a transcript with these messages. */
async function fill(
  body: Record<string, unknown>,
  messages: readonly object[],
): Promise<{ ledger: SqliteLedger; database: DatabaseSync }> {
  const database = openDatabase(join(root, `${++count}.sqlite`));
  const ledger = new SqliteLedger(database);
  const header = { type: "session" as const, version: 3, id: "s1", timestamp: new Date(AT).toISOString() };
  const lines = messages.map((message, index) => ({
    id: `e${index}`,
    line: JSON.stringify({ type: "message", id: `e${index}`, parentId: index ? `e${index - 1}` : null, message }),
  }));
  const address = { runId: "r1", channel: "webchat", account: "default", messageId: "m1", agentId: "main" };
  await ledger.admit({ ...address, sessionKey: KEY, body, admittedAt: AT });
  await ledger.commit([
    { kind: "transcript-open", sessionId: "s1", sessionKey: KEY, agentId: "main", header, file: "s1.jsonl" },
    { kind: "entries-append", sessionId: "s1", entries: lines },
  ]);
  return { ledger, database };
}

test.each<[string, object[], object]>([
  ["nothing of it stands there", [user("other", AT - 1), answer("yes")], { state: "queued" }],
  ["the same words were said at another time", [user("hello", AT - 1), answer("yes")], { state: "queued" }],
  ["it was asked", [user("hello")], { state: "running", sessionId: "s1" }],
  ["it was asked, with the time before it", [user("[Thu 2026-02-26 10:11 UTC] hello")], { state: "running" }],
  [
    "it was asked and answered, with a note for the model before it",
    [user("Files have changed.\n\n[Thu 2026-02-26 10:11 UTC] hello"), answer("yes")],
    { state: "done", outcome: { status: "ok", texts: ["yes"] } },
  ],
  ["a tool was called", [user("hello"), call, result], { state: "running", sessionId: "s1" }],
  ["it was answered", [user("hello"), answer("yes")], { state: "done", outcome: { status: "ok", texts: ["yes"] } }],
  ["it was answered after a tool", [user("hello"), call, result, answer("yes")], { state: "done" }],
  [
    "it failed",
    [user("hello"), answer("", { stopReason: "error", errorMessage: "no" })],
    { state: "done", outcome: { status: "error", error: "no" } },
  ],
  ["it was stopped", [user("hello"), answer("ye", { stopReason: "aborted" })], { outcome: { status: "aborted" } }],
])("a message waits, is gone on with, or is done: %s", async (_what, messages, expected) => {
  const { ledger, database } = await fill({ text: "hello" }, messages);
  expect(settleRuns(database)).toBe(0);
  expect(await ledger.run("r1")).toMatchObject(expected);
  await ledger.close();
});

test("a message whose words are lost ends with a sentence instead of waiting forever", async () => {
  const { ledger, database } = await fill({}, []);
  expect(settleRuns(database)).toBe(1);
  expect((await ledger.run("r1"))?.outcome).toMatchObject({
    status: "error",
    error: expect.stringContaining("Send it again"),
  });
  expect(await ledger.unfinishedRuns()).toEqual([]);
  await ledger.close();
});

test("a run that began with words the transcript has lost begins again", async () => {
  const { ledger, database } = await fill({ text: "hello" }, []);
  await ledger.commit([{ kind: "turn-begin", runId: "r1", sessionId: "s1", at: AT }]);
  settleRuns(database);
  expect(await ledger.run("r1")).toMatchObject({ state: "queued" });
  expect(await ledger.run("r1")).not.toHaveProperty("startedAt");
  await ledger.close();
});

test.each<[string, object[], object]>([
  ["the transcript still has it", [user("hello"), answer("yes")], { status: "ok", texts: ["yes"] }],
  ["it is nowhere any more", [], { status: "ok", texts: [] }],
])("a message that was answered stays so when the note of its answer is lost: %s", async (_what, messages, outcome) => {
  const { ledger, database } = await fill({ text: "hello" }, messages);
  await ledger.commit([{ kind: "turn-end", runId: "r1", at: AT, outcome: { status: "ok", texts: ["yes"] } }]);
  database.exec("UPDATE turns SET outcome = NULL, ended_at = NULL");
  settleRuns(database);
  expect(await ledger.run("r1")).toMatchObject({ state: "done", endedAt: AT, outcome });
  await ledger.close();
});

test("a turn without an end whose message is lost is forgotten", async () => {
  const { ledger, database } = await fill({ text: "hello" }, [user("hello"), answer("yes")]);
  await ledger.commit([
    { kind: "turn-begin", runId: "nobody", sessionId: "s1", at: AT },
    { kind: "tool-start", runId: "nobody", toolCallId: "c1", name: "look", args: {}, at: AT },
  ]);
  settleRuns(database);
  expect(database.prepare("SELECT count(*) AS n FROM turns WHERE run_id = 'nobody'").get()).toEqual({ n: 0 });
  expect(database.prepare("SELECT count(*) AS n FROM tool_calls WHERE ended_at IS NULL").get()).toEqual({ n: 0 });
  await ledger.close();
});
