// The process is killed at chosen instants between a message of a channel and its answer there: nothing is lost or mixed up.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  done,
  NO_ANSWER,
  refuse,
  sentTo,
  startTelegramFixture,
  TOKEN,
} from "../../../channels/test/telegram-fixture.test-support.ts";
import { countUnanswered, readReplies } from "../support/chaos/chaos-ledger.ts";
import { startWebhookPeer } from "../support/chaos/chaos-webhook.ts";
import { findLedgerFaults, readMirror, textOf } from "../support/durability/durability-evidence.ts";
import { answerText, questionsIn, questionText, startModelServer } from "../support/durability/durability-model.ts";
import {
  baseConfig,
  createWorkshop,
  eventually,
  type GatewayProcess,
} from "../support/durability/durability-workshop.ts";
import type { Json } from "../support/wire-client.ts";

const OPEN = { dmPolicy: "open", allowFrom: ["*"], streaming: "off" };
const PERSON = 100_001;
const SESSION = "agent:main:main";

/** Questions whose turn waits in a command until a file is there. */
const gates = new Map<string, string>();
const model = await startModelServer({
  calls(question, step) {
    const file = gates.get(question);
    if (file === undefined || step > 0) return [];
    return [{ name: "exec", arguments: { command: `while [ ! -f '${file}' ]; do sleep 0.02; done` } }];
  },
});
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

type Fate = "taken" | ReturnType<typeof refuse> | typeof NO_ANSWER;

