// What people see of a model's words while it writes: no event, however small, shows what is not meant for them.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage, type ModelEvent } from "@chela/sdk";
import { callTool, createFakeClock, finish, say, type FakeClock, type ScriptStep } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

const CHAT_DELTA_EVERY_MS = 150;
/** Whatever a case hides has this in it, or is one of the gateway's own words. */
const INTERNAL = /SECRET|think|NO_REPLY|HEARTBEAT_OK|reply_to|MEDIA|<final|\[\[|2026-01-15/;

describe("what is shown while a model writes", () => {
  let clock: FakeClock;
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    clock = createFakeClock();
    gateway = await startTestGateway({ clock });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  /** Writes the events one by one, with time passing in between. */
  const slowly = (events: readonly ModelEvent[], eachMs: number): ScriptStep =>
    async function* () {
      for (const event of events) {
        yield event;
        await clock.advance(eachMs);
      }
    };
  const texts = (chunks: readonly string[]): ModelEvent[] => chunks.map((delta) => ({ kind: "text", delta }));
  const letters = (text: string): string[] => [...text];

  const run = async (...steps: ScriptStep[]) => {
    gateway.model.script(...steps);
    const runId = randomUUID();
    const end = await client.chat("go", { sessionKey: `agent:main:${runId}`, idempotencyKey: runId });
    const chat = client.eventsOf("chat", runId).map(({ payload }) => payload);
    const agent = client.eventsOf("agent", runId).map(({ payload }) => payload);
    const assistant = agent.filter(({ stream }) => stream === "assistant");
    const shown = [
      ...assistant.flatMap(({ data }) => [data.text, data.delta]),
      ...chat.flatMap(({ message }) => (message ? [message.content[0].text] : [])),
    ] as string[];
    const final = end.payload.message?.content[0].text as string | undefined;
    return { end: end.payload, chat, agent, assistant, shown, final };
  };

  const cases: ReadonlyArray<readonly [string, string, string | undefined]> = [
    ["thinking in tags before the answer", "<think>SECRET plan</think>Hello there", "Hello there"],
    ["thinking in tags in the middle", "Well <thinking>SECRET</thinking>then", "Well then"],
    ["thinking that never ends", "<thought>SECRET and more SECRET", undefined],
    ["an answer in tags", "<think>SECRET</think><final>Hello</final>", "Hello"],
    ["nothing but silence", "NO_REPLY", undefined],
    ["silence in bold", "**NO_REPLY**", undefined],
    ["silence behind an answer", "That is done.\n\nNO_REPLY", "That is done."],
    ["silence in bold behind an answer", "That is done. **NO_REPLY**", "That is done."],
    ["silence before an answer", "NO_REPLY\n\nThat is done.", "That is done."],
    ["nothing to report", "HEARTBEAT_OK", undefined],
    ["a wish to quote", "[[reply_to_current]] Hello", "Hello"],
    ["a wish to quote another message", "[[reply_to: SECRET-id]]Hello", "Hello"],
    ["a copied time stamp", "[Thu 2026-01-15 12:00 UTC] Hello", "Hello"],
    ["a file among lines", "Here it is:\nMEDIA:/SECRET/a.png\nDone", "Here it is:\nDone"],
    ["a file at the end", "Here it is:\nMEDIA: /SECRET/a.png", "Here it is:"],
    ["all at once", "<think>SECRET</think>[[reply_to_current]]Hello\nMEDIA:/SECRET\n", "Hello"],
  ];

  test.for(cases)("%s stays hidden, letter by letter", async ([, written, visible]) => {
    const { end, shown, assistant, final } = await run(slowly([...texts(letters(written)), finish()], 10));
    expect(end.state).toBe("final");
    expect(final).toBe(visible);
    for (const text of shown) expect(text).not.toMatch(INTERNAL);
    const streamed = assistant.map(({ data }) => data.delta as string).join("");
    expect(streamed.trim()).toBe(visible ?? "");
  });

  test.for(cases)("%s stays hidden when it comes in large pieces", async ([, written, visible]) => {
    const half = Math.ceil(written.length / 2);
    const pieces = [written.slice(0, half), written.slice(half)];
    const { shown, final } = await run(slowly([...texts(pieces), finish()], 200));
    expect(final).toBe(visible);
    for (const text of shown) expect(text).not.toMatch(INTERNAL);
  });

  const honest: readonly string[] = [
    "My answer is NO",
    "NO",
    "a < b, [x], N and H",
    "Use [[double]] brackets: <b>",
    "No thanks. HEART",
    "Look:\n```\n[[some_directive]]\n```",
    "It ends with [",
    "It ends with `",
    "MEDI",
  ];
  test.for(honest)("%j is shown in full, and streamed in full", async (written) => {
    const { final, assistant } = await run(slowly([...texts(letters(written)), finish()], 10));
    expect(final).toBe(written);
    expect(assistant.map(({ data }) => data.delta as string).join("")).toBe(written);
    for (const { data } of assistant) expect(written.startsWith(data.text)).toBe(true);
  });

  test("thinking has events of its own, and never is part of the answer", async () => {
    const thinking: ModelEvent[] = [
      { kind: "thinking", delta: "SECRET one, " },
      { kind: "thinking", delta: "SECRET two" },
      { kind: "thinking-end", signature: "seal" },
    ];
    const { agent, shown, final } = await run(slowly([...thinking, ...say("Good day")], 60));
    expect(final).toBe("Good day");
    for (const text of shown) expect(text).not.toMatch(INTERNAL);
    const thought = agent.filter(({ stream }) => stream === "thinking").map(({ data }) => data.delta as string);
    expect(thought.join("")).toBe("SECRET one, SECRET two");
  });

  test("words between tool calls are shown without what is internal in them, each step for itself", async () => {
    const narrated = [
      ...texts(letters("<think>SECRET</think>Let me look.")),
      ...callTool("session_status", {}, "call_1"),
    ];
    const answer = [...texts(letters("[[reply_to_current]]All is well")), finish()];
    const { assistant, shown, final } = await run(slowly(narrated, 10), slowly(answer, 10));
    expect(final).toBe("All is well");
    for (const text of shown) expect(text).not.toMatch(INTERNAL);
    expect(assistant.map(({ data }) => data.delta as string).join("")).toBe("Let me look.All is well");
    for (const { data } of assistant) {
      expect(["Let me look.", "All is well"].some((whole) => whole.startsWith(data.text))).toBe(true);
    }
  });

  test("a tool call with silence around it ends without a message", async () => {
    const { end, shown } = await run(
      slowly([...texts(["NO_", "REPLY"]), ...callTool("session_status", {}, "call_1")], 50),
      slowly([...texts(["<think>SECRET</think>", "NO_RE", "PLY"]), finish()], 50),
    );
    expect(end).toMatchObject({ state: "final" });
    expect(end).not.toHaveProperty("message");
    expect(shown).toEqual([]);
  });

  test("an answer that is cut off by a failure shows nothing internal either", async () => {
    const failure = { reason: "bad-request", message: "broken", retry: "never" } as const;
    const { end, shown } = await run(
      slowly([...texts(letters("Hello <think>SECRET")), { kind: "failure", failure }], 10),
    );
    expect(end.state).toBe("error");
    for (const text of shown) expect(text).not.toMatch(INTERNAL);
    expect(JSON.stringify(end)).not.toMatch(INTERNAL);
  });

  test(`a chat window gets a new state at most every ${CHAT_DELTA_EVERY_MS} ms`, async () => {
    const words = Array.from({ length: 100 }, (_, at) => `word${at} `);
    const { chat, final } = await run(slowly([...texts(words), finish()], 17));
    const deltas = chat.filter(({ state }) => state === "delta");
    expect(deltas.length).toBeGreaterThan(5);
    const times = deltas.map(({ message }) => message.timestamp as number);
    const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(CHAT_DELTA_EVERY_MS);
    for (const { message } of deltas) expect(words.join("").startsWith(message.content[0].text)).toBe(true);
    expect(final).toBe(words.join("").trim());
  });

  test("the history of a chat shows no more than its events did", async () => {
    const sessionKey = `agent:main:${randomUUID()}`;
    gateway.model.script([
      ...texts(["<think>SECRET</think>[[reply_to_current]]Hello\nMEDIA:/SECRET/a.png\n"]),
      { kind: "finish", stopReason: "stop", usage: noUsage() },
    ]);
    await client.chat("go", { sessionKey });
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(JSON.stringify(messages.at(-1).content)).not.toMatch(INTERNAL);
  });
});
