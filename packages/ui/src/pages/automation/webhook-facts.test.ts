// What is told about webhooks, and what is read of headers.
import { expect, it } from "vitest";
import en from "./words.ts";
import { readHeaders, requestMarks, whatItDoes, type Webhook } from "./webhook-facts.ts";

const names = { agent: (id: string) => id.toUpperCase(), channel: (id: string) => `#${id}` };
const mapping = (more: Partial<Webhook>): Webhook => ({
  id: "x",
  origin: "mapping",
  name: "X",
  action: "agent",
  ...more,
});

it.each([
  [mapping({ deliver: true }), "Gives it to the default agent as work; the answer goes to whoever wrote last"],
  [
    mapping({ agentId: "scout", deliver: true, channel: "telegram", to: "42" }),
    "Gives it to SCOUT as work; the answer goes to #telegram 42",
  ],
  [
    mapping({ deliver: false, hasTransform: true }),
    "Gives it to the default agent as work; the answer stays in its own conversation; changed by your own code first",
  ],
  [mapping({ action: "wake", source: "door" }), "Tells the default agent of it as an event; only if source is door"],
  [mapping({ origin: "own" }), "Gives it to the default agent as work"],
])("a mapping is told as a sentence", (webhook, text) => {
  expect(whatItDoes(webhook, names, en)).toBe(text);
});

it.each([
  [{ state: "settled", status: "ok", delivered: "delivered" }, ["good carried out", "good delivered"]],
  [{ state: "settled", status: "error", delivered: "not-requested" }, ["bad failed"]],
  [{ state: "settled", status: "ok", delivered: "not-delivered" }, ["good carried out", "bad not delivered"]],
  [{ state: "running" }, [" being carried out"]],
  [{ state: "constructor" }, []],
])("%j is told as %j", (request, marks) => {
  expect(requestMarks(request, en).map(({ tone, text }) => `${tone} ${text}`)).toEqual(marks);
});

it("headers are read line by line, and the first that is none is named", () => {
  expect(readHeaders("X-One: 1\n\n x-two:a:b \n")).toEqual({
    kind: "headers",
    headers: { "X-One": "1", "x-two": "a:b" },
  });
  expect(readHeaders("X-One: 1\nno header")).toEqual({ kind: "wrong", line: "no header" });
  expect(readHeaders("")).toEqual({ kind: "headers", headers: {} });
});
