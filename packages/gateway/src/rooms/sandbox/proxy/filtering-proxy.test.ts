// The proxy for sandboxes, through its socket: what is let through, what is not, and how long anybody may take.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { connect, createServer as createTcpServer, Socket, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { describe, expect, it } from "vitest";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import {
  openSmallInternet,
  type SmallInternet,
  type SmallInternetOptions,
} from "../../../base/http/safe-fetch.test-support.ts";
import { createSelfSigned } from "../../../../test/support/in-process-tls.ts";
import { createFilteringProxy, type FilteringProxyParts } from "./filtering-proxy.ts";

interface Stage extends AsyncDisposable {
  readonly internet: SmallInternet;
  readonly clock: FakeClock;
  readonly socketPath: string;
  readonly logged: object[];
  /** A connection to the proxy, as a program inside has it. */
  dial(): Dialled;
}

interface Dialled {
  readonly socket: Socket;
  send(text: string): Dialled;
  /** Everything until the proxy closes. */
  readonly all: Promise<string>;
  until(part: string): Promise<string>;
}

interface StageOptions extends SmallInternetOptions {
  readonly hosts?: () => readonly string[];
  readonly answer?: Parameters<typeof openSmallInternet>[0];
  readonly ways?: Partial<Pick<FilteringProxyParts, "dial" | "resolve">>;
}

