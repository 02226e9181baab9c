import { describe, expect, it } from "vitest";
import { textOf, type AgentMessage } from "@chela/sdk";
import { contextSettings, createPruningState, pruneContext, type PruningState } from "../room.ts";
import { answer, call, randomConversation, randomFrom, result, user } from "./conversation.test-support.ts";

type Written = NonNullable<
  NonNullable<NonNullable<Parameters<typeof contextSettings>[0]["agents"]>["defaults"]>["contextPruning"]
>;

const settingsOf = (written: Written = {}) =>
  contextSettings({ agents: { defaults: { contextPruning: { mode: "cache-ttl", ...written } } } }).pruning;

const MINUTE = 60_000;
const CLEARED = "[Old tool result content cleared]";
/** 10 000 characters fit. */
const SMALL = 2500;

/** A conversation whose tools answer with these texts, and three short turns that are protected. */
function workWith(...results: string[]): AgentMessage[] {
  const steps = results.flatMap((text, at) => [
    answer("", [call(`c${at}`)]),
    result(`c${at}`, text, { timestamp: at, toolName: at % 2 === 0 ? "exec" : "web_fetch" }),
  ]);
  return [user("begin"), ...steps, answer("one"), answer("two"), answer("three")];
}

function prune(
  messages: readonly AgentMessage[],
  written: Written = {},
  moment: Partial<{ now: number; lastTouch: number; contextTokens: number }> = {},
  state: PruningState = createPruningState(),
) {
  return pruneContext(
    messages,
    state,
    { now: 10 * MINUTE, lastTouch: 0, contextTokens: SMALL, ...moment },
    settingsOf(written),
  );
}

const resultTexts = (messages: readonly AgentMessage[]) =>
  messages.filter(({ role }) => role === "toolResult").map(textOf);

describe("soft trimming", () => {
  it("keeps the first and the last 1500 characters of a long result and says how much there was", () => {
    const text = `${"a".repeat(3000)}${"b".repeat(3000)}`;
    const [trimmed = ""] = resultTexts(prune(workWith(text)).messages);
    expect(trimmed.startsWith(`${"a".repeat(1500)}\n...\n${"b".repeat(1500)}`)).toBe(true);
    expect(trimmed).toContain("6000");
    expect(trimmed.length).toBeLessThan(3200);
  });

  it("leaves results alone that are not long", () => {
    const messages = workWith("a".repeat(4000));
    expect(prune(messages).messages).toEqual(messages);
  });

  it("does not tear a character apart", () => {
    const text = `${"a".repeat(1499)}😀${"x".repeat(5000)}😀${"b".repeat(1499)}`;
    const [trimmed = ""] = resultTexts(prune(workWith(text)).messages);
    expect(trimmed.isWellFormed()).toBe(true);
  });

  it.each([
    ["the window is mostly empty", {}, { contextTokens: 100_000 }],
    ["pruning is off", { mode: "off" as const }, {}],
    ["the cache still holds the prompt", {}, { now: 4 * MINUTE }],
    ["the tool is denied", { tools: { deny: ["ex*"] } }, {}],
    ["the tool is not among the allowed", { tools: { allow: ["web_*"] } }, {}],
    ["a denied tool is allowed too", { tools: { allow: ["*"], deny: ["EXEC"] } }, {}],
    ["too few answers came after it", { keepLastAssistants: 5 }, {}],
  ])("does nothing when %s", (_, written, moment) => {
    const messages = workWith("a".repeat(6000));
    expect(prune(messages, written, moment).messages).toEqual(messages);
  });

  it("does nothing when nobody knows when the cache was used", () => {
    const messages = workWith("a".repeat(6000));
    const moment = { now: 10 * MINUTE, contextTokens: SMALL };
    expect(pruneContext(messages, createPruningState(), moment, settingsOf()).messages).toEqual(messages);
  });

  it("uses the configured sizes", () => {
    const written = { ttl: "1m", softTrim: { maxChars: 100, headChars: 10, tailChars: 5 } };
    const [trimmed = ""] = resultTexts(prune(workWith("a".repeat(4000)), written, { now: 2 * MINUTE }).messages);
    expect(trimmed.startsWith(`${"a".repeat(10)}\n...\n${"a".repeat(5)}\n`)).toBe(true);
  });

  it("spares results with images and what comes before the first user message", () => {
    const text = "a".repeat(6000);
    const early = [answer("", [call("e")]), result("e", text)];
    const withImage = [answer("", [call("i")]), result("i", text, { withImage: true, timestamp: 9 })];
    const messages = [...early, user("begin"), ...withImage, answer("1"), answer("2"), answer("3")];
    expect(prune(messages).messages).toEqual(messages);
  });

  it("protects nothing when no answers are to be kept", () => {
    const messages = [user("begin"), answer("", [call("1")]), result("1", "a".repeat(6000))];
    expect(resultTexts(prune(messages, { keepLastAssistants: 0 }).messages)[0]?.length).toBeLessThan(3200);
  });
});

