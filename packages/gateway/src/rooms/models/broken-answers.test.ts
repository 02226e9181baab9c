// Answers that break in every way a connection can: each call ends, once, and leaves nothing behind on the turn's signal.
import { getEventListeners, once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createFakeClock, plainRequest } from "@chela/sdk/testing";
import type { ModelEvent } from "@chela/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpFetch } from "@chela/sdk/http";
import { streamAttempt } from "./failover/attempt.ts";
import { loadWire } from "./providers/wire.ts";
import { silentLog } from "./testing/wire-harness.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const piece = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const WORD = piece('data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}\n\n');
const HINT = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";

/** How the server answers each request. */
const BREAKS: Readonly<Record<string, (socket: Socket) => void>> = {
  "no answer": (socket) => socket.destroy(),
  "a reset": (socket) => socket.resetAndDestroy(),
  "half a head": (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-ty"),
  "a head alone": (socket) => void socket.end(HEAD),
  "a word, then the end": (socket) => void socket.end(HEAD + WORD),
  "half a piece": (socket) => void socket.end(`${HEAD}ffff\r\nda`),
  "a piece without a size": (socket) => void socket.end(`${HEAD}${WORD}zz\r\nxx\r\n`),
  "fewer bytes than were promised": (socket) =>
    void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\ndata: {}"),
  "more bytes than were promised": (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno, more"),
  "hints without an answer": (socket) => void socket.end(HINT.repeat(30)),
  "another protocol": (socket) =>
    void socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
  "a refusal that breaks off": (socket) => void socket.end("HTTP/1.1 500 Oops\r\ncontent-length: 99\r\n\r\nno"),
  "no HTTP": (socket) => void socket.end("nonsense\n\n"),
  "a page": (socket) =>
    void socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>"),
};
const CALLS = 15;

describe("a model whose answers break", () => {
  let answer: (socket: Socket) => void = (socket) => socket.destroy();
  const server = createServer((socket) => {
    let asked = "";
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      asked += bytes.toString("latin1");
      const [, length] = /content-length: (\d+)/i.exec(asked) ?? [];
      if (asked.length < asked.indexOf("\r\n\r\n") + 4 + Number(length)) return;
      asked = "";
      answer(socket);
    });
  });
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  beforeAll(async () => {
    process.on("warning", warn);
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => {
    process.off("warning", warn);
    server.close();
  });

  it.for(Object.keys(BREAKS))("by %s ends every call, and leaves nothing on the signal of its turn", async (name) => {
    answer = BREAKS[name] as (socket: Socket) => void;
    const fetch = createHttpFetch();
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const settings = { provider: "p", modelId: "m", baseUrl, apiKey: "key", bearer: false, headers: {}, compat: {} };
    const provider = (await loadWire("openai-completions"))(settings, fetch);
    const turn = new AbortController();
    const call = async (): Promise<ModelEvent["kind"][]> => {
      const parts = { clock: createFakeClock(), log: silentLog, request: plainRequest() };
      const events = streamAttempt({ ...parts, open: async () => ({ kind: "ready", provider }) }, turn.signal);
      const ends: ModelEvent["kind"][] = [];
      for await (const { kind } of events) if (kind === "failure" || kind === "finish") ends.push(kind);
      return ends;
    };
    for (let at = 0; at < CALLS; at++) expect(await call()).toEqual(["failure"]);
    const together = await Promise.all(Array.from({ length: CALLS }, call));
    expect(together.flat()).toEqual(together.map(() => "failure"));
    expect(getEventListeners(turn.signal, "abort")).toHaveLength(0);
    expect(warnings).toEqual([]);
    fetch.close();
  });
});
