import { describe, expect, it } from "vitest";
import { noUsage, type AgentMessage } from "@chela/sdk";
import { fitContext } from "./room.ts";

const user = (text: string): AgentMessage => ({ role: "user", content: text, timestamp: 0 });
const assistant = (text: string, stopReason: "stop" | "error" = "stop"): AgentMessage => ({
  role: "assistant",
  content: text ? [{ type: "text", text }] : [],
  api: "demo",
  provider: "p",
  model: "m",
  usage: noUsage(),
  stopReason,
  timestamp: 0,
});
const result = (text: string): AgentMessage => ({
  role: "toolResult",
  toolCallId: "1",
  toolName: "t",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 0,
});
const texts = (messages: readonly AgentMessage[]) =>
  messages.map(({ content }) => (typeof content === "string" ? content : content.map((block) => block["text"]).join()));

const wide = { contextTokens: 1000, reserveTokens: 0 };

describe("fitContext", () => {
  it("keeps everything that fits", () => {
    expect(texts(fitContext([user("a"), assistant("b"), user("c")], wide))).toEqual(["a", "b", "c"]);
  });

  it("drops the oldest, and begins with what a person said", () => {
    const long = "x".repeat(150);
    const all = [user(`1${long}`), assistant(`2${long}`), user("3"), assistant("4"), user("5")];
    const fitted = fitContext(all, { contextTokens: 60, reserveTokens: 0 });
    expect(texts(fitted)).toEqual(["3", "4", "5"]);
  });

  it("never begins with a tool's result whose call was dropped", () => {
    const all = [user("x".repeat(300)), assistant("call"), result("r"), user("now")];
    expect(texts(fitContext(all, { contextTokens: 20, reserveTokens: 0 }))).toEqual(["now"]);
  });

  it("sends the newest message even when it alone is too long", () => {
    const all = [user("old"), assistant("answer"), user("y".repeat(500))];
    expect(fitContext(all, { contextTokens: 20, reserveTokens: 0 })).toHaveLength(1);
  });

  it("leaves room for the answer", () => {
    const all = [user("a".repeat(30)), assistant("b".repeat(30)), user("c".repeat(30))];
    expect(fitContext(all, { contextTokens: 40, reserveTokens: 0 })).toHaveLength(3);
    expect(fitContext(all, { contextTokens: 40, reserveTokens: 20 })).toHaveLength(1);
  });

  it("leaves out answers that never came", () => {
    expect(texts(fitContext([user("a"), assistant("", "error"), user("b")], wide))).toEqual(["a", "b"]);
    expect(texts(fitContext([user("a"), assistant("half", "error"), user("b")], wide))).toEqual(["a", "half", "b"]);
  });
});
