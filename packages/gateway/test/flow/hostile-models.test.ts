// Whatever bytes a model server sends, the turn ends in words, nothing is taken in without a bound, and the next one goes on.
import { randomBytes, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Clock } from "@chela/sdk";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { chatEnd, chatEvent, send, startRawModel, type RawAnswer, type RawModel } from "../support/models/raw-model.ts";
import type { WireClient } from "../support/wire-client.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
const STREAM = `${HEAD}connection: close\r\n\r\n`;
const CRAB = Buffer.from(chatEvent({ content: "grün 🦀 Ende" }));
const HALF = CRAB.indexOf(0xf0) + 2;
const NOISE = randomBytes(65_536);

const whole =
  (...parts: ReadonlyArray<string | Uint8Array>): RawAnswer =>
  async (socket) => {
    for (const part of parts) if (!(await send(socket, part))) return;
    socket.end();
  };
/** Goes on until nobody listens any more. */
const forever =
  (head: string, part: () => string | Uint8Array): RawAnswer =>
  async (socket) => {
    await send(socket, head);
    while (await send(socket, part()));
  };
const calls = (count: number, args: string, from = 0): string =>
  Array.from({ length: count }, (_, at) => {
    const call = {
      index: from + at,
      id: `c${from + at}`,
      type: "function",
      function: { name: "read", arguments: args },
    };
    return chatEvent({ tool_calls: [call] });
  }).join("");
const callsForever: RawAnswer = async (socket) => {
  await send(socket, STREAM);
  for (let from = 0; await send(socket, calls(500, "{}", from)); from += 500);
};
const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const BAD: ReadonlyArray<readonly [string, RawAnswer, RegExp]> = [
  ["noise", whole(STREAM, NOISE), /cannot be reached|cannot be understood/],
  ["noise without an end", forever(STREAM, () => NOISE), /did not come to an end/],
  ["a line without an end", forever(`${STREAM}data: `, () => "a".repeat(65_536)), /did not come to an end: .*line/],
  [
    "headers without an end",
    forever("HTTP/1.1 200 OK\r\n", () => `x-${randomUUID()}: ${"v".repeat(999)}\r\n`),
    /cannot be understood: .*HPE_HEADER_OVERFLOW/,
  ],
  [
    "chunks that are none",
    whole(`${HEAD}transfer-encoding: chunked\r\n\r\nZZZ\r\nhello\r\n0\r\n\r\n`),
    /cannot be reached|cannot be understood/,
  ],
  [
    "more than fits into a packed answer",
    whole(`${HEAD}content-encoding: gzip\r\nconnection: close\r\n\r\n`, gzipSync(Buffer.alloc(30_000_000))),
    /cannot be understood: .*gzip/,
  ],
  [
    "less than it announced",
    whole(`${HEAD}content-length: 100000\r\n\r\n${chatEvent({ content: "cut" })}`),
    /cannot be reached/,
  ],
  ["half a character and nothing more", whole(STREAM, CRAB.subarray(0, HALF)), /cannot be reached/],
  ["calls without an end", callsForever, /did not come to an end: .*256/],
  [
    "a hundred thousand calls",
    whole(STREAM, calls(100_000, "{}"), chatEnd("tool_calls")),
    /did not come to an end: .*256/,
  ],
  [
    "arguments without an end",
    forever(STREAM + calls(1, '{"path":"'), () =>
      chatEvent({ tool_calls: [{ index: 0, function: { arguments: "a".repeat(65_536) } }] }),
    ),
    /did not come to an end: .*1,000,000/,
  ],
  [
    "an event that is nested too deep",
    whole(STREAM, `data: ${deep(100_000)}\n\n`, chatEnd()),
    /cannot be understood: .*nested/,
  ],
  [
    "brackets without an end",
    whole(STREAM, `data: ${"[".repeat(900_000)}\n\n`, chatEnd()),
    /cannot be understood: .*nested/,
  ],
  ["nothing of the right kind", whole(STREAM, "data: null\n\ndata: 7\n\n", chatEnd()), /cannot be understood/],
  [
    "a web page",
    whole("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<html>sign in</html>"),
    /cannot be understood: .*web page/,
  ],
  [
    "another address",
    whole("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n"),
    /rejected the request: .*302/,
  ],
  [
    "an error without an end",
    forever("HTTP/1.1 500 X\r\nconnection: close\r\n\r\n{", () => "a".repeat(65_536)),
    /Something went wrong at the model provider/,
  ],
  [
    "a connection that breaks",
    async (socket) => {
      await send(socket, STREAM + chatEvent({ content: "begun" }));
      socket.resetAndDestroy();
    },
    /cannot be reached/,
  ],
];