/** A bot on Telegram with one person; what becomes of a message to that person is decided by `fate`. */
async function openStage(more: Json = {}) {
  const api = await startTelegramFixture();
  const heard: string[] = [];
  const tried: string[] = [];
  let fate: (text: string) => Fate = () => "taken";
  let messageId = 500;
  let updateId = 0;
  api.on("sendChatAction", () => done(true));
  api.on("sendMessage", ({ payload }) => {
    const text = String(payload["text"]);
    const outcome = fate(text);
    tried.push(text);
    if (outcome !== "taken") return outcome;
    heard.push(text);
    return sentTo(payload["chat_id"], ++messageId);
  });
  const config = {
    ...baseConfig(model.baseUrl),
    messages: { queue: { mode: "followup", debounceMs: 20 } },
    channels: { telegram: { ...OPEN, botToken: TOKEN, apiRoot: api.apiRoot } },
    // Whoever is no owner would have a conversation of their own.
    commands: { ownerAllowFrom: [`telegram:${PERSON}`] },
    ...more,
  };
  const state = await workshop.createState({ config });
  const waitFor = (what: string, isTrue: () => boolean) =>
    eventually(what, isTrue, () => JSON.stringify({ tried, heard, replies: readReplies(state.ledgerPath) }));
  return {
    api,
    state,
    heard,
    tried,
    setFate: (next: typeof fate) => void (fate = next),
    writeConfig: (next: Json) => writeFileSync(state.configPath, JSON.stringify({ ...config, ...next })),
    waitFor,
    untilHeard: (...questions: string[]) =>
      waitFor(`${questions.join(", ")} are answered`, () => heard.length >= questions.length),
    async start(): Promise<GatewayProcess> {
      const gateway = workshop.start(state);
      await gateway.connect();
      return gateway;
    },
    say(...questions: string[]): void {
      const person = { id: PERSON, first_name: "Ada" };
      for (const question of questions) {
        const text = questionText(question);
        const base = { message_id: ++updateId, date: 1_789_000_000, chat: { ...person, type: "private" }, text };
        api.updates.push({ update_id: updateId, message: { ...base, from: { ...person, is_bot: false } } });
      }
    },
    /** Nothing is left to do, and the transcript has these questions, in this order. */
    async untilAsked(...questions: string[]): Promise<void> {
      await waitFor("everything is noted", () => findLedgerFaults(state.ledgerPath).length === 0);
      const asked = (): string[] => {
        const messages = readMirror(state.path).get(SESSION)?.messages ?? [];
        return messages.filter(({ role }) => role === "user").flatMap((message) => questionsIn(textOf(message)));
      };
      await waitFor("the files follow", () => asked().length >= questions.length);
      expect(asked()).toEqual(questions);
    },
    /** These are answered, in this order, and nothing else is said. */
    async expectOrder(...questions: string[]): Promise<void> {
      await this.untilHeard(...questions);
      expect(heard).toEqual(questions.map(answerText));
      await this.untilAsked(...questions);
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

function untilModel(kind: "asked" | "called", question: string): Promise<void> {
  return new Promise((resolve) => {
    const leave = model.onStep((step) => {
      if (step.kind !== kind || step.question !== question) return;
      leave();
      resolve();
    });
  });
}

describe("a message that was taken before the kill", () => {
  test("is answered after it, once, though Telegram may hand it out again", async () => {
    await using stage = await openStage();
    const first = await stage.start();
    const asked = untilModel("asked", "q-taken");
    stage.say("q-taken");
    await asked;
    await first.kill();
    await stage.start();
    await stage.expectOrder("q-taken");
  });

  test("keeps its place before those that waited behind it", async () => {
    await using stage = await openStage();
    const first = await stage.start();
    const held = model.hold("q-1");
    stage.say("q-1");
    await held.reached;
    stage.say("q-2", "q-3");
    await stage.waitFor("they wait", () => countUnanswered(stage.state.ledgerPath) === 3);
    await first.kill();
    held.release();
    stage.say("q-4");
    await stage.start();
    await stage.expectOrder("q-1", "q-2", "q-3", "q-4");
  });

  test("is not dropped at the next start, though as many wait behind it as may", async () => {
    await using stage = await openStage({ messages: { queue: { mode: "followup", cap: 2 } } });
    const first = await stage.start();
    const held = model.hold("q-full-1");
    stage.say("q-full-1");
    await held.reached;
    stage.say("q-full-2", "q-full-3");
    await stage.waitFor("they wait", () => countUnanswered(stage.state.ledgerPath) === 3);
    await first.kill();
    held.release();
    await stage.start();
    await stage.expectOrder("q-full-1", "q-full-2", "q-full-3");
  });

  test("and those that were collected behind it are answered together", async () => {
    await using stage = await openStage({ messages: { queue: { mode: "collect", debounceMs: 20 } } });
    const first = await stage.start();
    const held = model.hold("q-collect-1");
    stage.say("q-collect-1");
    await held.reached;
    stage.say("q-collect-2", "q-collect-3");
    await stage.waitFor("they are taken", () => countUnanswered(stage.state.ledgerPath) === 3);
    await first.kill();
    held.release();
    await stage.start();
    await stage.untilAsked("q-collect-1", "q-collect-2", "q-collect-3");
    expect(stage.heard).toHaveLength(2);
  });

  test.each([
    ["steer", [1, 2, 3], 1],
    // Said to the running turn, and once more in turns of their own.
    ["steer-backlog", [1, 2, 3, 2, 3], 3],
  ])("and those that were said to it meanwhile in mode %s are not lost", async (mode, order, answers) => {
    await using stage = await openStage({
      messages: { queue: { mode } },
      tools: { exec: { host: "gateway", security: "full", ask: "off" } },
    });
    const name = (number: number): string => `q-${mode}-${number}`;
    const gate = join(workshop.directory, `gate-${mode}`);
    gates.set(name(1), gate);
    const first = await stage.start();
    const called = untilModel("called", name(1));
    stage.say(name(1));
    await called;
    stage.say(name(2), name(3));
    await stage.waitFor("they are taken", () => countUnanswered(stage.state.ledgerPath) === 3);
    const held = model.hold(name(2));
    writeFileSync(gate, "");
    await held.reached;
    await first.kill();
    held.release();
    await stage.start();
    await stage.untilAsked(...order.map(name));
    expect(stage.heard).toHaveLength(answers);
  });
});

describe("an answer whose sending was interrupted", () => {
  test("is sent after the kill when the platform did not take it", async () => {
    await using stage = await openStage();
    stage.setFate(() => NO_ANSWER);
    const first = await stage.start();
    stage.say("q-hang");
    await stage.waitFor("it is tried", () => stage.tried.length === 1);
    await first.kill();
    expect(readReplies(stage.state.ledgerPath)).toMatchObject([{ state: "pending", attempts: 0 }]);
    stage.setFate(() => "taken");
    await stage.start();
    await stage.expectOrder("q-hang");
  });

  test("is sent a second time when nobody knows whether it arrived, and those behind it once", async () => {
    await using stage = await openStage();
    const first = await stage.start();
    let isDead = false;
    stage.setFate(() => {
      // Taken, and no time to note it.
      if (!isDead) first.child.kill("SIGKILL");
      isDead = true;
      return "taken";
    });
    const held = model.hold("q-next");
    stage.say("q-cut", "q-next");
    await first.ended;
    held.release();
    await stage.start();
    await stage.untilHeard("q-cut", "q-cut", "q-next");
    expect(stage.heard).toEqual(["q-cut", "q-cut", "q-next"].map(answerText));
    await stage.untilAsked("q-cut", "q-next");
  });

  test("has the same key when it is sent a second time, so that the receiver of a webhook sees it once", async () => {
    await using peer = await startWebhookPeer();
    const state = await workshop.createState({
      config: { ...baseConfig(model.baseUrl), channels: { webhook: { ...OPEN, ...peer.settings } } },
    });
    const first = workshop.start(state);
    await first.connect();
    peer.onReceive(() => void first.child.kill("SIGKILL"));
    await peer.say(state.port, { id: "m1", from: { id: "ada" }, text: questionText("q-hook") });
    await first.ended;
    peer.onReceive(() => undefined);
    // The program cannot know either, and says it once more.
    await Promise.all([
      workshop.start(state).connect(),
      peer.say(state.port, { id: "m1", from: { id: "ada" }, text: questionText("q-hook") }),
    ]);
    await eventually("it is noted", () => findLedgerFaults(state.ledgerPath).length === 0);
    expect(peer.received.map(({ text }) => text)).toEqual([answerText("q-hook"), answerText("q-hook")]);
    expect(new Set(peer.received.map(({ key }) => key)).size).toBe(1);
  });
});

describe("an answer that has to wait", () => {
  test("because the platform asks for a minute goes out after a restart, before later ones, and counts no attempt", async () => {
    await using stage = await openStage();
    stage.setFate(() => refuse(429, "Too Many Requests: retry after 60", { retry_after: 60 }));
    const first = await stage.start();
    stage.say("q-minute", "q-after");
    await stage.waitFor("both are answered", () => readReplies(stage.state.ledgerPath, "pending").length === 2);
    await stage.waitFor("the first is tried", () => stage.tried.length > 0);
    await first.kill();
    expect(stage.tried).toEqual([answerText("q-minute")]);
    expect(readReplies(stage.state.ledgerPath).map(({ attempts }) => attempts)).toEqual([0, 0]);
    stage.setFate(() => "taken");
    await stage.start();
    await stage.expectOrder("q-minute", "q-after");
  });

  test("after failed attempts does not begin to count anew", async () => {
    await using stage = await openStage();
    stage.setFate(() => refuse(502, "Bad Gateway"));
    const attempts = (): number => readReplies(stage.state.ledgerPath)[0]?.attempts ?? 0;
    stage.say("q-broken");
    for (const expected of [1, 2, 3]) {
      const gateway = await stage.start();
      await stage.waitFor(`attempt ${expected} is noted`, () => attempts() >= expected);
      await gateway.kill();
      expect(attempts()).toBe(expected);
    }
    stage.setFate(() => "taken");
    await stage.start();
    await stage.expectOrder("q-broken");
    expect(attempts()).toBe(4);
  });

  test("that was given up stays given up, is shown, and can be sent again", async () => {
    await using stage = await openStage();
    stage.setFate(() => refuse(403, "Forbidden: bot was blocked by the user"));
    const first = await stage.start();
    stage.say("q-blocked");
    const given = () => readReplies(stage.state.ledgerPath, "undeliverable");
    await stage.waitFor("it is given up", () => given().length === 1);
    await first.kill();
    stage.setFate(() => "taken");
    const client = await (await stage.start()).connect();
    const { deliveries } = await client.call("deliveries.list", { state: "undeliverable" });
    expect(deliveries).toMatchObject([
      { channel: "telegram", to: String(PERSON), error: expect.stringContaining("blocked") as unknown },
    ]);
    expect(stage.heard).toEqual([]);
    await client.call("deliveries.resend", { id: given()[0]?.id ?? "" });
    await stage.untilHeard("q-blocked");
    expect(stage.heard).toEqual([answerText("q-blocked")]);
  });

  test("for a channel that is not configured any more waits, is shown, and goes out when it is again", async () => {
    await using stage = await openStage();
    stage.setFate(() => NO_ANSWER);
    const first = await stage.start();
    stage.say("q-left");
    await stage.waitFor("it is tried", () => stage.tried.length === 1);
    await first.kill();
    stage.setFate(() => "taken");
    stage.writeConfig({ channels: {} });
    const second = await stage.start();
    const shown = await (await second.connect()).call("deliveries.list", {});
    expect(shown.deliveries).toMatchObject([{ channel: "telegram", state: "pending" }]);
    await second.kill();
    const third = await stage.start();
    await third.connect();
    expect(stage.heard).toEqual([]);
    stage.writeConfig({});
    await stage.expectOrder("q-left");
  });
});
