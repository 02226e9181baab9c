import { describe, expect, it } from "vitest";
import type { SendOutcome, SendRequest, SessionToolParts } from "../room.ts";
import { STRANGER } from "../toolbox.test-support.ts";
import { afterAnswer, announcementIn, beginExchange, nextStep } from "./exchange.ts";
import { jsonOf, openWorld, type SeedSession } from "./world.test-support.ts";

const OWN = { key: "agent:main:main", entry: { label: "home" } };
const TARGET: SeedSession = {
  key: "agent:main:telegram:group:-100",
  entry: { label: "family", lastChannel: "telegram", lastTo: "-100" },
};
const QUIET: SeedSession = { key: "agent:main:notes", entry: { label: "notes" } };

/** A world whose sessions answer by a script; `over` resolves when the exchange has ended. */
async function openTalk(
  script: readonly (Partial<SendOutcome> | string)[],
  { maxPingPongTurns, parts }: { maxPingPongTurns?: number; parts?: Partial<SessionToolParts> } = {},
) {
  const sent: SendRequest[] = [];
  const announced: string[] = [];
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  const world = await openWorld({
    sessions: [OWN, TARGET, QUIET],
    settings: { visibility: "agent", maxPingPongTurns },
    parts: {
      async send(request) {
        const step = script[sent.length];
        sent.push(request);
        if (sent.length === script.length) resolve();
        const outcome = typeof step === "string" ? { reply: step } : step;
        return { runId: `run-${sent.length}`, status: "ok", ...outcome };
      },
      announce: async (key, text) => void announced.push(`${key}: ${text}`),
      ...parts,
    },
  });
  /** All microtasks of the exchange are done once a later macrotask runs. */
  const over = async (): Promise<void> => {
    await settled;
    await new Promise((done) => setImmediate(done));
  };
  return { world, sent, announced, over };
}