const FINE: ReadonlyArray<readonly [string, RawAnswer, string]> = [
  [
    "HTTP/1.0",
    whole(`HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${chatEvent({ content: "old" })}${chatEnd()}`),
    "old",
  ],
  ["a character in two pieces", whole(STREAM, CRAB.subarray(0, HALF), CRAB.subarray(HALF), chatEnd()), "grün 🦀 Ende"],
  [
    "a line of a megabyte",
    whole(STREAM, chatEvent({ content: "a".repeat(1_000_000) }), chatEnd()),
    "a".repeat(1_000_000),
  ],
  [
    "remarks in between",
    whole(STREAM, ": still here\n\n".repeat(50_000), chatEvent({ content: "after" }), chatEnd()),
    "after",
  ],
  [
    "less than it announced, after its end",
    whole(`${HEAD}content-length: 99999\r\n\r\n${chatEvent({ content: "all" })}${chatEnd()}`),
    "all",
  ],
];

/** Pauses between two tries are short here; whatever waits longer waits as long as it should. */
const BRIEF: Clock = {
  now: () => Date.now(),
  steady: () => Math.floor(performance.now()),
  after(ms, task) {
    const timer = setTimeout(task, ms < 3_000 ? ms / 100 : ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

describe("a model server that answers with", () => {
  let model: RawModel;
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    model = await startRawModel();
    const models = [{ id: "m", name: "M", maxTokens: 8_192 }];
    const raw = { baseUrl: model.baseUrl, apiKey: "sk-raw", api: "openai-completions", models };
    const config = { models: { providers: { raw } }, agents: { defaults: { model: "raw/m" } } };
    gateway = await startTestGateway({ config, clock: BRIEF });
    client = await gateway.connect();
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });

  const ask = async (sessionKey: string) => {
    const { payload } = await client.chat("hello", { sessionKey });
    return { state: payload.state, text: payload.message?.content?.[0]?.text, error: payload.errorMessage };
  };

  test.for(BAD)("%s is told so, and the next turn goes on", async ([, answer, words]) => {
    model.answer(answer);
    const sessionKey = `agent:main:${randomUUID()}`;
    const { state, error } = await ask(sessionKey);
    expect([state, error]).toEqual(["error", expect.stringMatching(words)]);
    expect(error).not.toMatch(/call stack|undefined|\bat .*\.ts/);
    expect(error.length).toBeLessThan(2_000);
    model.answer(whole(STREAM, chatEvent({ content: "fine" }), chatEnd()));
    expect(await ask(sessionKey)).toMatchObject({ state: "final", text: "fine" });
  });

  test.for(FINE)("%s is understood", async ([, answer, text]) => {
    model.answer(answer);
    expect(await ask(`agent:main:${randomUUID()}`)).toMatchObject({ state: "final", text });
  });

  test("arguments that are nested too deep is told so, and may call again", async () => {
    const answers = [
      whole(STREAM, calls(1, deep(50_000)), chatEnd("tool_calls")),
      whole(STREAM, chatEvent({ content: "I see." }), chatEnd()),
    ];
    model.answer((socket) => answers.shift()?.(socket));
    const sessionKey = `agent:main:${randomUUID()}`;
    expect(await ask(sessionKey)).toMatchObject({ state: "final", text: "I see." });
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages.find(({ role }: { role: string }) => role === "toolResult")).toMatchObject({ isError: true });
  });
});