async function openProxy(options: StageOptions = {}): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), "chela-proxy-"));
  const clock = createFakeClock();
  const internet = await openSmallInternet(options.answer ?? ((_, response) => response.end("page")), options);
  const logged: object[] = [];
  const log = logInto(logged);
  const hosts = options.hosts ?? (() => ["good.example", "*.wide.example", "odd.example:8443"]);
  const listenPath = join(directory, "proxy.sock");
  const proxy = await createFilteringProxy({ clock, log, hosts, listenPath, ...internet.ways, ...options.ways });
  return {
    internet,
    clock,
    logged,
    socketPath: proxy.socketPath,
    dial: () => dialProxy(proxy.socketPath),
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      await internet[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function logInto(logged: object[]): FilteringProxyParts["log"] {
  const none = (): void => {};
  const log: FilteringProxyParts["log"] = {
    log: none,
    trace: none,
    debug: none,
    info: none,
    error: none,
    warn: (_text, fields = {}) => void logged.push(fields),
    child: () => log,
  };
  return log;
}

function dialProxy(path: string): Dialled {
  const socket = connect({ path, allowHalfOpen: true });
  let text = "";
  const all = Promise.withResolvers<string>();
  socket.on("data", (piece) => (text += piece.toString("latin1")));
  socket.on("error", () => {});
  socket.once("close", () => all.resolve(text));
  socket.once("end", () => socket.end());
  const dialled: Dialled = {
    socket,
    all: all.promise,
    send: (more) => (socket.write(more, "latin1"), dialled),
    until: (part) =>
      new Promise((resolve, reject) => {
        const look = (): void => void (text.includes(part) && resolve(text));
        look();
        socket.on("data", look);
        socket.once("close", () => reject(new Error(`closed before "${part}" after: ${text}`)));
      }),
  };
  return dialled;
}

const get = (url: string, more = ""): string => `GET ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${more}\r\n`;
const tunnel = (authority: string): string => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

describe("a host on the list", () => {
  it.for([
    ["http://good.example/", "93.184.216.34:80"],
    ["http://GOOD.example./", "93.184.216.34:80"],
    ["http://good.example:443/", "93.184.216.34:443"],
    ["http://a.wide.example/", "93.184.216.34:80"],
    ["http://a.b.wide.example/", "93.184.216.34:80"],
    ["http://odd.example:8443/", "93.184.216.34:8443"],
  ] as const)("is reached: %s", async ([url, dialled]) => {
    await using stage = await openProxy();
    const answer = await stage.dial().send(get(url)).all;
    expect([statusOf(answer), answer.split("\r\n\r\n")[1]]).toEqual([200, expect.stringContaining("page")]);
    expect(stage.internet.dialled).toEqual([dialled]);
  });

  it.for([
    ["good.example:443", "93.184.216.34:443"],
    ["good.example:80", "93.184.216.34:80"],
    ["x.wide.example:443", "93.184.216.34:443"],
    ["odd.example:8443", "93.184.216.34:8443"],
  ] as const)("is connected to: %s", async ([authority, dialled]) => {
    await using stage = await openProxy();
    const inside = stage.dial().send(tunnel(authority));
    await inside.until("200 Connection Established\r\n\r\n");
    inside.send("GET /through HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await inside.all).toContain("page");
    expect(stage.internet.dialled).toEqual([dialled]);
    expect(stage.internet.arrived).toEqual(["GET x/through"]);
  });

  it("is looked up in the list as it is now", async () => {
    let hosts: string[] = [];
    await using stage = await openProxy({ hosts: () => hosts });
    expect(statusOf(await stage.dial().send(get("http://late.example/")).all)).toBe(403);
    hosts = ["late.example"];
    expect(statusOf(await stage.dial().send(get("http://late.example/")).all)).toBe(200);
  });
});

const REFUSED = [
  "bad.example:443 good.example.evil.example:443 evilgood.example:443 wide.example:443 evil-wide.example:443",
  "good.example:22 good.example:8443 odd.example:443 odd.example:80 x.odd.example:8443",
  // Addresses by themselves, in every spelling.
  "8.8.8.8:443 127.0.0.1:80 169.254.169.254:80 2130706433:80 0x7f.1:443 0177.0.0.1:443 127.1:80 １２７.０.０.１:80",
  "[::1]:443 [::ffff:127.0.0.1]:443 [64:ff9b::7f00:1]:443 [2606:4700:4700::1111]:443 [fe80::1]:80 0.0.0.0:80",
  "localhost:80 metadata.google.internal:80",
].flatMap((line) => line.split(" "));

describe("what is not on the list", () => {
  it.for(REFUSED)("is refused with a sentence: CONNECT %s", async (authority) => {
    await using stage = await openProxy();
    const bytes = Buffer.from(tunnel(authority)).toString("latin1");
    const answer = await stage.dial().send(bytes).all;
    // What is no ASCII is no request at all.
    expect(statusOf(answer)).toBe(/^[ -~]+$/.test(authority) ? 403 : 400);
    if (statusOf(answer) === 403) expect(answer).toContain("agents.defaults.sandbox.allowHosts");
    expect([stage.internet.dialled, stage.internet.lookedUp]).toEqual([[], []]);
  });

  it.for([["*"], ["*.example"], [""], ["good.example/x"], ["8.8.8.8"], ["*.*.example"], ["http://good.example"]])(
    "is not opened by an entry that means too much or nothing: %j",
    async (hosts) => {
      await using stage = await openProxy({ hosts: () => hosts });
      expect(statusOf(await stage.dial().send(get("http://good.example/")).all)).toBe(403);
      expect(statusOf(await stage.dial().send(tunnel("8.8.8.8:443")).all)).toBe(403);
      expect(stage.internet.dialled).toEqual([]);
    },
  );

  it("is explained by its host or its port", async () => {
    await using stage = await openProxy();
    expect(await stage.dial().send(get("http://bad.example/")).all).toContain(
      "bad.example may not be reached from this sandbox; the owner can add it to agents.defaults.sandbox.allowHosts.",
    );
    expect(await stage.dial().send(tunnel("good.example:22")).all).toContain(
      'Port 22 of good.example may not be reached; the owner can add "good.example:22" to agents.defaults.sandbox.allowHosts.',
    );
  });

  it("is logged once a minute for each host", async () => {
    await using stage = await openProxy();
    const ask = async (host: string): Promise<void> => void (await stage.dial().send(get(`http://${host}/`)).all);
    for (const host of ["bad.example", "bad.example", "worse.example"]) await ask(host);
    expect(stage.logged).toMatchObject([{ host: "bad.example" }, { host: "worse.example" }]);
    await stage.clock.advance(60_000);
    await ask("bad.example");
    expect(stage.logged).toHaveLength(3);
  });
});

describe("a name on the list that leads elsewhere", () => {
  it.for([
    [["127.0.0.1"]],
    [["10.0.0.1"]],
    [["169.254.169.254"]],
    [["100.64.0.1"]],
    [["::1"]],
    [["::ffff:10.0.0.1"]],
    [["64:ff9b::a9fe:a9fe"]],
    [["fe80::1%lo"]],
    [["fd00:ec2::254"]],
    [["2002:7f00:1::"]],
    [["8.8.8.8", "192.168.1.1"]],
    [["2606:4700:4700::1111", "fd00::1"]],
    [["0.0.0.0"]],
    [["no address"]],
  ])("is refused: %j", async ([addresses = []]) => {
    await using stage = await openProxy({ names: { "good.example": addresses } });
    for (const request of [tunnel("good.example:443"), get("http://good.example/")]) {
      const answer = await stage.dial().send(request).all;
      expect(statusOf(answer)).toBe(403);
      expect(answer).toContain("good.example may not be reached though agents.defaults.sandbox.allowHosts names it");
      // What is behind a name of an inner network is not told to the inside.
      for (const address of addresses) expect(answer).not.toContain(address);
    }
    expect(stage.internet.dialled).toEqual([]);
  });

  it("cannot change its mind between the check and the connection", async () => {
    const answers = [["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"]];
    const names = { "good.example": () => answers.shift() ?? [] };
    await using stage = await openProxy({ names });
    expect(statusOf(await stage.dial().send(get("http://good.example/")).all)).toBe(200);
    expect(stage.internet.lookedUp).toEqual(["good.example"]);
    expect(stage.internet.dialled).toEqual(["93.184.216.34:80"]);
    expect(statusOf(await stage.dial().send(get("http://good.example/")).all)).toBe(403);
  });

  it.for([
    ["is not found", { resolve: () => Promise.reject(new Error("ENOTFOUND")) }, 502],
    ["has no address", { resolve: async () => [] }, 502],
  ] as const)("%s", async ([, ways, status]) => {
    await using stage = await openProxy({ ways });
    expect(statusOf(await stage.dial().send(tunnel("good.example:443")).all)).toBe(status);
  });

  it("is tried at each of its addresses, and given up in time", async () => {
    const names = { "good.example": ["93.184.216.34", "93.184.216.35"] };
    await using stage = await openProxy({ names, dead: ["93.184.216.34"] });
    expect(statusOf(await stage.dial().send(get("http://good.example/")).all)).toBe(200);
    expect(stage.internet.dialled).toHaveLength(2);
    await using dead = await openProxy({ names, dead: ["93.184.216.34", "93.184.216.35"] });
    expect(statusOf(await dead.dial().send(tunnel("good.example:443")).all)).toBe(502);
  });

  it("does not keep anybody waiting for an address that never answers", async () => {
    const dialled = Promise.withResolvers<void>();
    const dial = (): Socket => (dialled.resolve(), new Socket());
    await using stage = await openProxy({ ways: { dial } });
    const inside = stage.dial().send(tunnel("good.example:443"));
    await dialled.promise;
    await stage.clock.advance(10_000);
    expect(statusOf(await inside.all)).toBe(502);
  });

  it("does not keep anybody waiting for a resolver that never answers", async () => {
    const asked = Promise.withResolvers<void>();
    const resolve = (): Promise<never> => (asked.resolve(), new Promise(() => {}));
    await using stage = await openProxy({ ways: { resolve } });
    const inside = stage.dial().send(tunnel("good.example:443"));
    await asked.promise;
    await stage.clock.advance(10_000);
    expect(statusOf(await inside.all)).toBe(504);
  });
});

describe("a request that is carried", () => {
  it("loses what is meant for the proxy alone, and gains nothing", async () => {
    const seen = Promise.withResolvers<IncomingMessage>();
    await using stage = await openProxy({
      answer(request, response) {
        seen.resolve(request);
        response.setHeader("Set-Cookie", ["a=1", "b=2"]);
        response.setHeader("Proxy-Authenticate", "Basic");
        response.setHeader("Connection", "X-Hop");
        response.setHeader("X-Hop", "1");
        response.end("page");
      },
    });
    const more = [
      "Proxy-Authorization: Basic eDp5",
      "Proxy-Connection: keep-alive",
      "Connection: keep-alive, X-Private",
      "X-Private: 1",
      "TE: trailers",
      "Upgrade: websocket",
      "Authorization: Bearer own",
      "X-Own: 1",
    ];
    const answer = await stage.dial().send(get("http://good.example/a?b=c", `${more.join("\r\n")}\r\n`)).all;
    const { headers, url } = await seen.promise;
    expect(url).toBe("/a?b=c");
    expect(headers).toEqual({ host: "good.example", authorization: "Bearer own", "x-own": "1", connection: "close" });
    expect(answer).toMatch(/Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n/i);
    expect(answer).not.toMatch(/Proxy-Authenticate|X-Hop/i);
  });

  it.for([
    ["with a length", "Content-Length: 5\r\n\r\nhello"],
    ["in pieces", "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"],
  ] as const)("brings its body %s, whatever its method", async ([, rest]) => {
    await using stage = await openProxy({
      async answer(request, response) {
        let body = "";
        for await (const piece of request) body += String(piece);
        response.end(`${request.method} ${body}`);
      },
    });
    for (const method of ["POST", "DELETE", "PUT"]) {
      const text = `${method} http://good.example/ HTTP/1.1\r\nHost: good.example\r\n${rest}`;
      expect(await stage.dial().send(text).all).toContain(`${method} hello`);
    }
  });

  it.for([
    ["another host in its header", "GET http://good.example/ HTTP/1.1\r\nHost: bad.example\r\n\r\n", 400],
    ["another port in its header", "GET http://good.example/ HTTP/1.1\r\nHost: good.example:8080\r\n\r\n", 400],
    ["two hosts", "GET http://good.example/ HTTP/1.1\r\nHost: good.example\r\nHost: bad.example\r\n\r\n", 400],
    ["another host in a tunnel", "CONNECT good.example:443 HTTP/1.1\r\nHost: bad.example:443\r\n\r\n", 400],
    ["no whole address", "GET / HTTP/1.1\r\nHost: good.example\r\n\r\n", 400],
    ["https without a tunnel", "GET https://good.example/ HTTP/1.1\r\nHost: good.example\r\n\r\n", 400],
    ["another protocol", "GET ftp://good.example/ HTTP/1.1\r\nHost: good.example\r\n\r\n", 400],
    ["a password", "GET http://a:b@good.example/ HTTP/1.1\r\nHost: good.example\r\n\r\n", 400],
    ["TRACE", "TRACE http://good.example/ HTTP/1.1\r\nHost: good.example\r\n\r\n", 405],
    ["a tunnel without a port", "CONNECT good.example HTTP/1.1\r\nHost: good.example\r\n\r\n", 400],
    ["a tunnel to a port that is none", "CONNECT good.example:99999 HTTP/1.1\r\nHost: good.example\r\n\r\n", 400],
    ["a tunnel to a path", "CONNECT good.example:443/x HTTP/1.1\r\nHost: good.example\r\n\r\n", 400],
    ["a tunnel with a user", "CONNECT bad.example@good.example:443 HTTP/1.1\r\nHost: good.example\r\n\r\n", 400],
    [
      "two lengths",
      "POST http://good.example/ HTTP/1.1\r\nHost: good.example\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
    ],
    ["no HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400],
    [
      "huge headers",
      `GET http://good.example/ HTTP/1.1\r\nHost: good.example\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      400,
    ],
  ] as const)("is refused with %s", async ([, text, status]) => {
    await using stage = await openProxy();
    expect(statusOf(await stage.dial().send(text).all)).toBe(status);
    expect(stage.internet.dialled).toEqual([]);
  });

  it("is the only one on its connection", async () => {
    await using stage = await openProxy();
    const both = get("http://good.example/1") + get("http://bad.example/2") + get("http://good.example/3");
    await stage.dial().send(both).all;
    expect(stage.internet.arrived).toEqual(["GET good.example/1"]);
  });

  it("is answered when the other side breaks off before an answer", async () => {
    await using stage = await openProxy({ answer: (request) => request.socket.destroy() });
    expect(statusOf(await stage.dial().send(get("http://good.example/")).all)).toBe(502);
  });

  it("ends when the other side breaks off in the middle", async () => {
    await using stage = await openProxy({
      answer(_, response) {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => response.destroy());
      },
    });
    expect(await stage.dial().send(get("http://good.example/")).all).toContain("half");
  });
});

describe("time and number", () => {
  it.for(["", "GET http://good.example/ HTTP/1.1\r\nHost: good.ex"])(
    "headers that do not come to an end lose their place after ten seconds: %j",
    async (beginning) => {
      await using stage = await openProxy();
      const inside = stage.dial();
      if (beginning) inside.send(beginning);
      await expect.poll(() => stage.clock.waiting).toBe(1);
      await stage.clock.advance(9_999);
      expect(inside.socket.destroyed).toBe(false);
      await stage.clock.advance(1);
      expect(await inside.all).toBe("");
    },
  );

  it("a tunnel in which nothing moves is closed, and one that moves is not", async () => {
    await using stage = await openProxy({ ways: await silentServer() });
    const inside = stage.dial().send(tunnel("good.example:443"));
    await inside.until("\r\n\r\n");
    await stage.clock.advance(299_000);
    inside.send("ping");
    await inside.until("ping");
    await stage.clock.advance(299_000);
    expect(inside.socket.destroyed).toBe(false);
    await stage.clock.advance(300_000);
    expect(await inside.all).toContain("ping");
  });

  it("64 connections are carried, the next one is told to wait, and a free place is used again", async () => {
    await using stage = await openProxy({ ways: await silentServer() });
    const all = Array.from({ length: 64 }, () => stage.dial().send(tunnel("good.example:443")));
    await Promise.all(all.map((inside) => inside.until("200 Connection")));
    expect(await stage.dial().send(tunnel("good.example:443")).all).toMatch(/^HTTP\/1\.1 503 .*64 connections/s);
    all[0]?.socket.destroy();
    await expect
      .poll(async () => {
        const inside = stage.dial().send(tunnel("good.example:443"));
        const answer = await inside.until("\r\n\r\n");
        inside.socket.destroy();
        return statusOf(answer);
      })
      .toBe(200);
  });

  it("a side that has said all it has to say still hears the other", async () => {
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      let text = "";
      socket.on("data", (piece) => (text += String(piece)));
      socket.once("end", () => socket.end(`heard ${text}`));
    });
    await using stage = await openProxy({ ways: await waysTo(server) });
    const inside = stage.dial().send(tunnel("good.example:443"));
    await inside.until("\r\n\r\n");
    inside.socket.end("all of it");
    expect(await inside.all).toContain("heard all of it");
  });

  it("closing ends what is carried, and its socket is gone", async () => {
    const stage = await openProxy({ ways: await silentServer() });
    const inside = stage.dial().send(tunnel("good.example:443"));
    await inside.until("\r\n\r\n");
    expect(statSync(stage.socketPath).mode & 0o777).toBe(0o600);
    await stage[Symbol.asyncDispose]();
    await inside.all;
    expect(() => statSync(stage.socketPath)).toThrow();
  });

  it("a file that is no socket is not taken for one of ours", async () => {
    const directory = mkdtempSync(join(tmpdir(), "chela-proxy-"));
    const listenPath = join(directory, "file");
    writeFileSync(listenPath, "precious");
    const opening = createFilteringProxy({ clock: createFakeClock(), log: logInto([]), hosts: () => [], listenPath });
    await expect(opening).rejects.toMatchObject({ code: "SANDBOX_FAILED" });
    expect(statSync(listenPath).size).toBe(8);
    rmSync(directory, { recursive: true });
  });
});

describe("a secure connection", () => {
  it("is made through the tunnel, between the program and the host alone", async () => {
    const certificate = createSelfSigned();
    const server = createTlsServer(certificate, (socket) => {
      socket.on("error", () => {});
      socket.end("secret");
    });
    await using stage = await openProxy({ ways: await waysTo(server) });
    const inside = connect(stage.socketPath);
    inside.write(tunnel("good.example:443"));
    await new Promise((resolve) => inside.once("data", resolve));
    const secure = connectTls({ socket: inside, servername: "localhost", ca: certificate.cert });
    let text = "";
    secure.on("data", (piece) => (text += String(piece)));
    await new Promise((resolve) => secure.once("close", resolve));
    expect([text, secure.authorized]).toEqual(["secret", true]);
  });
});

/** Leads every checked address to one server on this machine. */
async function waysTo(server: ReturnType<typeof createTcpServer>): Promise<StageOptions["ways"] & object> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { dial: () => connect({ host: "127.0.0.1", port }) };
}

/** Says back what it hears, and nothing by itself. */
async function silentServer(): Promise<StageOptions["ways"] & object> {
  return await waysTo(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.pipe(socket);
    }),
  );
}
