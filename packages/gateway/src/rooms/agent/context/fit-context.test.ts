import { describe, expect, it } from "vitest";
import {
  textOf,
  type AgentMessage,
  type AssistantMessage,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@chela/sdk";
import { createTokenCounter, fitContext } from "../room.ts";
import { answer, call, image, randomConversation, randomFrom, result, user } from "./conversation.test-support.ts";

const texts = (messages: readonly AgentMessage[]) => messages.map(textOf);
const roles = (messages: readonly AgentMessage[]) => messages.map(({ role }) => role);
const wide = { contextTokens: 100_000, reserveTokens: 0 };
/** One token for each character. */
const byLength = (message: AgentMessage) => textOf(message).length;

describe("fitContext", () => {
  it("keeps everything that fits, as it is", () => {
    const all = [user("a"), answer("b", [call("1")]), result("1", "r"), user("c")];
    const fitted = fitContext(all, wide);
    expect(fitted).toEqual(all);
    expect(fitted.every((message, at) => message === all[at])).toBe(true);
  });

  it("drops the oldest, and begins with what a person said", () => {
    const long = "x".repeat(150);
    const all = [user(`1${long}`), answer(`2${long}`), user("3"), answer("4"), user("5")];
    const fitted = fitContext(all, { contextTokens: 160, reserveTokens: 0, count: byLength });
    expect(texts(fitted)).toEqual(["3", "4", "5"]);
  });

  it("never begins with a tool's result whose call was dropped", () => {
    const all = [user("x".repeat(300)), answer("", [call("1")]), result("1", "r"), user("now")];
    expect(texts(fitContext(all, { contextTokens: 20, reserveTokens: 0, count: byLength }))).toEqual(["now"]);
  });

  it("sends the newest turn even when it alone is too long", () => {
    const turn = [user("y".repeat(500)), answer("", [call("1")]), result("1", "z".repeat(500))];
    expect(fitContext([user("old"), answer("said"), ...turn], { contextTokens: 20, reserveTokens: 0 })).toEqual(turn);
  });

  it("leaves room for the answer", () => {
    const all = [user("a".repeat(30)), answer("b".repeat(30)), user("c".repeat(30))];
    expect(fitContext(all, { contextTokens: 100, reserveTokens: 0, count: byLength })).toHaveLength(3);
    expect(fitContext(all, { contextTokens: 100, reserveTokens: 50, count: byLength })).toHaveLength(1);
  });

  it("never drops what is pinned, and counts it", () => {
    const all = [user("summary"), user("a".repeat(30)), answer("b".repeat(30)), user("c".repeat(30))];
    const fitted = fitContext(all, { contextTokens: 92, reserveTokens: 0, count: byLength, pinned: 1 });
    expect(texts(fitted)).toEqual(["summary", "c".repeat(30)]);
  });

  it("counts with the counter it is given", () => {
    const counter = createTokenCounter();
    const count = (message: AgentMessage) => counter.message({ provider: "p", id: "m" }, message);
    const all = [user("old ".repeat(500)), answer("said"), user("new")];
    expect(texts(fitContext(all, { contextTokens: 300, reserveTokens: 0, count }))).toEqual(["new"]);
  });

  it("leaves out answers that never came, and what is empty", () => {
    const all = [user("a"), answer("", [], "error"), answer("half", [], "error"), user(""), user("b")];
    expect(texts(fitContext(all, wide))).toEqual(["a", "half", "b"]);
  });

  it("leaves out a call that was broken off, and keeps one that was still run", () => {
    const all = [user("a"), answer("I look", [call("1"), call("2")], "aborted"), result("2", "r"), user("b")];
    const fitted = fitContext(all, wide);
    expect(roles(fitted)).toEqual(["user", "assistant", "toolResult", "user"]);
    expect(callsOf(fitted[1]).map(({ id }) => id)).toEqual(["2"]);
  });

  it("gives a call without a result one that says so", () => {
    const fitted = fitContext([user("a"), answer("", [call("1", "read")]), user("b")], wide);
    expect(roles(fitted)).toEqual(["user", "assistant", "toolResult", "user"]);
    expect(fitted[2]).toMatchObject({ toolCallId: "1", toolName: "read", isError: true });
  });

  it("puts late results behind their calls, in the order of the calls", () => {
    const all = [user("a"), answer("", [call("1"), call("2")]), user("wait"), result("2", "two"), result("1", "one")];
    expect(texts(fitContext(all, wide))).toEqual(["a", "", "one", "two", "wait"]);
  });

  it("takes the first of two results of one call", () => {
    const all = [user("a"), answer("", [call("1")]), result("1", "first"), result("1", "second"), user("b")];
    expect(texts(fitContext(all, wide))).toEqual(["a", "", "first", "b"]);
  });

  it("gives each of two calls with one id its own result", () => {
    const all = [user("a"), answer("", [call("0"), call("0")]), result("0", "first"), result("0", "second")];
    const fitted = fitContext(all, wide);
    expect(texts(fitted)).toEqual(["a", "", "first", "second"]);
    expect(fitted.slice(2).map((message) => message["toolCallId"])).toEqual(["0", "0_2"]);
  });

  it("makes ids unique that a model used twice", () => {
    const step = [answer("", [call("0")]), result("0", "r")];
    const fitted = fitContext([user("a"), ...step, ...step], wide);
    expect(
      callsOf(fitted[1])
        .concat(callsOf(fitted[3]))
        .map(({ id }) => id),
    ).toEqual(["0", "0_2"]);
    expect(fitted[4]).toMatchObject({ toolCallId: "0_2" });
  });

  it("keeps an answer nobody asked for, and puts an opening before it", () => {
    const fitted = fitContext([answer("a reminder"), user("thanks")], wide);
    expect(roles(fitted)).toEqual(["user", "assistant", "user"]);
    expect(texts(fitted).slice(1)).toEqual(["a reminder", "thanks"]);
  });

  it("keeps messages with images", () => {
    const picture: AgentMessage = { role: "user", content: [image], timestamp: 0 };
    expect(fitContext([picture], wide)).toEqual([picture]);
  });

  it("gives a legal request for any conversation and any window", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomFrom(seed);
      const history = randomConversation(random, 1 + Math.floor(random() * 12));
      const summary = random() < 0.3 ? [user("Summary of the conversation so far: much was said.")] : [];
      const all = [...summary, ...history, user("the newest question")];
      const window = { contextTokens: Math.floor(random() * 4000), reserveTokens: 100, pinned: summary.length };
      const fitted = fitContext(all, window);
      expect(faultsOf(fitted), `seed ${seed}`).toEqual([]);
      expect(texts(fitted).at(-1), `seed ${seed}`).toBe("the newest question");
      if (summary.length > 0) expect(fitted[0], `seed ${seed}`).toBe(all[0]);
    }
  });

  it("stays within the window whenever more than the newest turn is sent", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const all = [...randomConversation(randomFrom(seed), 10), user("new")];
      const fitted = fitContext(all, { contextTokens: 800, reserveTokens: 100, count: byLength });
      const turns = fitted.filter(({ role }) => role === "user").length;
      const size = fitted.reduce((sum, message) => sum + byLength(message), 0);
      expect(turns === 1 || size <= 700, `seed ${seed}: ${turns} turns, ${size}`).toBe(true);
    }
  });
});

