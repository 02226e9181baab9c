import { describe, expect, it } from "vitest";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { Transcripts } from "../../rooms/sessions/room.ts";
import { TurnSteps } from "./steps.ts";

const said = (text: string) => ({ type: "message", message: { role: "user", content: text, timestamp: 0 } });

async function createStage() {
  const ledger = createMemoryLedger();
  const clock = createFakeClock();
  let count = 0;
  const ids = { uuid: () => "u", entryId: () => `e${String(++count).padStart(7, "0")}` };
  const transcripts = new Transcripts({ ledger, clock, ids: ids as never });
  const header = { type: "session" as const, version: 3, id: "s", timestamp: new Date(0).toISOString() };
  const open = { sessionId: "s", sessionKey: "k", agentId: "main", header, file: "s.jsonl" };
  await ledger.commit([{ kind: "transcript-open", ...open }]);
  let commits = 0;
  const commit: typeof ledger.commit = (changes) => {
    commits++;
    return ledger.commit(changes);
  };
  const steps = new TurnSteps("s", { house: { transcripts, clock }, commit });
  const written = async () =>
    (await ledger.entries("s")).map(
      ({ line }) => (JSON.parse(line) as { message: { content: string } }).message.content,
    );
  return { steps, clock, written, commits: () => commits };
}

const opening = { bodies: [said("question")], before: [], after: [] };

describe("TurnSteps", () => {
  it("let what does no harm wait for the next commit, and keep the order", async () => {
    const { steps, written, commits } = await createStage();
    await steps.open(opening);
    await steps.defer([said("look")], []);
    await steps.defer([said("seen")], []);
    expect(await written()).toEqual([]);
    expect(steps.hasPending).toBe(true);
    await steps.write([said("answer")], []);
    expect(await written()).toEqual(["question", "look", "seen", "answer"]);
    expect(commits()).toBe(1);
    expect(steps.hasPending).toBe(false);
  });

  it("write by themselves what has waited long enough, and what comes after it in its place", async () => {
    const { steps, clock, written, commits } = await createStage();
    await steps.open(opening);
    clock.advance(100);
    await steps.defer([said("look")], []);
    expect(await written()).toEqual(["question"]);
    clock.advance(100);
    await steps.write([said("answer")], []);
    expect(await written()).toEqual(["question", "look", "answer"]);
    expect(commits()).toBe(3);
  });

  it("write a new session at once", async () => {
    const { steps, written } = await createStage();
    await steps.open({ ...opening, before: [{ kind: "value-put", key: "a", value: "b" }] });
    expect(await written()).toEqual(["question"]);
  });

  it("leave what waits to the next start when they are cancelled", async () => {
    const { steps, clock, written } = await createStage();
    await steps.open(opening);
    steps.cancel();
    clock.advance(1000);
    expect(await written()).toEqual([]);
  });
});
