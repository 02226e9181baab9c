// S-31: bombs, floods and slow visitors at every entry of a gateway of its own: it stays small, and goes on.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { listDoorRoutes, MOUNT_PATH } from "../support/security/door-routes.ts";
import { startLoneGateway, type LoneGateway } from "../support/durability/lone-gateway.ts";
import { countCases } from "../support/security/security-cases.ts";
import { connectClient, type ResponseFrame, type WireClient } from "../support/wire-client.ts";

const TOKEN = "token-of-a-gateway-under-fire-0123456789";
const HOOK_TOKEN = "token-of-the-hooks-under-fire-0123456789";
/** More than it may ever have: from the sources it begins with about 150. */
const MOST_MEGABYTES = 480;
const MEGABYTE = 1024 * 1024;
const LONG = process.env["CHELA_LONG"] === "1";

/** A provider that never ends, in the way the model's name says. */
const FLOODS: Readonly<Record<string, (write: (text: string) => boolean) => boolean>> = {
  "one-line": (write) => write("x".repeat(64 * 1024)),
  comments: (write) => write(`: ${"x".repeat(60 * 1024)}\n`),
  events: (write) => write(`data: ${JSON.stringify({ id: "x", choices: [] })}\n\n`.repeat(500)),
  words: (write) =>
    write(`data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta: { content: "x".repeat(8000) } }] })}\n\n`),
  arguments: (write) =>
    write(
      `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "c", function: { name: "write", arguments: "x".repeat(8000) } }] } }] })}\n\n`,
    ),
};

