import { describe, expect, it } from "vitest";
import { GatewayError, type AgentMessage } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { Branches, Transcripts } from "./room.ts";

const user = (text: string): AgentMessage => ({ role: "user", content: text, timestamp: 0 });
const entryOf = (text: string) => ({ type: "message", message: user(text) });

async function createStage() {
  const ledger = createMemoryLedger();
  const clock = createFakeClock();
  let count = 0;
  const ids = {
    uuid: () => "u",
    entryId: () => `e${String(++count).padStart(4, "0")}`,
    token: () => "t",
    random: () => 0,
  };
  const transcripts = new Transcripts({ ledger, clock, ids: ids as never });
  const header = { type: "session" as const, version: 3, id: "s", timestamp: new Date(0).toISOString() };
  await ledger.commit([
    {
      kind: "transcript-open",
      sessionId: "s",
      sessionKey: "agent:main:main",
      agentId: "main",
      header,
      file: "s.jsonl",
    },
  ]);
  const say = async (...texts: string[]) => transcripts.append("s", texts.map(entryOf));
  const texts = async () => (await transcripts.read("s")).messages.map(({ content }) => content);
  return { ledger, transcripts, branches: new Branches({ ledger, transcripts }), say, texts };
}

describe("Branches", () => {
  it("goes back a number of messages and keeps what came after as another branch", async () => {
    const { branches, say, texts } = await createStage();
    await say("one", "two", "three");
    expect(await branches.moveTo("s", { turns: 2 })).toMatchObject({ dropped: 2 });
    expect(await texts()).toEqual(["one"]);
    await say("other");
    expect(await texts()).toEqual(["one", "other"]);
    const { branches: all } = await branches.tree("s");
    expect(all.map(({ preview, isActive }) => [preview, isActive])).toEqual(
      expect.arrayContaining([
        ["three", false],
        ["other", true],
      ]),
    );
  });

  it("goes back to the very beginning", async () => {
    const { branches, say, texts } = await createStage();
    await say("one", "two");
    await branches.moveTo("s", { turns: 2 });
    expect(await texts()).toEqual([]);
    await say("anew");
    expect(await texts()).toEqual(["anew"]);
  });

  it("returns to a named point, and back to the branch it left", async () => {
    const { branches, say, texts } = await createStage();
    await say("one");
    await branches.checkpoint("s", "start");
    await say("two");
    const left = (await branches.tree("s")).branches.find(({ isActive }) => isActive)?.entryId ?? "";
    await branches.moveTo("s", { ref: "START" });
    await say("three");
    expect(await texts()).toEqual(["one", "three"]);
    await branches.moveTo("s", { ref: left.slice(0, 5) });
    expect(await texts()).toEqual(["one", "two"]);
  });

  it("moves a name that is given again", async () => {
    const { branches, say } = await createStage();
    const [first] = await say("one");
    await branches.checkpoint("s", "here");
    const [second] = await say("two");
    await branches.checkpoint("s", "here");
    expect((await branches.tree("s")).checkpoints.map(({ entryId }) => entryId)).toEqual([second]);
    expect(first).not.toBe(second);
  });

  it("knows a name no more that another program took away", async () => {
    const { transcripts, branches, say } = await createStage();
    const [first = ""] = await say("one");
    await branches.checkpoint("s", "here");
    await say("two");
    await branches.checkpoint("s", "there");
    await transcripts.append("s", [{ type: "label", targetId: first }]);
    expect((await branches.tree("s")).checkpoints.map(({ label }) => label)).toEqual(["there"]);
  });

  it("reads a branch whose beginning lies far behind the others", async () => {
    const { transcripts, branches, say, texts } = await createStage();
    const [root] = await say("root");
    await say(...Array.from({ length: 2500 }, (_, at) => `filler ${at}`));
    await branches.moveTo("s", { ref: root ?? "" });
    await say("near");
    transcripts.forgetAll();
    expect(await texts()).toEqual(["root", "near"]);
  });

  it.each([
    ["a name nobody gave", { ref: "nowhere" }],
    ["more messages than there are", { turns: 9 }],
  ])("refuses %s, and says what there is", async (_what, target) => {
    const { branches, say, texts } = await createStage();
    await say("one");
    await expect(branches.moveTo("s", target)).rejects.toSatisfy(
      (error) => GatewayError.is(error) && error.code === "SESSION_TREE",
    );
    expect(await texts()).toEqual(["one"]);
  });
});
