import { describe, expect, it } from "vitest";
import type { AgentMessage } from "@chela/sdk";
import { createTokenCounter } from "../room.ts";
import { answer, call, image, result, user } from "./conversation.test-support.ts";

const model = { provider: "p", id: "m" };

/** Encoded bytes without any pattern, the same each time. */
function encodedBytes(length: number): string {
  const bytes = Uint8Array.from({ length }, (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 13);
  return Buffer.from(bytes).toString("base64");
}

describe("the estimate of a text", () => {
  it.each([
    ["English prose", "The train to the coast leaves at noon, and nobody knows yet who will come along. ", 3.8, 5.2],
    ["code", "export function add(left: number, right: number): number {\n  return left + right;\n}\n", 2.8, 4.5],
    ["JSON", '{"id":17,"name":"Ann","tags":["a","b"],"active":true,"score":0.75},', 1.8, 3.2],
    ["Chinese", "今天天气很好，我们去公园散步吧。", 1, 1.7],
    ["Japanese", "きょうはとてもいいてんきです。", 1, 1.8],
    ["Korean", "오늘은 날씨가 아주 좋습니다. ", 1, 2.2],
    ["Russian", "Сегодня хорошая погода, и мы идём гулять. ", 2, 3.6],
    ["encoded bytes", encodedBytes(3000), 1.2, 2],
    ["indentation", `${" ".repeat(40)}x\n`, 6, 20],
    ["emoji", "🎉🚀😀", 0.6, 1.2],
  ])("counts %s by its own measure", (_, sample, least, most) => {
    const text = sample.repeat(Math.ceil(2000 / sample.length));
    const charsPerToken = text.length / createTokenCounter().text(model, text);
    expect(charsPerToken).toBeGreaterThan(least);
    expect(charsPerToken).toBeLessThan(most);
  });

  it("is nothing for nothing, and grows with what is added", () => {
    const count = (text: string) => createTokenCounter().text(model, text);
    expect(count("")).toBe(0);
    expect(count("a".repeat(10_000))).toBeGreaterThan(1000);
    expect(count("hello world, hello world")).toBeGreaterThan(count("hello world"));
  });
});

describe("the estimate of a message", () => {
  const tokens = (message: AgentMessage) => createTokenCounter().message(model, message);

  it("counts calls, their arguments and results", () => {
    expect(tokens(answer("", [call("1", "exec", { command: "ls -la /some/where" })]))).toBeGreaterThan(20);
    expect(tokens(answer("", [call("1"), call("2")]))).toBeGreaterThan(tokens(answer("", [call("1")])));
    expect(tokens(result("1", "word ".repeat(100)))).toBeGreaterThan(100);
  });

  it("counts images by their size and not by the length of their encoding", () => {
    const withImage = (chars: number): AgentMessage => ({
      role: "user",
      content: [{ ...image, data: "A".repeat(chars) }],
      timestamp: 0,
    });
    const sizes = [1000, 100_000, 1_000_000, 5_000_000].map((chars) => tokens(withImage(chars)));
    expect(sizes[0]).toBeLessThan(sizes[1] as number);
    expect(sizes[1]).toBeLessThan(sizes[2] as number);
    expect(sizes[3]).toBe(sizes[2]);
    expect(sizes[3]).toBeLessThan(2000);
  });

  it("is made once for each message", () => {
    let reads = 0;
    const message = {
      role: "user" as const,
      timestamp: 0,
      get content() {
        reads++;
        return "hello";
      },
    };
    const counter = createTokenCounter();
    const first = counter.message(model, message);
    const readsOfFirst = reads;
    expect(counter.message(model, message)).toBe(first);
    expect(reads).toBe(readsOfFirst);
  });
});

describe("calibration", () => {
  const request = { model, system: "You help. ".repeat(200), messages: [user("hello ".repeat(300))], tools: [] };
  const usage = (input: number) => ({ input, cacheRead: 0, cacheWrite: 0 });

  it("takes over the provider's count, cached parts included", () => {
    const counter = createTokenCounter();
    const before = counter.request(request);
    counter.calibrate(request, { input: 100, cacheRead: Math.round(before * 1.4) - 200, cacheWrite: 100 });
    expect(counter.request(request) / before).toBeCloseTo(1.4, 1);
    expect(counter.message(model, request.messages[0] as AgentMessage)).toBeGreaterThan(300);
  });

  it.each([
    ["ten times as much", 10, 2],
    ["a tenth", 0.1, 0.5],
  ])("believes at most a factor of two when told %s", (_, told, believed) => {
    const counter = createTokenCounter();
    const before = counter.request(request);
    counter.calibrate(request, usage(before * told));
    expect(counter.request(request) / before).toBeCloseTo(believed, 1);
  });

  it("moves slowly after the first count", () => {
    const counter = createTokenCounter();
    const before = counter.request(request);
    counter.calibrate(request, usage(before));
    counter.calibrate(request, usage(before * 2));
    expect(counter.request(request) / before).toBeCloseTo(1.3, 1);
  });

  it("is kept apart for each model", () => {
    const counter = createTokenCounter();
    const other = { ...request, model: { provider: "p", id: "other" } };
    const before = counter.request(other);
    counter.calibrate(request, usage(before * 2));
    expect(counter.request(other)).toBe(before);
  });

  it("learns nothing from tiny requests and from providers that do not count", () => {
    const counter = createTokenCounter();
    const tiny = { model, system: "", messages: [user("hi")], tools: [] };
    const before = counter.request(request);
    counter.calibrate(tiny, usage(50));
    counter.calibrate(request, usage(0));
    expect(counter.request(request)).toBe(before);
  });

  it("counts the descriptions of tools as part of a request", () => {
    const tool = { name: "exec", description: "Runs a command.", parameters: { type: "object", properties: {} } };
    const counter = createTokenCounter();
    expect(counter.request({ ...request, tools: [tool] })).toBeGreaterThan(counter.request(request) + 10);
  });
});
