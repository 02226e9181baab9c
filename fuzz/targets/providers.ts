// Answers of models as they come over the wire: torn anywhere, broken anywhere.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { ModelApi, ModelEvent } from "@chela/sdk";
import { plainRequest } from "@chela/sdk/testing";
import { HttpResponse, type HttpFetch } from "@chela/sdk/http";
import { SseReader } from "../../packages/gateway/src/rooms/models/providers/sse.ts";
import { AwsEventReader } from "../../packages/gateway/src/rooms/models/providers/aws/aws-event-stream.ts";
import { readArguments } from "../../packages/gateway/src/rooms/models/providers/call-arguments.ts";
import { loadWire } from "../../packages/gateway/src/rooms/models/providers/wire.ts";
import { encodeAwsFrames } from "../../packages/gateway/src/rooms/models/testing/aws-frames.ts";
import { API_KEY, listFixtures, readFixture } from "../../packages/gateway/src/rooms/models/testing/wire-harness.ts";
import { hashOf } from "../random.ts";
import { promise, type Target } from "../target.ts";

const APIS: readonly Exclude<ModelApi, "demo" | "github-copilot">[] = [
  "openai-completions",
  "openai-responses",
  "anthropic-messages",
  "google-generative-ai",
  "bedrock-converse-stream",
  "ollama",
];
const LONGEST_FIXTURE = 3000;

const answers: readonly Target[] = APIS.map((api) => ({
  name: `answer-${api}`,
  promises:
    "Whatever a server answers, the stream ends with exactly one finish or failure, which tells no key, and no event comes behind it.",
  kind: "bytes",
  seeds: () => listFixtures(api).streams.map((name) => toBytes(readFixture(api, name)).slice(0, LONGEST_FIXTURE)),
  words: [
    "data: ",
    "\n\n",
    "[DONE]",
    '{"',
    '"}',
    ":null",
    "\\u0000",
    '"type":"',
    '"error":',
    "event: ",
    "1e999",
    "tool",
    API_KEY,
  ],
  async open() {
    const createWire = await loadWire(api);
    let answer: Buffer = Buffer.alloc(0);
    let status = 200;
    const fetch: HttpFetch = Object.assign(
      async (url: string | URL) =>
        new HttpResponse(String(url), incoming(answer, status), { bytes: 1_000_000, line: 100_000 }),
      { close: () => undefined },
    );
    const aws = { accessKeyId: "A", secretAccessKey: API_KEY, region: "x" };
    const settings = { provider: "test", modelId: "test-model", baseUrl: "http://127.0.0.1/v1", bearer: false };
    const needsAws = api === "bedrock-converse-stream" ? { aws } : { apiKey: API_KEY };
    const wire = createWire({ ...settings, ...needsAws, headers: {}, compat: {} } as never, fetch);
    const request = plainRequest({ provider: "test", id: "test-model", api });
    return {
      async run(input) {
        answer = api === "bedrock-converse-stream" ? encodeOr(input) : Buffer.from(input, "latin1");
        status = hashOf(input) % 16 === 0 ? 429 : 200;
        const events: ModelEvent[] = [];
        for await (const event of wire.stream(request, new AbortController().signal)) events.push(event);
        const ends = events.filter(({ kind }) => kind === "finish" || kind === "failure");
        promise(
          ends.length === 1 && events.at(-1) === ends[0],
          `there are ${ends.length} ends in ${events.length} events`,
        );
        const said = JSON.stringify(ends[0]);
        promise(!said.includes(API_KEY), () => `a failure tells the key: ${said}`);
      },
    };
  },
}));

/** One character for each byte. */
function toBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Frames where the lines can be made into some, else the bytes as they are. */
function encodeOr(input: string): Buffer {
  try {
    return encodeAwsFrames(Buffer.from(input, "latin1").toString());
  } catch {
    return Buffer.from(input, "latin1");
  }
}

