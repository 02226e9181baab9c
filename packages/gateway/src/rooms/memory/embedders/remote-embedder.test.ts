// Providers of embeddings, each answered for by a server on this machine in the shape its API has.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GatewayError, Secret, type Logger } from "@chela/sdk";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { expect, it, onTestFinished } from "vitest";
import { createSafeFetch, type SafeFetch } from "../../../base/http/safe-fetch.ts";
import { bodyOf } from "../../../base/http/safe-fetch.test-support.ts";
import { createRemoteEmbedder, type RemoteEmbedderParts } from "./remote-embedder.ts";
import type { RemoteProvider } from "./default-models.ts";

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

const log = { info: () => {}, warn: () => {} } as unknown as Logger;

async function openServer(answer: (response: ServerResponse, asked: Asked, count: number) => void) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      asked.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) as Asked["body"] });
      answer(response, asked.at(-1) as Asked, asked.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

function open(wish: Partial<RemoteEmbedderParts>, clock: FakeClock = createFakeClock()) {
  const fetch = createSafeFetch({ clock });
  const apiKey = async () => new Secret("sk-test");
  return createRemoteEmbedder({ provider: "openai", apiKey, fetch, clock, log, ...wish });
}

const send = (response: ServerResponse, value: unknown, status = 200, headers = {}): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));

/** As OpenAI answers: the vector says how long the text was. */
const asList = ({ body }: Asked): unknown => ({
  object: "list",
  data: (body["input"] as string[]).map((text, index) => ({ object: "embedding", index, embedding: [text.length, 0] })),
  model: body["model"],
  usage: { prompt_tokens: 8, total_tokens: 8 },
});
const asGemini = ({ body }: Asked): unknown => ({
  embeddings: (body["requests"] as unknown[]).map(() => ({ values: [0, -2] })),
});

it.each<[RemoteProvider, "query" | "document", string, object, object]>([
  [
    "openai",
    "document",
    "/v1/embeddings",
    { authorization: "Bearer sk-test" },
    { model: "text-embedding-3-small", input: ["a", "b"] },
  ],
  [
    "mistral",
    "query",
    "/v1/embeddings",
    { authorization: "Bearer sk-test" },
    { model: "mistral-embed", input: ["a", "b"] },
  ],
  [
    "voyage",
    "query",
    "/v1/embeddings",
    { authorization: "Bearer sk-test" },
    { model: "voyage-4-large", input: ["a", "b"], input_type: "query" },
  ],
  [
    "gemini",
    "query",
    "/v1/models/gemini-embedding-001:batchEmbedContents",
    { "x-goog-api-key": "sk-test" },
    {
      requests: ["a", "b"].map((text) => ({
        model: "models/gemini-embedding-001",
        content: { parts: [{ text }] },
        taskType: "RETRIEVAL_QUERY",
      })),
    },
  ],
])("asks %s for a %s as its API wants it", async (provider, purpose, path, headers, body) => {
  const { asked, baseUrl } = await openServer((response, question) =>
    send(response, provider === "gemini" ? asGemini(question) : asList(question)),
  );
  const vectors = await open({ provider, baseUrl: `${baseUrl}/` }).embed(["a", "b"], purpose);
  expect(asked).toMatchObject([{ path, headers, body }]);
  expect(asked[0]?.body).toEqual(body);
  expect(vectors).toEqual(
    Array.from({ length: 2 }, () => (provider === "gemini" ? Float32Array.of(0, -1) : Float32Array.of(1, 0))),
  );
});

it.each<[RemoteProvider, string]>([
  ["openai", "https://api.openai.com/v1/embeddings"],
  ["mistral", "https://api.mistral.ai/v1/embeddings"],
  ["voyage", "https://api.voyageai.com/v1/embeddings"],
  ["gemini", "https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001:batchEmbedContents"],
])("knows where %s is, and trusts no inner address of it", async (provider, expected) => {
  const called: unknown[] = [];
  const fetch: SafeFetch = async (url, request) => {
    called.push([url, request?.allowPrivate, request?.maxRedirects]);
    throw new GatewayError("FETCH_REFUSED", "it leads to this machine");
  };
  await expect(open({ provider, fetch }).embed(["a"], "query")).rejects.toMatchObject({
    code: "MEMORY_EMBEDDING",
    detail: "it leads to this machine",
  });
  expect(called).toEqual([[expected, [], 0]]);
});

it("sends more texts than one request takes in several, and keeps their order", async () => {
  const { asked, baseUrl } = await openServer((response, { body }) => {
    const data = (body["input"] as string[]).map((text, index) => ({ index, embedding: [text.length, 1] }));
    send(response, { data: data.toReversed() });
  });
  const texts = Array.from({ length: 150 }, (_, at) => "x".repeat(at + 1));
  const vectors = await open({ baseUrl }).embed(texts, "document");
  expect(vectors.map(([length = 0, one = 0]) => Math.round(length / one))).toEqual(texts.map(({ length }) => length));
  expect(asked.map(({ body }) => (body["input"] as string[]).length)).toEqual([64, 64, 22]);
});

it("needs no key for an endpoint of the owner, and sends the owner's headers", async () => {
  const { asked, baseUrl } = await openServer((response, question) => send(response, asList(question)));
  const embedder = open({
    baseUrl,
    model: "nomic-embed-text",
    headers: { "x-team": "red" },
    apiKey: async () => undefined,
  });
  expect(await embedder.embed(["a"], "document")).toEqual([Float32Array.of(1, 0)]);
  expect(asked[0]?.headers).toMatchObject({ "x-team": "red" });
  expect(asked[0]?.headers.authorization).toBeUndefined();
});