function callsOf(message: AgentMessage | undefined): ToolCallBlock[] {
  const content = (message as AssistantMessage | undefined)?.content ?? [];
  return content.filter((block): block is ToolCallBlock => block.type === "toolCall");
}

/**
 * The rules of the providers, said once more: a person first, each call with exactly one result right behind it, no
 * result without a call. Neighbours of one side are merged by the provider, so from there on the sides alternate.
 */
function faultsOf(messages: readonly AgentMessage[]): string[] {
  const faults: string[] = [];
  if (messages[0]?.role !== "user") faults.push("does not begin with a user message");
  const seen = new Set<string>();
  let waiting: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      const { toolCallId } = message as ToolResultMessage;
      if (waiting.shift() !== toolCallId) faults.push(`result ${toolCallId} is not what is expected here`);
      continue;
    }
    if (waiting.length > 0) faults.push(`calls without result: ${waiting.join()}`);
    if (message.content.length === 0) faults.push(`an empty ${message.role} message`);
    waiting = callsOf(message.role === "assistant" ? message : undefined).map(({ id }) => id);
    for (const id of waiting) {
      if (seen.has(id)) faults.push(`the id ${id} is used twice`);
      seen.add(id);
    }
  }
  if (waiting.length > 0) faults.push(`calls without result at the end: ${waiting.join()}`);
  return faults;
}