describe.skipIf(process.platform !== "linux")("a gateway", () => {
  let gateway: LoneGateway;
  let client: WireClient;
  let provider: ReturnType<typeof createServer>;
  let given = 0;
  beforeAll(async () => {
    provider = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => (body += String(part)));
      request.once("end", () => {
        const flood = FLOODS[(JSON.parse(body) as { model: string }).model];
        response.writeHead(200, { "content-type": "text/event-stream" });
        const write = (text: string): boolean => {
          given += text.length;
          return response.write(text);
        };
        const more = (): void => {
          while (!response.destroyed && flood?.(write)) continue;
        };
        response.on("drain", more);
        more();
      });
    });
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
    const models = Object.keys(FLOODS).map((id) => ({ id, name: id }));
    gateway = await startLoneGateway({
      gateway: {
        auth: { mode: "token", token: TOKEN },
        http: { endpoints: { chatCompletions: { enabled: true }, responses: { enabled: true } } },
      },
      hooks: {
        enabled: true,
        token: HOOK_TOKEN,
        mappings: [{ match: { path: "mapped" }, action: "wake", textTemplate: "x" }],
      },
      models: { providers: { flood: { baseUrl, api: "openai-completions", apiKey: "k", models } } },
      agents: {
        defaults: { model: "demo/demo", sandbox: { mode: "off" }, timeoutSeconds: 20 },
        list: [
          { id: "main", default: true },
          ...models.map(({ id }) => ({ id: `a-${id}`, model: { primary: `flood/${id}`, fallbacks: [] } })),
        ],
      },
    });
    client = await connectClient({ url: `ws://127.0.0.1:${gateway.port}`, token: TOKEN });
  });
  afterAll(async () => {
    client.terminate();
    await gateway[Symbol.asyncDispose]();
    provider.closeAllConnections();
    await new Promise((resolve) => provider.close(resolve));
  });

  /** It lives, it answers, and it is not larger than it may be. */
  async function expectWell(): Promise<void> {
    expect(gateway.isAlive()).toBe(true);
    expect((await client.request("health")).ok).toBe(true);
    expect(gateway.peakMegabytes()).toBeLessThan(MOST_MEGABYTES);
  }

  /** Some of these take longer than anybody else is waited for. */
  async function lastAnswer(id: string, rounds = 6): Promise<ResponseFrame> {
    const find = (): ResponseFrame | undefined =>
      client.responsesTo(id).find(({ ok, payload }) => !ok || payload?.status !== "accepted");
    const found = await client.until("an answer", find).catch(() => undefined);
    if (found || rounds === 0) return found ?? { type: "res", id, ok: true };
    return lastAnswer(id, rounds - 1);
  }

  /** Writes until the other side has had enough, or `most` bytes; gives how many it took. */
  function pour(head: string, piece: Buffer, most: number): Promise<number> {
    return new Promise((resolve) => {
      const socket = connect(gateway.port, "127.0.0.1");
      let poured = 0;
      const more = (): void => {
        while (!socket.destroyed && poured < most) {
          poured += piece.length;
          if (!socket.write(piece)) return;
        }
        socket.end();
      };
      socket.on("error", () => undefined);
      socket.on("drain", more);
      socket.resume();
      socket.once("close", () => resolve(poured));
      socket.once("connect", () => {
        socket.write(head);
        more();
      });
    });
  }

  /** Where a channel takes requests, others do not, and a channel is none of this gateway's. */
  const isHere = ({ method, path }: { method: string; path: string }): boolean =>
    method === "POST" && path !== MOUNT_PATH;
  const posts = [
    ...new Set(
      listDoorRoutes()
        .filter(isHere)
        .map(({ path }) => path),
    ),
  ];

  test.each(posts)("%s takes no body without an end, by length or in pieces", async (path) => {
    const token = path.startsWith("/hooks") ? HOOK_TOKEN : TOKEN;
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, "["), Buffer.from("\r\n")]);
    const inPieces = await pour(`${head}Transfer-Encoding: chunked\r\n\r\n`, chunk, 200 * MEGABYTE);
    const byLength = await pour(
      `${head}Content-Length: ${2 ** 40}\r\n\r\n`,
      Buffer.alloc(0x10000, "["),
      200 * MEGABYTE,
    );
    expect([inPieces < 100 * MEGABYTE, byLength < 100 * MEGABYTE]).toEqual([true, true]);
    countCases("S-31", 2);
    await expectWell();
  });

  test("strangers get little room: long lines, many headers, endless pieces of frames", async () => {
    const host = `Host: 127.0.0.1:${gateway.port}\r\n`;
    const upgrade = `GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
    /** Masked, not the last piece, 65535 bytes. */
    const piece = Buffer.concat([Buffer.from([0x01, 0xfe, 0xff, 0xff, 0, 0, 0, 0]), Buffer.alloc(65535, "[")]);
    const next = Buffer.concat([Buffer.from([0x00, 0xfe, 0xff, 0xff, 0, 0, 0, 0]), Buffer.alloc(65535, "[")]);
    const taken = await Promise.all([
      pour(`GET /${"x".repeat(1000)}`, Buffer.alloc(0x10000, "x"), 50 * MEGABYTE),
      pour(`GET / HTTP/1.1\r\n${host}`, Buffer.from(`X: ${"y".repeat(60_000)}\r\n`), 50 * MEGABYTE),
      pour(Buffer.concat([Buffer.from(upgrade), piece]).toString("latin1"), next, 100 * MEGABYTE),
    ]);
    expect(taken.filter((bytes) => bytes > 40 * MEGABYTE)).toEqual([]);
    countCases("S-31", taken.length);
    await expectWell();
  });

  test("visitors who send a byte now and then keep nobody out", async () => {
    const slow: Socket[] = [];
    for (let index = 0; index < 200; index++) {
      const socket = connect(gateway.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(
        index % 2 === 0 ? "GET /healthz HTTP/1.1\r\nHost: x" : "POST /v1/chat/completions HTTP/1.1\r\nContent-Le",
      );
      slow.push(socket);
    }
    await expectWell();
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/healthz`);
    expect(answer.status).toBe(200);
    for (const socket of slow) socket.destroy();
    countCases("S-31", slow.length);
  });

  test("whoever was let in floods in vain: deep, wide and long parameters, and thousands of frames", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const wide = `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join()}}`;
    const long = JSON.stringify("x".repeat(8 * MEGABYTE));
    const methods = ["config.check", "agent", "cron.add", "exec.approvals.set"];
    for (const method of methods) {
      for (const value of [deep, wide, long]) {
        const id = randomUUID();
        const flooding = await connectClient({ url: `ws://127.0.0.1:${gateway.port}`, token: TOKEN });
        flooding.sendText(`{"type":"req","id":"${id}","method":"${method}","params":{"raw":${value}}}`);
        await Promise.race([
          flooding.until("an answer", () => flooding.responsesTo(id)[0]).catch(() => undefined),
          flooding.closed,
        ]);
        flooding.terminate();
      }
    }
    const raw = new WebSocket(`ws://127.0.0.1:${gateway.port}`);
    raw.on("error", () => undefined);
    await new Promise((resolve) => raw.once("open", resolve));
    for (let index = 0; index < 5000; index++) raw.send('{"type":"req"');
    await new Promise((resolve) => (raw.readyState === WebSocket.CLOSED ? resolve(0) : raw.once("close", resolve)));
    countCases("S-31", methods.length * 3 + 1);
    await expectWell();
  });

  /** The others are the same to the gateway, and take long. */
  const tried = Object.keys(FLOODS).filter((name) => LONG || !["comments", "events"].includes(name));

  test.each(tried)(
    "a provider without an end: %s",
    async (model) => {
      const before = given;
      const id = randomUUID();
      client.send({
        type: "req",
        id,
        method: "agent",
        params: { agentId: `a-${model}`, message: "hello", idempotencyKey: id },
      });
      const { payload } = await lastAnswer(id);
      client.frames.length = 0;
      expect(payload).toMatchObject({ result: { meta: { stopReason: "error" } } });
      expect((given - before) / MEGABYTE).toBeLessThan(300);
      countCases("S-31", 1);
      await expectWell();
    },
    120_000,
  );
});
