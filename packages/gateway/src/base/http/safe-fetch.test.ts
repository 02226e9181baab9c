// S-24, S-25 and S-31: what a fetch connects to, what it hands on, and how much it takes.
import { createServer as createTcpServer, connect, type AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Clock } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { describe, expect, it } from "vitest";
import { createSafeFetch } from "./safe-fetch.ts";
import { bodyOf, openSmallInternet } from "./safe-fetch.test-support.ts";

describe("a fetch", () => {
  it("returns status, headers, body and address", async () => {
    await using internet = await openSmallInternet((_, response) => {
      response.writeHead(201, { "x-kind": "page" }).end("grüße");
    });
    const response = await internet.fetch("http://example.com/a?b=1#c");
    expect(response).toMatchObject({ status: 201, url: "http://example.com/a?b=1", isCut: false });
    expect(response.headers.get("x-kind")).toBe("page");
    expect(response.bytes.toString()).toBe("grüße");
    expect(internet.arrived).toEqual(["GET example.com/a?b=1"]);
  });

  it("sends a body and headers, except those that are ours to decide", async () => {
    await using internet = await openSmallInternet(async (request, response) => {
      response.end(JSON.stringify({ headers: request.headers, body: await bodyOf(request) }));
    });
    const headers = {
      Authorization: "Bearer k",
      Host: "evil.example",
      "Content-Length": "1",
      "Transfer-Encoding": "chunked",
    };
    const response = await internet.fetch("http://example.com:8080/", { headers, body: "käse" });
    expect(JSON.parse(response.bytes.toString())).toMatchObject({
      body: "käse",
      headers: { host: "example.com:8080", authorization: "Bearer k", "content-length": "5", connection: "close" },
    });
  });

  it("goes to the address that was checked, though the resolver says something else the next time", async () => {
    const answers = [["93.184.216.34"], ["127.0.0.1"]];
    const names = { "rebind.example": () => answers.shift() ?? ["127.0.0.1"] };
    await using internet = await openSmallInternet((_, response) => response.end("public"), { names });
    expect((await internet.fetch("http://rebind.example/")).bytes.toString()).toBe("public");
    expect(internet).toMatchObject({ lookedUp: ["rebind.example"], dialled: ["93.184.216.34:80"] });
    await expect(internet.fetch("http://rebind.example/")).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(internet.dialled).toHaveLength(1);
  });

  it("tries the next address when one is dead, IPv4 before IPv6", async () => {
    const names = { "two.example": ["2606:4700::1", "1.0.0.1", "1.0.0.2"] };
    await using internet = await openSmallInternet((_, response) => response.end(), { names, dead: ["1.0.0.1"] });
    await internet.fetch("http://two.example/");
    expect(internet.dialled).toEqual(["1.0.0.1:80", "1.0.0.2:80"]);
  });

  it("says which host cannot be reached, and not why in a library's words", async () => {
    await using internet = await openSmallInternet((_, response) => response.end(), { dead: ["93.184.216.34"] });
    await expect(internet.fetch("http://example.com/secret?key=1")).rejects.toThrow(
      "The address could not be fetched: example.com cannot be reached on port 80 (ECONNREFUSED)",
    );
  });

  it("says that a name cannot be found", async () => {
    const resolve = () => Promise.reject(new Error("ENOTFOUND"));
    const fetch = createSafeFetch({ clock: createFakeClock(), resolve });
    await expect(fetch("http://nowhere.example/")).rejects.toThrow("the name nowhere.example cannot be found");
  });

  it("does not use the proxy of the environment", async () => {
    process.env.HTTP_PROXY = process.env.http_proxy = "http://127.0.0.1:1";
    try {
      await using internet = await openSmallInternet((_, response) => response.end());
      await internet.fetch("http://example.com/");
      expect(internet.arrived).toEqual(["GET example.com/"]);
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    }
  });

  it("asks for the name, not the address, when the connection is secured", async () => {
    const { promise: hello, resolve: sawHello } = Promise.withResolvers<string>();
    const server = createTcpServer((socket) => {
      socket.once("data", (bytes) => {
        sawHello(bytes.toString("latin1"));
        socket.destroy();
      });
      socket.on("error", () => {});
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const fetch = createSafeFetch({
      clock: createFakeClock(),
      resolve: async () => ["93.184.216.34"],
      dial: () => connect({ host: "127.0.0.1", port }),
    });
    await expect(fetch("https://sni.example/")).rejects.toThrow("a secure connection to sni.example is not possible");
    expect(await hello).toContain("sni.example");
    await new Promise((done) => server.close(done));
  });
});

describe("S-24: a redirect", () => {
  const redirectTo = (location: string, status = 302) =>
    openSmallInternet(
      (request, response) => {
        if (request.url === "/start") response.writeHead(status, { location }).end();
        else response.end("arrived");
      },
      { names: { "inner.example": ["192.168.0.7"] } },
    );

  it.for([301, 302, 303, 307, 308])("is followed with status %d", async (status) => {
    await using internet = await redirectTo("/end", status);
    const response = await internet.fetch("http://example.com/start");
    expect(response).toMatchObject({ url: "http://example.com/end", status: 200 });
  });

  it.for([
    "http://127.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:10.0.0.1]/",
    "http://inner.example/",
    "//localhost/",
    "file:///etc/passwd",
    "http://user:pass@example.com/",
    "http://example.com:22/",
  ])("to %s is refused", async (location) => {
    await using internet = await redirectTo(location);
    await expect(internet.fetch("http://example.com/start")).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(internet.arrived).toEqual(["GET example.com/start"]);
  });

  it.for([
    [undefined, 4],
    [1, 2],
    [0, 1],
  ])("chain ends after the number that is allowed (%s)", async ([maxRedirects, requests]) => {
    await using internet = await openSmallInternet((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    const limit = maxRedirects === undefined ? {} : { maxRedirects };
    await expect(internet.fetch("http://example.com/", limit)).rejects.toThrow(/redirects once more/);
    expect(internet.arrived).toHaveLength(requests ?? 0);
  });

  it("without a place to go to comes back as it is", async () => {
    await using internet = await openSmallInternet((_, response) => response.writeHead(302).end("where?"));
    expect(await internet.fetch("http://example.com/")).toMatchObject({ status: 302 });
  });
});

describe("S-25: a redirect to another origin", () => {
  const headers = {
    Authorization: "Bearer k",
    Cookie: "a=b",
    "X-Api-Key": "k",
    Accept: "text/html",
    "User-Agent": "us",
  };
  const openChain = (location: string, status: number) =>
    openSmallInternet(async (request, response) => {
      const body = await bodyOf(request);
      if (request.url === "/start") response.writeHead(status, { location }).end();
      else response.end(JSON.stringify({ method: request.method, headers: request.headers, body }));
    });

  it.for([
    ["http://other.example/end", 307],
    ["http://example.com:8080/end", 308],
    ["http://sub.example.com/end", 302],
  ] as const)("gets no credential and no body: %s", async ([location, status]) => {
    await using internet = await openChain(location, status);
    const response = await internet.fetch("http://example.com/start", { method: "POST", headers, body: "secret" });
    const seen = JSON.parse(response.bytes.toString());
    expect(seen).toMatchObject({ method: "GET", body: "", headers: { accept: "text/html", "user-agent": "us" } });
    expect(Object.keys(seen.headers).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  it.for([
    [307, "POST", "secret"],
    [302, "GET", ""],
  ] as const)("differs from one within the origin, where %d keeps the headers", async ([status, method, body]) => {
    await using internet = await openChain("/end", status);
    const response = await internet.fetch("http://example.com/start", { method: "POST", headers, body: "secret" });
    expect(JSON.parse(response.bytes.toString())).toMatchObject({
      method,
      body,
      headers: { authorization: "Bearer k" },
    });
  });
});

describe("S-31: a body", () => {
  const text = "All work and no play. ".repeat(50);

  it.for([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
  ] as const)("packed as %s is unpacked", async ([encoding, packed]) => {
    await using internet = await openSmallInternet((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(packed);
    });
    expect((await internet.fetch("http://example.com/")).bytes.toString()).toBe(text);
  });

  it.for([
    ["gzip", gzipSync(Buffer.alloc(20_000_000))],
    ["br", brotliCompressSync(Buffer.alloc(20_000_000))],
  ] as const)("that is a bomb of %s is left after a little of it", async ([encoding, packed]) => {
    await using internet = await openSmallInternet((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(packed);
    });
    const limits = { maxBytes: 50_000_000, whenTooLong: "cut" } as const;
    await expect(internet.fetch("http://example.com/", limits)).rejects.toThrow("more than 100 times its size");
  });

  it.for([
    ["announced", { "content-length": "3000" }, {}],
    ["not announced", {}, {}],
    ["packed", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(3000, "ab"))],
  ] as const)("that is too long and %s fails", async ([, headers, packed]) => {
    await using internet = await openSmallInternet((_, response) => {
      response.writeHead(200, headers).end(Buffer.isBuffer(packed) ? packed : Buffer.alloc(3000));
    });
    await expect(internet.fetch("http://example.com/", { maxBytes: 2048 })).rejects.toThrow(
      "The answer is too large: it is longer than 2 KB",
    );
  });

  it("that is too long is cut for those who want its beginning", async () => {
    await using internet = await openSmallInternet((_, response) => response.end("0123456789"));
    const response = await internet.fetch("http://example.com/", { maxBytes: 4, whenTooLong: "cut" });
    expect([response.bytes.toString(), response.isCut]).toEqual(["0123", true]);
  });

  it("of exactly the allowed size is whole", async () => {
    await using internet = await openSmallInternet((_, response) => response.end("0123"));
    const response = await internet.fetch("http://example.com/", { maxBytes: 4 });
    expect([response.bytes.toString(), response.isCut]).toEqual(["0123", false]);
  });

  it.for([
    ["in an unknown way", "zstd", Buffer.from("x"), /cannot unpack \(zstd\)/],
    ["twice", "gzip, gzip", gzipSync("x"), /cannot unpack/],
    ["wrongly", "gzip", Buffer.from("no gzip"), /broke off or cannot be unpacked/],
    ["and cut short", "gzip", gzipSync(text).subarray(0, 20), /broke off or cannot be unpacked/],
  ] as const)("packed %s fails", async ([, encoding, bytes, says]) => {
    await using internet = await openSmallInternet((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bytes);
    });
    await expect(internet.fetch("http://example.com/")).rejects.toThrow(says);
  });

  it("that breaks off fails", async () => {
    await using internet = await openSmallInternet((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
    });
    await expect(internet.fetch("http://example.com/")).rejects.toMatchObject({ code: "FETCH_FAILED" });
  });
});

describe("S-31: a server that keeps us waiting", () => {
  it("before its answer is left after the idle time", async () => {
    const clock = createFakeClock();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    await using internet = await openSmallInternet(() => ask(), { clock });
    const failure = expect(internet.fetch("http://example.com/", { idleMs: 5000 })).rejects.toThrow(
      "The fetch took too long: nothing arrived for 5 seconds",
    );
    await asked;
    await clock.advance(5000);
    await failure;
    expect(clock.waiting).toBe(0);
  });

  it("in the middle of its answer is left after the whole time, however often a byte comes", async () => {
    const clock = createFakeClock();
    const limits = { idleMs: 5000, timeoutMs: 12_000 };
    let waitsAnew = Promise.withResolvers<void>();
    const watched: Clock = {
      now: clock.now,
      steady: clock.steady,
      after(ms, task) {
        if (ms === limits.idleMs) {
          waitsAnew.resolve();
          waitsAnew = Promise.withResolvers();
        }
        return clock.after(ms, task);
      },
    };
    const dripping = Promise.withResolvers<() => void>();
    await using internet = await openSmallInternet(
      (_, response) => {
        response.writeHead(200).flushHeaders();
        dripping.resolve(() => void response.write("."));
      },
      { clock: watched },
    );
    const fetched = internet.fetch("http://example.com/", limits).catch((error: unknown) => error);
    const drip = await dripping.promise;
    for (let second = 0; second < 12; second += 3) {
      const read = waitsAnew.promise;
      drip();
      await read;
      await clock.advance(3000);
    }
    expect(String(await fetched)).toContain("not done after 12 seconds");
  });

  it("is left when the resolver never answers", async () => {
    const clock = createFakeClock();
    const fetch = createSafeFetch({ clock, resolve: () => new Promise(() => {}) });
    const failure = expect(fetch("http://example.com/")).rejects.toMatchObject({ code: "FETCH_TIMEOUT" });
    await clock.advance(15_000);
    await failure;
  });
});

describe("a stopped fetch", () => {
  it.for(["before it began", "while the server thinks", "in the middle of the body"])("ends %s", async (when) => {
    const abort = new AbortController();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    await using internet = await openSmallInternet((_, response) => {
      if (when === "in the middle of the body") response.writeHead(200).write("half", () => reach());
      else reach();
    });
    if (when === "before it began") abort.abort();
    const failure = expect(internet.fetch("http://example.com/", { signal: abort.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    if (when !== "before it began") await reached;
    abort.abort();
    await failure;
  });
});