describe("hard clearing", () => {
  const many = Array.from({ length: 20 }, (_, at) => `${at}:${"a".repeat(3900)}`);

  it("clears the oldest results until half of the window is free", () => {
    const { messages } = prune(workWith(...many), {}, { contextTokens: 25_000 });
    const texts = resultTexts(messages);
    const cleared = texts.filter((text) => text === CLEARED).length;
    expect(texts.slice(0, cleared).every((text) => text === CLEARED)).toBe(true);
    expect(texts.slice(cleared)).toEqual(many.slice(cleared));
    const chars = (all: readonly string[]) => all.reduce((sum, text) => sum + text.length, 0);
    expect(chars(texts) / 100_000).toBeLessThan(0.5);
    expect((chars(texts) + 3900) / 100_000).toBeGreaterThan(0.49);
  });

  it.each([
    ["it is switched off", { hardClear: { enabled: false } }],
    ["there is too little to gain", { minPrunableToolChars: 100_000 }],
    ["the configured share is not reached", { hardClearRatio: 0.95 }],
  ])("clears nothing when %s", (_, written) => {
    const messages = workWith(...many);
    expect(prune(messages, written, { contextTokens: 25_000 }).messages).toEqual(messages);
  });

  it("uses the configured placeholder", () => {
    const written = { hardClear: { placeholder: "(gone)" } };
    expect(resultTexts(prune(workWith(...many), written, { contextTokens: 25_000 }).messages)[0]).toBe("(gone)");
  });
});

describe("pruning over several requests", () => {
  it("keeps pruned what was pruned, also when the cache is warm and the transcript was read anew", () => {
    const messages = workWith("a".repeat(6000));
    const first = prune(messages);
    const again = prune(structuredClone([...messages, user("next")]), {}, { now: 11 * MINUTE }, first.state);
    expect(again.messages.slice(0, -1)).toEqual(first.messages);
  });

  it("keeps the form that was sent when the settings change in between", () => {
    const messages = workWith("a".repeat(6000));
    const first = prune(messages);
    const changed = { softTrim: { headChars: 10, tailChars: 10 }, hardClear: { placeholder: "other" } };
    expect(prune(messages, changed, { now: 11 * MINUTE }, first.state).messages).toEqual(first.messages);
  });

  it("prunes once after a pause, and not again with each request that follows", () => {
    const messages = workWith("short");
    const first = prune(messages);
    const grown = [...workWith("short", "a".repeat(6000))];
    const soon = prune(grown, {}, { now: 11 * MINUTE }, first.state);
    expect(soon.messages).toEqual(grown);
    const later = prune(grown, {}, { now: 20 * MINUTE }, soon.state);
    expect(later.messages).not.toEqual(grown);
  });

  it("forgets results that are no longer part of the conversation", () => {
    const first = prune(workWith("a".repeat(6000)));
    expect(first.state.forms.size).toBe(1);
    expect(prune([user("anew")], {}, {}, first.state).state.forms.size).toBe(0);
  });

  it("does not change the messages it was given", () => {
    const messages = workWith("a".repeat(6000));
    const before = structuredClone(messages);
    prune(messages);
    expect(messages).toEqual(before);
  });

  it("begins each request with the bytes of the one before while the cache is warm", () => {
    const written = { softTrim: { maxChars: 300, headChars: 100, tailChars: 100 }, minPrunableToolChars: 1000 };
    let prunings = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomFrom(seed);
      const all = randomConversation(random, 25);
      let state = createPruningState();
      let now = 0;
      let before: readonly AgentMessage[] = [];
      for (let length = 1; length <= all.length; length += 1 + Math.floor(random() * 6)) {
        const pause = random() < 0.2 ? 6 * MINUTE : MINUTE;
        now += pause;
        const pruned = prune(all.slice(0, length), written, { now, lastTouch: -Infinity, contextTokens: 2000 }, state);
        const sameBytes = JSON.stringify(pruned.messages.slice(0, before.length)) === JSON.stringify(before);
        if (pause === MINUTE) expect(sameBytes, `seed ${seed}, ${length} messages`).toBe(true);
        else if (!sameBytes) prunings++;
        state = pruned.state;
        before = pruned.messages;
      }
    }
    expect(prunings).toBeGreaterThan(20);
  });
});
