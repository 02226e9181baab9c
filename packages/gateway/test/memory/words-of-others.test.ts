// Words of strangers, pages, programs and agents never reach the prompt of the owner, whichever way they come.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, say } from "@chela/sdk/testing";
import type { ChannelStage } from "../support/stages/channel-stage.ts";
import { eventually } from "../support/in-process.ts";
import {
  GROUP,
  HOOKS_TOKEN,
  IN_MEMORY_FILE,
  lastSystem,
  learnedBlock,
  openFamilyStage,
  writeNote,
} from "../support/stages/memory-stage.ts";
import type { Json } from "../support/wire-client.ts";

const TITLE = "About the owner:";

describe("the prompt of the owner has nothing of", () => {
  let stage: ChannelStage;
  let count = 0;
  beforeAll(async () => {
    stage = await openFamilyStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const post = (path: string, body: Json) =>
    stage.gateway.fetch(`/hooks/${path}`, {
      method: "POST",
      token: HOOKS_TOKEN,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  const finished = (runId: unknown) =>
    stage.client.untilEvent(
      "agent",
      ({ payload }) => payload.runId === runId && payload.stream === "lifecycle" && payload.data.phase === "end",
    );

  it.each<[string, (words: string) => Promise<unknown>]>([
    ["what a stranger wrote", (words) => stage.ask(words, { from: "bob" })],
    ["what a guest wrote", (words) => stage.ask(words, { from: "gus" })],
    ["what a stranger wrote in a group", (words) => stage.ask(words, { from: "bob", chat: GROUP })],
    ["what the owner wrote in a group", (words) => stage.ask(words, { from: "alice", chat: GROUP })],
    [
      "what the agent said",
      async (words) => {
        stage.model.script(say(words));
        await stage.ask("tell me something", { from: "alice" });
      },
    ],
    [
      "what the agent read",
      async (words) => {
        writeNote(stage.gateway.stateDir, "page.html", `<p>${words}</p>`);
        stage.model.script(callTool("read", { path: "page.html" }), say("I read it."));
        await stage.ask("read the page", { from: "alice" });
      },
    ],
    [
      "what the owner answers to",
      (words) =>
        stage.ask("what does that mean?", {
          from: "alice",
          more: { replyTo: { id: "m1", isOurs: false, sender: { id: "bob", name: "Bob" }, text: words } },
        }),
    ],
    ["what the owner forwards", (words) => stage.ask(words, { from: "alice", more: { forwardedFrom: "Mallory" } })],
    [
      "what a webhook told the agent",
      async (words) => {
        const response = await post("agent", { message: words, deliver: false, wakeMode: "next-heartbeat" });
        await finished(((await response.json()) as Json)["runId"]);
      },
    ],
    [
      "what a webhook noted for the owner's next turn",
      async (words) => {
        expect((await post("wake", { text: words, mode: "next-heartbeat" })).status).toBe(200);
        await stage.client.agent("hello", { sessionKey: "agent:main:main" });
        expect(stage.lastTold()).toContain(words);
      },
    ],
    [
      "what one conversation of the agent said to another",
      async (words) => {
        await stage.client.agent("hello", { sessionKey: "agent:main:target" });
        const args = { sessionKey: "agent:main:target", message: words, timeoutSeconds: 10 };
        stage.model.script(callTool("sessions_send", args), say("heard"), say("REPLY_SKIP"));
        await stage.client.agent("pass it on", { sessionKey: "agent:main:source" });
      },
    ],
  ])("%s", async (_what, deed) => {
    const name = `Zelda${String.fromCodePoint(97 + (count += 1))}`;
    const words = `My sister is called ${name}.`;
    const before = stage.model.requests.length;
    await deed(words);
    // Only what came this far can be kept out.
    expect(JSON.stringify([stage.model.requests.slice(before), stage.fake.sent])).toContain(name);
    expect(await learnedBlock(stage)).not.toContain(name);
    await stage.client.agent("hello", { sessionKey: `agent:main:after-${count}` });
    expect(lastSystem(stage)).not.toContain(name);
  });

  it("anybody else, while what the owner writes next is there", async () => {
    await stage.ask("My sister is called Marta.", { from: "alice" });
    expect(await learnedBlock(stage)).toContain("Marta");
  });
});

describe("where the owner and a stranger share one conversation", () => {
  const TOGETHER = { session: { dmScope: "main" } };
  const queue = (mode: string): Json => ({ ...TOGETHER, messages: { queue: { mode, debounceMs: 20 } } });
  const expectOwnersAlone = async (stage: ChannelStage): Promise<void> => {
    const block = await learnedBlock(stage);
    expect(block).toContain("My sister is called Marta.");
    expect(block).toContain("I prefer oolong tea.");
    expect(block).not.toContain("Zelda");
  };

  it("messages that are collected teach by who wrote them", async () => {
    await using stage = await openFamilyStage(queue("collect"));
    const { fake, model } = stage;
    const gate = stage.gateway.gate();
    model.script(gate.step("", "first"), say("second"), say("third"));
    await fake.say("one");
    await gate.reached;
    await fake.say("My sister is called Marta.");
    await fake.say("I prefer oolong tea.");
    await fake.say("My sister is called Zelda.", { from: "bob" });
    gate.open();
    await fake.until(3);
    expect(JSON.stringify(model.requests)).toContain("Zelda");
    await expectOwnersAlone(stage);
  });

  it.each(["steer", "steer-backlog"])("what is said to a running turn teaches by who said it (%s)", async (mode) => {
    await using stage = await openFamilyStage(queue(mode));
    const { fake, model } = stage;
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    model.script(async function* () {
      reached.resolve();
      await opened.promise;
      yield* callTool("session_status", {});
    });
    await fake.say("My sister is called Marta.");
    await reached.promise;
    await fake.say("I prefer oolong tea.");
    await fake.say("My sister is called Zelda.", { from: "bob" });
    opened.resolve();
    await eventually("everything was told", () =>
      ["oolong", "Zelda"].every((word) => JSON.stringify(model.requests).includes(word)),
    );
    await eventually(
      "all turns are over",
      async () => (await stage.client.call("memory.facts", { search: "Zelda" })).total,
    );
    await expectOwnersAlone(stage);
  });

  it("each is told what is theirs, and the owner the same as before", async () => {
    await using stage = await openFamilyStage(TOGETHER);
    await stage.client.agent("My sister is called Marta.", { sessionKey: "agent:main:elsewhere" });
    expect(await learnedBlock(stage)).toContain("Marta");
    await stage.ask("hello", { from: "alice" });
    const first = lastSystem(stage);
    expect(first).toContain("Marta");
    await stage.ask("hello", { from: "bob" });
    expect(lastSystem(stage)).not.toMatch(new RegExp(`Marta|${TITLE}|${IN_MEMORY_FILE}`));
    await stage.ask("hello", { from: "alice" });
    expect(lastSystem(stage)).toBe(first);
  });
});