function incoming(bytes: Buffer, statusCode: number): IncomingMessage {
  const size = 1 + (bytes.length % 97);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const headers = { "content-type": "text/event-stream" };
  return Object.assign(Readable.from(pieces, { objectMode: false }), {
    statusCode,
    statusMessage: "",
    headers,
    rawHeaders: [],
  }) as unknown as IncomingMessage;
}

const eventStreams: Target = {
  name: "event-streams",
  promises: "Server-sent events and AWS's frames are the same however their bytes are torn.",
  kind: "bytes",
  seeds: () => [
    'data: {"a":1}\n\ndata: {"b":\ndata: 2}\n\n: comment\nevent: x\ndata: [DONE]\n\n',
    'data:{"a":"\u00c3\u00a9"}\r\n\r\nretry: 5\r\n\r\n',
    encodeAwsFrames('{"event":"messageStop","body":{"stopReason":"end_turn"}}\n{"exception":"x","body":{}}').toString(
      "latin1",
    ),
  ],
  words: ["data:", "data: ", "\n", "\r\n", "\n\n", "event:", "id:", "\u00ef\u00bb\u00bf", "{", "}", "\r"],
  maxLength: 2000,
  open: () => ({
    run(input) {
      const bytes = Buffer.from(input, "latin1");
      const size = 1 + (hashOf(input) % 23);
      for (const read of [readEvents, readFrames]) {
        const [whole, torn] = [read(bytes, bytes.length || 1), read(bytes, size)];
        promise(whole === torn, () => `torn into pieces of ${size}, ${whole} becomes ${torn}`);
      }
    },
  }),
};

/** What is told of bytes that come in pieces; a stream that makes no sense is what was told before, and why. */
function inPieces(bytes: Buffer, size: number, push: (piece: Buffer) => void, told: () => string): string {
  try {
    for (let at = 0; at < bytes.length; at += size) push(bytes.subarray(at, at + size));
    return told();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return "makes no sense";
  }
}

function readEvents(bytes: Buffer, size: number): string {
  const taken: string[] = [];
  const reader = new SseReader((data) => {
    taken.push(data);
    return data.startsWith("{") && !data.endsWith("}") ? "incomplete" : "taken";
  });
  return inPieces(
    bytes,
    size,
    (piece) => reader.push(piece),
    () => JSON.stringify([taken, reader.close()]),
  );
}

function readFrames(bytes: Buffer, size: number): string {
  const reader = new AwsEventReader();
  const frames: unknown[] = [];
  return inPieces(
    bytes,
    size,
    (piece) => frames.push(...reader.push(piece)),
    () => JSON.stringify(frames),
  );
}

const callArguments: Target = {
  name: "call-arguments",
  promises:
    "Arguments of a call are an object, the one that is written where it is JSON, and unreadable ones are empty.",
  kind: "text",
  seeds: () => [
    '{"path":"a.txt","limit":3}',
    "{'path': 'a', b: True,}",
    '```json\n{"a":[1,{"b":null}]}\n```',
    '"{\\"a\\":1}"',
    '{"a":"x\ny"}}',
    '[{"a":1}]',
    "null",
  ],
  words: ["{", "}", '"', "'", "\\", "```json\n", "null", "__proto__", ":", ",", "//", "\n", "1e999"],
  maxLength: 2000,
  open: () => ({
    run(input) {
      const read = readArguments(input);
      const args: unknown = read.arguments;
      promise(typeof args === "object" && args !== null && !Array.isArray(args), () => `it is ${JSON.stringify(args)}`);
      promise(
        read.unreadable === undefined || Object.keys(read.arguments).length === 0,
        "unreadable, yet it says something",
      );
      const plain = jsonObjectIn(input);
      promise(
        !plain || JSON.stringify(plain) === JSON.stringify(args),
        () => `${input} was read as ${JSON.stringify(args)}`,
      );
    },
  }),
};

function jsonObjectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const providers: readonly Target[] = [eventStreams, callArguments, ...answers];