describe("sessions_send", () => {
  it("hands the message over as one of another session, and returns the reply as data", async () => {
    const { world, sent, over } = await openTalk(["Dinner at 7.", "REPLY_SKIP", "ANNOUNCE_SKIP"]);
    const from = { requester: STRANGER };
    const answer = await world.call("sessions_send", { sessionKey: TARGET.key, message: "When is dinner?" }, from);
    expect(jsonOf(answer)).toEqual({
      runId: "run-1",
      status: "ok",
      reply: "Dinner at 7.",
      sessionKey: TARGET.key,
      delivery: { status: "pending", mode: "announce" },
    });
    expect(answer.details).toEqual(jsonOf(answer));
    await over();
    expect(sent[0]).toMatchObject({
      sessionKey: TARGET.key,
      message: "When is dinner?",
      provenance: {
        kind: "inter_session",
        sourceSessionKey: OWN.key,
        sourceChannel: "telegram",
        sourceTool: "sessions_send",
      },
      timeoutSeconds: 30,
    });
    // No step of the exchange may do more than the person who began it.
    for (const { requester } of sent) expect(requester).toBe(STRANGER);
    // What people wrote is never part of the words for the system prompt.
    for (const { note } of sent) expect(note).not.toMatch(/dinner/i);
  });

  it("lets the two talk up to the configured number of turns, then announces what the target says", async () => {
    const { world, sent, announced, over } = await openTalk(["t1", "r1", "t2", "r2", "We agreed."], {
      maxPingPongTurns: 3,
    });
    await world.call("sessions_send", { sessionKey: TARGET.key, message: "m" });
    await over();
    expect(sent.map(({ sessionKey, message }) => [sessionKey, message]).slice(0, 4)).toEqual([
      [TARGET.key, "m"],
      [OWN.key, "t1"],
      [TARGET.key, "r1"],
      [OWN.key, "t2"],
    ]);
    expect(sent[1]?.provenance.sourceSessionKey).toBe(TARGET.key);
    expect(sent).toHaveLength(5);
    expect(sent[4]?.sessionKey).toBe(TARGET.key);
    expect(announced).toEqual([`${TARGET.key}: We agreed.`]);
  });

  it.each([
    ["REPLY_SKIP ends the talk at once", ["t1", " REPLY_SKIP\n", "news"], 3, ["news"]],
    ["ANNOUNCE_SKIP keeps the outcome to themselves", ["t1", "REPLY_SKIP", "ANNOUNCE_SKIP"], 3, []],
    ["a first reply of REPLY_SKIP leads to the announcement", ["REPLY_SKIP", "news"], 2, ["news"]],
    ["a failed step ends the talk", ["t1", { status: "error" as const, error: "x" }, "news"], 3, ["news"]],
    ["a failed announcement is none", ["REPLY_SKIP", { status: "timeout" as const }], 2, []],
  ])("%s", async (_name, script, messages, news) => {
    const { world, sent, announced, over } = await openTalk(script);
    await world.call("sessions_send", { sessionKey: TARGET.key, message: "m" });
    await over();
    expect(sent).toHaveLength(messages);
    expect(announced).toEqual(news.map((text) => `${TARGET.key}: ${text}`));
  });

  it("announces nothing for a session that belongs to no chat", async () => {
    const { world, sent, announced, over } = await openTalk(["t1", "REPLY_SKIP"]);
    expect(jsonOf(await world.call("sessions_send", { sessionKey: QUIET.key, message: "m" }))).not.toHaveProperty(
      "delivery",
    );
    await over();
    expect([sent.length, announced]).toEqual([2, []]);
  });

  it.each([
    [0, "accepted"],
    [5, "timeout"],
  ] as const)(
    "with a wait of %d s says %s, and the late reply still reaches the caller",
    async (timeoutSeconds, status) => {
      const script = [{ status }, "REPLY_SKIP", "ANNOUNCE_SKIP"];
      const { world, sent, over } = await openTalk(script, {
        parts: { waitFor: async (runId) => ({ runId, status: "ok", reply: `late reply of ${runId}` }) },
      });
      const answer = await world.call("sessions_send", { sessionKey: TARGET.key, message: "m", timeoutSeconds });
      expect(jsonOf(answer)).toMatchObject({ runId: "run-1", status });
      expect(answer.isError).toBeUndefined();
      await over();
      expect(sent[0]?.timeoutSeconds).toBe(timeoutSeconds);
      expect(sent[1]).toMatchObject({ sessionKey: OWN.key, message: "late reply of run-1" });
    },
  );

  it("passes a failure on, and nothing follows it", async () => {
    const { world, sent, over } = await openTalk([{ status: "error", error: "No credit left." }]);
    const answer = await world.call("sessions_send", { sessionKey: TARGET.key, message: "m" });
    expect(jsonOf(answer)).toEqual({
      runId: "run-1",
      status: "error",
      error: "No credit left.",
      sessionKey: TARGET.key,
    });
    expect(answer.isError).toBe(true);
    await over();
    expect(sent).toHaveLength(1);
  });

  it("logs an exchange that breaks off, and the caller is not hurt", async () => {
    const { world, over } = await openTalk(["REPLY_SKIP", "news"], {
      parts: { announce: () => Promise.reject(new Error("channel is gone")) },
    });
    expect(jsonOf(await world.call("sessions_send", { sessionKey: TARGET.key, message: "m" }))["status"]).toBe("ok");
    await over();
    expect(world.logged).toEqual(["an exchange between two sessions broke off"]);
  });

  it.each([
    [{ sessionKey: "main" }, /this session itself/],
    [{ label: "home" }, /this session itself/],
    [{}, /sessionKey or its label/],
    [{ sessionKey: "main", label: "family" }, /not both/],
  ])("refuses %j with a sentence", async (args, error) => {
    const { world, sent } = await openTalk([]);
    const answer = await world.call("sessions_send", { ...args, message: "m" });
    expect(jsonOf(answer)).toMatchObject({ status: "error", error: expect.stringMatching(error) });
    expect(sent).toEqual([]);
  });

  it("finds a session by its label, and asks for the key when several have it", async () => {
    const twins = ["agent:main:a", "agent:main:b"].map((key) => ({ key, entry: { label: "twin" } }));
    const world = await openWorld({ sessions: [OWN, TARGET, ...twins], settings: { visibility: "agent" } });
    const found = jsonOf(await world.call("sessions_send", { label: "family", agentId: "Main", message: "m" }));
    expect(found).toMatchObject({ status: "ok", sessionKey: TARGET.key });
    const several = jsonOf(await world.call("sessions_send", { label: "twin", message: "m" }));
    expect(several).toMatchObject({ status: "error", error: expect.stringContaining("agent:main:a, agent:main:b") });
  });

  it("does not let sessions wait for each other in a circle", async () => {
    const { promise: reply, resolve } = Promise.withResolvers<SendOutcome>();
    const bothWait = Promise.withResolvers<void>();
    const sent: string[] = [];
    const world = await openWorld({
      sessions: [OWN, TARGET, QUIET],
      settings: { visibility: "agent", maxPingPongTurns: 0 },
      parts: {
        send({ sessionKey }) {
          sent.push(sessionKey);
          if (sent.length === 2) bothWait.resolve();
          return reply;
        },
      },
    });
    const first = world.call("sessions_send", { sessionKey: QUIET.key, message: "m" });
    const second = world.call("sessions_send", { sessionKey: TARGET.key, message: "m" }, { sessionKey: QUIET.key });
    await bothWait.promise;
    const third = await world.call("sessions_send", { sessionKey: "main", message: "m" }, { sessionKey: TARGET.key });
    expect(jsonOf(third)).toMatchObject({ status: "error", error: expect.stringMatching(/waiting for the answer/) });
    resolve({ runId: "r", status: "ok", reply: "REPLY_SKIP" });
    await Promise.all([first, second]);
    const later = await world.call("sessions_send", { sessionKey: "main", message: "m" }, { sessionKey: QUIET.key });
    expect(jsonOf(later)["status"]).toBe("ok");
    expect(sent.slice(0, 2)).toEqual([QUIET.key, TARGET.key]);
  });

  it("begins no second exchange between two sessions that have one", async () => {
    const held = Promise.withResolvers<SendOutcome>();
    const sent: string[] = [];
    const world = await openWorld({
      sessions: [OWN, TARGET],
      settings: { visibility: "agent" },
      parts: {
        async send({ sessionKey, message }) {
          sent.push(`${sessionKey}: ${message}`);
          return message === "hello" ? held.promise : { runId: "r", status: "ok", reply: "hello" };
        },
      },
    });
    await world.call("sessions_send", { sessionKey: TARGET.key, message: "m" });
    // The caller's session is being asked now; from there something is sent to the same target.
    const inside = jsonOf(await world.call("sessions_send", { sessionKey: TARGET.key, message: "again" }));
    expect(inside).toMatchObject({ status: "ok", reply: "hello" });
    expect(inside).not.toHaveProperty("delivery");
    expect(sent).toEqual([`${TARGET.key}: m`, `${OWN.key}: hello`, `${TARGET.key}: again`]);
    held.resolve({ runId: "r", status: "error" });
  });

  it("lets go as soon as the turn is stopped", async () => {
    const stop = new AbortController();
    const world = await openWorld({
      sessions: [OWN, TARGET],
      settings: { visibility: "agent" },
      parts: { send: () => (stop.abort(new Error("stopped")), new Promise<SendOutcome>(() => {})) },
    });
    const call = world.call("sessions_send", { sessionKey: TARGET.key, message: "m" }, { signal: stop.signal });
    await expect(call).rejects.toThrow("stopped");
  });
});

describe("an exchange", () => {
  it.each([
    [Infinity, 5],
    [NaN, 0],
    [-1, 0],
    [0, 0],
    [2.9, 2],
    [5, 5],
    [1000, 5],
  ])("with maxTurns %d ends by itself after %d replies, however talkative both are", (maxTurns, replies) => {
    let state = beginExchange("first", { maxTurns, canAnnounce: true });
    const kinds: string[] = [];
    for (let step = nextStep(state); step.kind !== "over" && kinds.length < 50; step = nextStep(state)) {
      kinds.push(step.kind === "reply" ? step.speaker : step.kind);
      state = afterAnswer(state, "and another thing");
    }
    const speakers = ["requester", "target", "requester", "target", "requester"].slice(0, replies);
    expect(kinds).toEqual([...speakers, "announce"]);
  });

  it.each([
    ["We agreed.", "We agreed."],
    [" ANNOUNCE_SKIP ", undefined],
    ["REPLY_SKIP", undefined],
    ["NO_REPLY", undefined],
    ["  ", undefined],
    [undefined, undefined],
  ])("makes of the answer %j the announcement %j", (answer, text) => {
    expect(announcementIn(answer)).toBe(text);
  });
});
