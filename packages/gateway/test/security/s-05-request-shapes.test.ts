// S-05: a request that two programs on its way would read as two different ones is answered by neither door.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSocket } from "../support/in-process-http.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";

const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
const head = (start: string, ...more: string[]): string => [`${start} HTTP/1.1`, ...more, "", ""].join("\r\n");
const HOST = "Host: localhost";

const AMBIGUOUS: ReadonlyArray<readonly [what: string, bytes: string]> = [
  ["two Host headers", head("GET /healthz", HOST, "Host: evil.example")],
  ["two Host headers that are the same", head("GET /healthz", HOST, HOST)],
  ["two Host headers of an upgrade", head("GET /", HOST, "Host: evil.example", UPGRADE)],
  ["an address of somebody else", head("GET http://evil.example/healthz", HOST)],
  ["an upgrade for somebody else", head("GET http://evil.example/", HOST, UPGRADE)],
  ["a path that begins with a host", head("GET //evil.example/healthz", HOST)],
  ["a path that begins with a host, written otherwise", head("GET /\\evil.example/healthz", HOST)],
  ["a path that goes back, written otherwise", head("GET /x\\..\\healthz", HOST)],
  ["an unknown transfer coding", `${head("POST /healthz", HOST, "Transfer-Encoding: xchunked")}0\r\n\r\n`],
  ["a transfer coding before chunked", `${head("POST /healthz", HOST, "Transfer-Encoding: gzip, chunked")}0\r\n\r\n`],
  ["two lengths", `${head("POST /healthz", HOST, "Content-Length: 4", "Content-Length: 5")}abcde`],
  ["a length and chunks", `${head("POST /healthz", HOST, "Content-Length: 4", "Transfer-Encoding: chunked")}0\r\n\r\n`],
  ["a blank before the colon", `${head("POST /healthz", HOST, "Transfer-Encoding : chunked")}0\r\n\r\n`],
  ["a folded header", head("GET /healthz", HOST, " X-Folded: 1")],
  ["a bare line feed", "GET /healthz HTTP/1.1\nHost: localhost\n\n"],
  ["no Host", head("GET /healthz")],
];

describe("S-05: ambiguous requests", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  /** The first line of the answer, and whether the connection was closed behind it. */
  async function ask(bytes: string): Promise<string> {
    const socket = await openSocket(gateway.gateway.port);
    try {
      const answered = new Promise<string>((resolve) => {
        socket.once("data", (data) => resolve(String(data)));
        socket.once("close", () => resolve("nothing"));
      });
      socket.write(bytes);
      return (await answered).split("\r\n")[0] ?? "";
    } finally {
      socket.destroy();
    }
  }

  test.for(AMBIGUOUS)("%s: refused", async ([, bytes]) => {
    expect(await ask(bytes)).toMatch(/^HTTP\/1\.1 (?:400|403) /);
  });

  test("nothing behind a head that was refused is read as a request", async () => {
    const smuggled = head("GET /healthz", HOST);
    const socket = await openSocket(gateway.gateway.port);
    let heard = "";
    socket.on("data", (data) => (heard += String(data)));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(head("POST /healthz", HOST, "Transfer-Encoding: xchunked") + smuggled);
    await closed;
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  });

  test("our own address in full is as good as a path", async () => {
    expect(await ask(head("GET http://localhost/healthz", HOST))).toBe("HTTP/1.1 200 OK");
  });

  test.for([
    "null",
    "file://",
    "chrome-extension://abcdefghijklmnop",
    "moz-extension://a",
    "",
    "http://localhost.evil.example",
  ])("a page of the origin %o opens no socket", async (origin) => {
    expect(await ask(head("GET /", HOST, UPGRADE, `Origin: ${origin}`))).toBe("HTTP/1.1 403 Forbidden");
  });
});