it.each<[string, Partial<RemoteEmbedderParts>, string]>([
  ["there is no key", { apiKey: async () => undefined }, "there is no key for openai"],
  [
    "the key is for another place",
    { baseUrl: "http://127.0.0.1:9/v1", apiKey: async () => new Secret("sk", { origin: "https://api.openai.com" }) },
    "the key for openai may not be sent to 127.0.0.1:9",
  ],
  ["the address is none", { baseUrl: "here" }, "here is no web address"],
])("asks nobody when %s", async (_, wish, detail) => {
  await expect(open(wish).embed(["a"], "query")).rejects.toMatchObject({ code: "MEMORY_EMBEDDING", detail });
});

it.each<[string, unknown, string]>([
  ["fewer vectors than texts", { data: [{ index: 0, embedding: [1] }] }, "openai gave something else than 2 vectors"],
  [
    "vectors of different lengths",
    { data: [{ embedding: [1] }, { embedding: [1, 2] }] },
    "openai gave vectors of different lengths",
  ],
  [
    "what is no number",
    { data: [{ embedding: [1] }, { embedding: [null] }] },
    "openai gave something else than 2 vectors",
  ],
  ["empty vectors", { data: [{ embedding: [] }, { embedding: [] }] }, "openai gave something else than 2 vectors"],
  [
    "numbers no vector holds",
    { data: [{ embedding: [1e300] }, { embedding: [1] }] },
    "openai gave numbers that are too large",
  ],
  ["something else", { ok: true }, "openai gave something else than 2 vectors"],
])("refuses %s", async (_, answer, detail) => {
  const { baseUrl } = await openServer((response) => send(response, answer));
  await expect(open({ baseUrl }).embed(["a", "b"], "document")).rejects.toMatchObject({
    code: "MEMORY_EMBEDDING",
    detail,
  });
});

it("asks a busy provider again after the time it tells", async () => {
  const clock = createFakeClock();
  const { asked, baseUrl } = await openServer((response, question, count) =>
    count < 3 ? send(response, {}, count === 1 ? 429 : 503, { "retry-after": "7" }) : send(response, asList(question)),
  );
  const work = open({ baseUrl }, clock).embed(["a"], "document");
  for (const count of [1, 2]) {
    await expect.poll(() => asked.length).toBe(count);
    await expect.poll(() => clock.advance(7000).then(() => asked.length)).toBe(count + 1);
  }
  expect(await work).toHaveLength(1);
});

it.each<[string, number, object, unknown, { detail: string; retryAfterMs: number | undefined; calls: number }]>([
  ["a long pause", 429, { "retry-after": "90" }, {}, { detail: "openai asks to wait", retryAfterMs: 90_000, calls: 1 }],
  [
    "a pause told in words",
    429,
    {},
    { error: { details: [{ retryDelay: "34s" }] } },
    { detail: "openai asks to wait", retryAfterMs: 34_000, calls: 1 },
  ],
  ["a wrong key", 401, {}, {}, { detail: "openai does not accept the key", retryAfterMs: 600_000, calls: 1 }],
  [
    "an empty account",
    429,
    {},
    { error: { code: "insufficient_quota" } },
    { detail: "the account at openai has nothing left", retryAfterMs: 600_000, calls: 1 },
  ],
  [
    "an unknown model",
    404,
    {},
    {},
    { detail: "openai does not know this model or address", retryAfterMs: undefined, calls: 1 },
  ],
  [
    "a request it does not take",
    400,
    {},
    {},
    { detail: "openai refused the request (HTTP 400)", retryAfterMs: undefined, calls: 1 },
  ],
])("does not wait for %s, and says how long it takes", async (_, status, headers, body, expected) => {
  const { asked, baseUrl } = await openServer((response) => send(response, body, status, headers));
  const failure = await open({ baseUrl })
    .embed(["a"], "document")
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "MEMORY_EMBEDDING", detail: expected.detail });
  expect((failure as { cause: { retryAfterMs?: number } }).cause.retryAfterMs).toBe(expected.retryAfterMs);
  expect(asked).toHaveLength(expected.calls);
  expect(JSON.stringify(failure) + String(failure)).not.toContain("sk-test");
});

it("follows no redirect: a key goes nowhere else", async () => {
  const { asked, baseUrl } = await openServer((response) => send(response, {}, 307, { location: "/elsewhere" }));
  await expect(open({ baseUrl }).embed(["a"], "query")).rejects.toMatchObject({ code: "MEMORY_EMBEDDING" });
  expect(asked).toHaveLength(1);
});

it("tries a question once only, since somebody waits for it", async () => {
  const { asked, baseUrl } = await openServer((response) => send(response, {}, 503));
  await expect(open({ baseUrl }).embed(["a"], "query")).rejects.toMatchObject({
    detail: "openai has trouble (HTTP 503)",
  });
  expect(asked).toHaveLength(1);
});

it("gives up on a server that says nothing", async () => {
  const clock = createFakeClock();
  const { asked, baseUrl } = await openServer(() => {});
  const work = open({ baseUrl }, clock).embed(["a"], "query");
  const failed = expect(work).rejects.toMatchObject({ detail: "openai cannot be reached" });
  await expect.poll(() => asked.length).toBe(1);
  await clock.advance(10_000);
  await failed;
});

it("stops when it is told to, also while it waits", async () => {
  const clock = createFakeClock();
  const abort = new AbortController();
  const { asked, baseUrl } = await openServer((response) => send(response, {}, 503));
  const work = open({ baseUrl }, clock).embed(["a"], "document", abort.signal);
  const stopped = expect(work).rejects.toThrow("enough");
  await expect.poll(() => asked.length).toBe(1);
  abort.abort(Object.assign(new Error("enough"), { name: "AbortError" }));
  await stopped;
});
