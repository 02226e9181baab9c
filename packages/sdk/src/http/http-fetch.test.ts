// Calls over a loopback server: what arrives, what comes back, and what breaks.
import { execFile } from "node:child_process";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { createFakeClock } from "../testing/fake-clock.ts";
import { describe, expect, it } from "vitest";
import { createHttpFetch, tryGetJson, type HttpFetchOptions } from "./http-fetch.ts";
import { HttpHeaders } from "./http-headers.ts";

interface Bench extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
  readonly fetch: ReturnType<typeof createHttpFetch>;
}

async function openBench(listener: RequestListener, options?: HttpFetchOptions): Promise<Bench> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fetch = createHttpFetch(options);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    server,
    fetch,
    [Symbol.asyncDispose]: async () => {
      fetch.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const echo: RequestListener = (request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    response.setHeader("x-echo", ["one", "two"]);
    response.end(
      JSON.stringify({ method: request.method, headers: request.headers, body: Buffer.concat(parts).toString() }),
    );
  });
};

describe("a call", () => {
  it.for([
    ["a record", { "X-Name": "value", skipped: undefined }],
    ["pairs", [["X-Name", "value"]] as [string, string][]],
    ["our headers", new HttpHeaders({ "X-Name": "value" })],
  ] as const)("sends method, body and headers given as %s", async ([, headers]) => {
    await using bench = await openBench(echo);
    const response = await bench.fetch(new URL(bench.url), { method: "POST", headers, body: "käse" });
    expect(response).toMatchObject({ ok: true, status: 200, statusText: "OK", url: bench.url });
    expect(response.headers.get("X-Echo")).toBe("one, two");
    expect(await response.json()).toMatchObject({
      method: "POST",
      body: "käse",
      headers: { "x-name": "value", "accept-encoding": "identity", "content-length": "5" },
    });
  });

  it("sends bytes as they are", async () => {
    await using bench = await openBench(echo);
    const response = await bench.fetch(bench.url, { method: "PUT", body: new TextEncoder().encode("bytes") });
    expect(await response.json()).toMatchObject({ method: "PUT", body: "bytes" });
  });

  it("uses a connection again", async () => {
    await using bench = await openBench(echo);
    let connections = 0;
    bench.server.on("connection", () => connections++);
    for (let call = 0; call < 3; call++) await (await bench.fetch(bench.url)).text();
    expect(connections).toBe(1);
  });

  it("is repeated once when the server closed the idle connection meanwhile", async () => {
    let calls = 0;
    await using bench = await openBench((request, response) => {
      // The second request meets a connection that dies under it.
      if (++calls === 2) request.socket.destroy();
      else response.end(`answer ${calls}`);
    });
    expect(await (await bench.fetch(bench.url)).text()).toBe("answer 1");
    expect(await (await bench.fetch(bench.url)).text()).toBe("answer 3");
  });

  it("that changes something is not repeated by itself when asked not to", async () => {
    let calls = 0;
    await using bench = await openBench((request, response) => {
      if (++calls === 2) request.socket.destroy();
      else response.end(`answer ${calls}`);
    });
    const careful = createHttpFetch({ onlyRepeatsReads: true });
    expect(await (await careful(bench.url)).text()).toBe("answer 1");
    await expect(careful(bench.url, { method: "POST", body: "once" })).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(calls).toBe(2);
    careful.close();
  });

  it("does not follow a redirect", async () => {
    await using bench = await openBench((_, response) => {
      response.writeHead(307, { location: "http://192.0.2.1/" }).end();
    });
    const response = await bench.fetch(bench.url, { method: "POST", body: "secret" });
    expect(response).toMatchObject({ ok: false, status: 307 });
  });

  it("fails when nobody listens", async () => {
    const bench = await openBench(echo);
    await bench[Symbol.asyncDispose]();
    await expect(bench.fetch(bench.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("refuses other protocols", async () => {
    await expect(createHttpFetch()("file:///etc/passwd")).rejects.toThrow("Only http: and https:");
  });
});

describe("a body", () => {
  it("can be read as a web stream", async () => {
    await using bench = await openBench((_, response) => {
      response.write("a");
      response.end("b");
    });
    const response = await bench.fetch(bench.url);
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body) text += decoder.decode(chunk, { stream: true });
    expect(text).toBe("ab");
  });

  it("closes the connection when the web stream is cancelled", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    await using bench = await openBench((_, response) => {
      closed = new Promise((resolve) => response.on("close", resolve));
      response.write("a");
    });
    const response = await bench.fetch(bench.url);
    await response.body.cancel();
    await closed;
  });

  it.for(["web stream", "chunks", "text"] as const)("fails as %s when the connection is cut", async (way) => {
    await using bench = await openBench((_, response) => {
      response.write("a", () => response.destroy());
    });
    const response = await bench.fetch(bench.url);
    await expect(read(response, way)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it.for(["web stream", "chunks", "text"] as const)("fails as %s beyond the cap", async (way) => {
    await using bench = await openBench((_, response) => response.end("x".repeat(101)), { maxResponseBytes: 100 });
    const response = await bench.fetch(bench.url);
    await expect(read(response, way)).rejects.toThrow("longer than 100 bytes");
  });
});

async function read(response: Awaited<ReturnType<Bench["fetch"]>>, way: "web stream" | "chunks" | "text") {
  if (way === "text") return response.text();
  for await (const chunk of way === "chunks" ? response.chunks() : response.body) void chunk;
  return undefined;
}

describe("abort", () => {
  it("before the call", async () => {
    await using bench = await openBench(echo);
    await expect(bench.fetch(bench.url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });

  it("while waiting for the answer", async () => {
    const abort = new AbortController();
    await using bench = await openBench(() => abort.abort());
    await expect(bench.fetch(bench.url, { signal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  it.for(["web stream", "chunks", "text"] as const)("while reading as %s", async (way) => {
    const abort = new AbortController();
    await using bench = await openBench((_, response) => void response.write("a"));
    const response = await bench.fetch(bench.url, { signal: abort.signal });
    const reading = read(response, way);
    setImmediate(() => abort.abort(new Error("enough")));
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("abort before reading", () => {
  it.for(["web stream", "chunks", "text"] as const)("is told to who reads as %s", async (way) => {
    const abort = new AbortController();
    await using bench = await openBench((_, response) => void response.write("a"));
    const response = await bench.fetch(bench.url, { signal: abort.signal });
    abort.abort();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(read(response, way)).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("asking for JSON", () => {
  const clock = createFakeClock();
  const limits = { clock, timeoutMs: 300 };

  it("gives the answer", async () => {
    await using bench = await openBench((_, response) => response.end('{"a":1}'));
    expect(await tryGetJson(bench.fetch, bench.url, limits)).toEqual({ a: 1 });
    expect(clock.waiting).toBe(0);
  });

  it.for([
    [
      "an error status",
      (_: unknown, response: { writeHead(status: number): { end(text: string): void } }) =>
        response.writeHead(500).end('{"a":1}'),
    ],
    ["no JSON", (_: unknown, response: { end(text: string): void }) => response.end("<html>")],
  ] as const)("gives nothing on %s", async ([, listener]) => {
    await using bench = await openBench(listener as RequestListener);
    expect(await tryGetJson(bench.fetch, bench.url, limits)).toBeUndefined();
  });

  it("gives up in time", async () => {
    let arrived: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    await using bench = await openBench(() => arrived());
    const answer = tryGetJson(bench.fetch, bench.url, limits);
    await asked;
    await clock.advance(300);
    expect(await answer).toBeUndefined();
  });
});

it("never loads the platform's own fetch", async () => {
  await using bench = await openBench((_, response) => {
    response.write("data: 1\n\n");
    response.end("data: 2\n\n");
  });
  const program = `
    const { createHttpFetch } = await import(${JSON.stringify(new URL("./http-fetch.ts", import.meta.url).href)});
    const fetch = createHttpFetch();
    const response = await fetch(${JSON.stringify(bench.url)}, { method: "POST", body: "{}", signal: new AbortController().signal });
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) text += chunk;
    fetch.close();
    console.log(JSON.stringify({ text, undici: process.moduleLoadList.filter((name) => name.includes("undici")) }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  expect(JSON.parse(stdout)).toEqual({ text: "data: 1\n\ndata: 2\n\n", undici: [] });
});
