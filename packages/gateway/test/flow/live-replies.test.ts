// What people in a channel see while a turn runs, and that none of it is left behind or comes twice.
import { describe, expect, it } from "vitest";
import type { Channel, ChannelConnection } from "@chela/sdk";
import {
  createFakeChannel,
  createFakeClock,
  finish,
  say,
  type FakeChannel,
  type FakeChannelOptions,
} from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway, type TestGatewayOptions } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

const BEGINNING = "This is the beginning of a longer answer.";
const FAST: FakeChannelOptions = { traits: { previewEveryMs: 1 } };

const configOf = (settings: Json = {}, more: Json = {}): Json => ({
  channels: { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"], ...settings } },
  ...more,
});

/** The fake channel with more abilities than it has by itself. */
function withAbilities(fake: FakeChannel, abilities: Partial<ChannelConnection>): Channel {
  return {
    ...fake.channel,
    start: async (account, host) => ({ ...(await fake.channel.start(account, host)), ...abilities }),
  };
}

async function openStage(
  settings: Json = {},
  more: TestGatewayOptions & { fake?: FakeChannelOptions; abilities?: Partial<ChannelConnection> } = {},
) {
  const fake = createFakeChannel(more.fake ?? FAST);
  const gateway = await startTestGateway({
    ...more,
    channels: { fake: withAbilities(fake, more.abilities ?? {}) },
    config: configOf(settings, more.config),
  });
  await fake.untilConnected();
  const texts = (): string[] => fake.sent.filter(({ isUnsent }) => !isUnsent).map(({ text }) => text);
  return { fake, gateway, texts, model: gateway.model, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

describe("a preview", () => {
  it("becomes the answer", async () => {
    await using stage = await openStage({ streaming: "partial" });
    const gate = stage.gateway.gate();
    stage.model.script(gate.step(BEGINNING, " And the end."));
    await stage.fake.say("hello");
    const [preview] = await stage.fake.until(1);
    expect(preview?.text).toBe(BEGINNING);
    gate.open();
    await stage.fake.untilDone((deed) => deed.endsWith("And the end."));
    expect(stage.texts()).toEqual([`${BEGINNING} And the end.`]);
  });

  it("of a turn that is stopped says that it was not finished", async () => {
    await using stage = await openStage({ streaming: "partial" });
    const gate = stage.gateway.gate();
    stage.model.script(gate.step(BEGINNING, "never"));
    await stage.fake.say("hello");
    await stage.fake.until(1);
    await stage.fake.say("/stop");
    await stage.fake.untilDone((deed) => deed === `edit out-2 ${BEGINNING} …`);
    await stage.fake.until(2);
    expect(stage.texts()).toEqual([`${BEGINNING} …`, "⚙️ Stopped."]);
  });

  it("of a turn that fails becomes what is said about that", async () => {
    await using stage = await openStage({ streaming: "partial" });
    const gate = stage.gateway.gate();
    const failing = async function* () {
      yield { kind: "text", delta: BEGINNING } as const;
      await eventually("the preview", () => stage.fake.sent.length > 0 || undefined);
      const failure = { reason: "bad-request", message: "no", retry: "never" } as const;
      yield { kind: "failure", failure } as const;
    };
    stage.model.script(failing);
    gate.open();
    await stage.fake.say("hello");
    await stage.fake.untilDone((deed) => deed.startsWith("edit out-2 ⚠️"));
    expect(stage.texts()).toHaveLength(1);
    expect(stage.texts()[0]).not.toContain(BEGINNING);
  });

  it("goes when the answer turns out to be nothing", async () => {
    await using stage = await openStage({ streaming: "partial" });
    const voided = async function* () {
      yield { kind: "text", delta: BEGINNING } as const;
      await eventually("the preview", () => stage.fake.sent.length > 0 || undefined);
      yield { kind: "failure", failure: { reason: "network", message: "cut", retry: "now" } } as const;
    };
    stage.model.script(voided, say("NO_REPLY"));
    await stage.fake.say("hello");
    await stage.fake.untilDone((deed) => deed === "unsend out-2");
    expect(stage.texts()).toEqual([]);
  });
});

describe("blocks", () => {
  const ONE = "The first paragraph of the answer.";
  const TWO = "The second paragraph of the answer.";
  const chunk = { blockStreamingChunk: { minChars: 20, maxChars: 60 } };
  const config = { agents: { defaults: chunk } };

  it("go out while the rest is written, and the end repeats none of them", async () => {
    await using stage = await openStage(
      { streaming: "block", responsePrefix: "[bot]", replyToMode: "first" },
      { config },
    );
    const gate = stage.gateway.gate();
    stage.model.script(gate.step(`${ONE}\n\n${TWO}\n\nAnd`, " the end."));
    await stage.fake.say("hello");
    await stage.fake.until(2);
    expect(stage.texts()).toEqual([`[bot] ${ONE}`, TWO]);
    gate.open();
    await stage.fake.until(3);
    expect(stage.texts()).toEqual([`[bot] ${ONE}`, TWO, "And the end."]);
    expect(stage.fake.sent.map(({ replyTo }) => replyTo !== undefined)).toEqual([true, false, false]);
  });

  it("are what `blockStreamingDefault` makes of an answer, unless the channel says otherwise", async () => {
    const on = { agents: { defaults: { ...chunk, blockStreamingDefault: "on" } } };
    await using stage = await openStage({}, { config: on });
    stage.model.script(say(`${ONE}\n\n${TWO}\n\nThe end.`));
    await stage.fake.say("hello");
    expect((await stage.fake.until(3)).map(({ text }) => text)).toEqual([ONE, TWO, "The end."]);
    await using off = await openStage({ blockStreaming: false }, { config: on });
    off.model.script(say(`${ONE}\n\n${TWO}\n\nThe end.`));
    await off.fake.say("hello");
    expect((await off.fake.until(1)).map(({ text }) => text)).toEqual([`${ONE}\n\n${TWO}\n\nThe end.`]);
  });

  it("that were sent before a restart are not sent again", async () => {
    using state = createStateDirectory(configOf({ streaming: "block" }, config));
    const fake = createFakeChannel();
    const whole = `${ONE}\n\n${TWO}\n\nThe third paragraph of the answer.`;
    {
      const clock = createFakeClock(Date.now());
      const gateway = await startTestGateway({ stateDir: state.path, clock, channels: { fake: fake.channel } });
      await fake.untilConnected();
      const gate = gateway.gate();
      gateway.model.script(gate.step(`${ONE}\n\n${TWO}\n\nThe`, "never"));
      await fake.say("hello");
      await gate.reached;
      await fake.until(2);
      const stopped = gateway.gateway.stop("stop");
      await clock.advance(60_000);
      await stopped;
      await gateway[Symbol.asyncDispose]();
    }
    const events = [...whole.matchAll(/.{1,7}/gs)].map(([delta]) => ({ kind: "text" as const, delta }));
    await using gateway = await startTestGateway({
      stateDir: state.path,
      channels: { fake: fake.channel },
      providers: {
        scripted: {
          id: "scripted",
          stream: async function* () {
            yield* [...events, finish()];
          },
        },
      },
    });
    await fake.until(3);
    await gateway.gateway.stop("stop");
    expect(fake.sent.map(({ text }) => text)).toEqual([ONE, TWO, "The third paragraph of the answer."]);
  });
});

describe("signs", () => {
  it("are shown and taken back in a group where we are mentioned", async () => {
    const config = { messages: { removeAckAfterReply: true, ackReaction: "🦀" } };
    const read: string[] = [];
    const abilities = { markRead: async (_target: unknown, messageId: string) => void read.push(messageId) };
    const groups = { groupPolicy: "allowlist", groupAllowFrom: ["alice"], groups: { g1: { requireMention: true } } };
    await using stage = await openStage(groups, { config, abilities });
    stage.model.script(say("Hello."));
    const chat = { kind: "group" as const, id: "g1" };
    await stage.fake.say("hello", { chat, more: { mentionsUs: true } });
    await stage.fake.untilDone((deed) => deed.startsWith("unreact"));
    expect(stage.fake.done.filter((deed) => /react/.test(deed))).toEqual(["react in-1 🦀", "unreact in-1 🦀"]);
    expect(stage.fake.done).toContain("typing g1");
    expect(read).toEqual(["in-1"]);
  });

  it("of the agent's own are used when nothing is configured", async () => {
    const config = {
      agents: { list: [{ id: "main", identity: { emoji: "🦞" } }] },
      messages: { ackReactionScope: "all" },
    };
    await using stage = await openStage({}, { config });
    await stage.fake.say("hello");
    expect(await stage.fake.untilDone((deed) => deed.startsWith("react"))).toBe("react in-1 🦞");
  });

  it("say how far a turn is, if that is wanted", async () => {
    const config = {
      messages: { statusReactions: { enabled: true, emojis: { done: "🎉" }, timing: { debounceMs: 0 } } },
    };
    await using stage = await openStage({}, { config });
    await stage.fake.say("hello");
    await stage.fake.untilDone((deed) => deed === "react in-1 🎉");
    expect(stage.fake.done.filter((deed) => deed.startsWith("react"))[0]).toBe("react in-1 👀");
  });
});

describe("the menu of commands", () => {
  const offered: Array<{ name: string; description: string }[]> = [];
  const abilities: Partial<ChannelConnection> = { offerCommands: async (commands) => void offered.push([...commands]) };

  it("is offered when an account connects, without what is switched off", async () => {
    await using stage = await openStage({}, { abilities });
    const [commands] = await eventually("the menu", () => (offered.length > 0 ? offered : undefined));
    expect(commands?.map(({ name }) => name)).toEqual(expect.arrayContaining(["new", "status", "approve", "restart"]));
    expect(commands?.map(({ name }) => name)).not.toContain("config");
    expect(commands?.every(({ description }) => description.length > 0)).toBe(true);
    expect(stage.fake.isConnected()).toBe(true);
  });

  it.for([
    [{}, { commands: { native: false } }],
    [{ commands: { native: false } }, {}],
  ] as const)("is not offered with %j and %j", async ([settings, config]) => {
    offered.length = 0;
    await using stage = await openStage(settings, { abilities, config });
    await stage.fake.say("hello");
    await stage.fake.until(1);
    expect(offered).toEqual([]);
  });
});
