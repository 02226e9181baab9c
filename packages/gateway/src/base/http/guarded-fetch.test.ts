// S-24 and S-25 for channels: what their fetch connects to and hands on, and that it is a fetch otherwise.
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import type { Clock } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { describe, expect, it } from "vitest";
import { createGuardedFetch, originsIn, type GuardedFetch } from "./guarded-fetch.ts";
import { bodyOf, openSmallInternet, type SmallInternet, type SmallInternetOptions } from "./safe-fetch.test-support.ts";

interface Stage extends AsyncDisposable {
  readonly internet: SmallInternet;
  readonly fetch: GuardedFetch;
}

async function openStage(
  answer: RequestListener,
  options: SmallInternetOptions & { trusted?: readonly string[]; clock?: Clock } = {},
): Promise<Stage> {
  const internet = await openSmallInternet(answer, options);
  const clock = options.clock ?? createFakeClock();
  const fetch = createGuardedFetch({ clock, trusted: () => options.trusted ?? [], ...internet.ways });
  return { internet, fetch, [Symbol.asyncDispose]: () => internet[Symbol.asyncDispose]() };
}

const echo: RequestListener = async (request, response) => {
  const body = await bodyOf(request);
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
};

describe("a fetch of a channel", () => {
  it("answers like the platform's own", async () => {
    await using stage = await openStage((_, response) => {
      response.writeHead(201, "Made", { "x-kind": "page", "set-cookie": ["a=1", "b=2"] }).end('{"ok":true}');
    });
    const response = await stage.fetch(new URL("http://example.com/a?b=1"));
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ status: 201, statusText: "Made", ok: true, redirected: false });
    expect([response.url, response.headers.get("x-kind")]).toEqual(["http://example.com/a?b=1", "page"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.json()).toEqual({ ok: true });
  });

  it.for([
    ["text", "käse", "text/plain;charset=UTF-8", "käse"],
    ["bytes", new Uint8Array([104, 105]), undefined, "hi"],
    ["a form", new URLSearchParams({ a: "1 2" }), "application/x-www-form-urlencoded;charset=UTF-8", "a=1+2"],
    ["a blob", new Blob(["blob"], { type: "image/png" }), "image/png", "blob"],
  ] as const)("sends %s with its length and type", async ([, body, type, arrived]) => {
    await using stage = await openStage(echo);
    const sent = (await (await stage.fetch("http://example.com/", { method: "post", body })).json()) as {
      headers: Record<string, string>;
    };
    expect(sent).toMatchObject({ method: "POST", body: arrived });
    expect(sent.headers["content-type"]).toBe(type);
    expect(sent.headers["content-length"]).toBe(String(Buffer.byteLength(arrived)));
  });

  it("sends files of a form with the length of the whole", async () => {
    await using stage = await openStage(async (request, response) => {
      const bytes = Buffer.from(await bodyOf(request));
      const form = await new Response(bytes, { headers: { "content-type": request.headers["content-type"] ?? "" } })
        .formData()
        .then((read) => Promise.all([...read].map(async ([name, value]) => [name, await textOf(value)])));
      response.end(JSON.stringify({ form, length: request.headers["content-length"], bytes: bytes.length }));
    });
    const body = new FormData();
    body.set("caption", 'say "hi"\n');
    body.set("file", new File(["content"], 'a "b".txt', { type: "text/plain" }));
    const sent = (await (await stage.fetch("http://example.com/", { method: "POST", body })).json()) as {
      length: string;
      bytes: number;
    };
    expect(sent).toMatchObject({
      form: [
        ["caption", 'say "hi"\r\n'],
        ["file", 'a "b".txt|text/plain|content'],
      ],
    });
    expect(Number(sent.length)).toBe(sent.bytes);
  });

  it("sends many bytes whole", async () => {
    await using stage = await openStage(async (request, response) => {
      const { length } = await bodyOf(request);
      response.end(JSON.stringify({ length, said: request.headers["content-length"] }));
    });
    const body = new Uint8Array(300_000).fill(97);
    const response = await stage.fetch("http://example.com/", { method: "POST", body });
    expect(await response.json()).toEqual({ length: 300_000, said: "300000" });
  });

  it("sends a stream piece by piece", async () => {
    await using stage = await openStage(echo);
    const body = ReadableStream.from([Buffer.from("one "), Buffer.from("two")]);
    const response = await stage.fetch("http://example.com/", { method: "PUT", body, duplex: "half" } as RequestInit);
    expect(await response.json()).toMatchObject({ body: "one two", headers: { "transfer-encoding": "chunked" } });
  });

  it("gives the body as it arrives, unpacked", async () => {
    const second = Promise.withResolvers<void>();
    await using stage = await openStage(async (_, response) => {
      response.write("first");
      await second.promise;
      response.end(" second");
    });
    const reader = ((await stage.fetch("http://example.com/")).body as ReadableStream<Uint8Array>).getReader();
    expect(String(Buffer.from((await reader.read()).value ?? []))).toBe("first");
    second.resolve();
    expect(String(Buffer.from((await reader.read()).value ?? []))).toBe(" second");
    await using packed = await openStage((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    });
    expect(await (await packed.fetch("http://example.com/")).text()).toBe("packed");
  });

  it("closes the connection when nobody wants the rest", async () => {
    const gone = Promise.withResolvers<void>();
    await using stage = await openStage((request, response) => {
      response.write("endless");
      void once(request.socket, "close").then(() => gone.resolve());
    });
    await (await stage.fetch("http://example.com/")).body?.cancel();
    await gone.promise;
  });

  it.for([204, 304])("has no body with status %d", async (status) => {
    await using stage = await openStage((_, response) => void response.writeHead(status).end());
    expect(await stage.fetch("http://example.com/")).toMatchObject({ status, body: null });
  });

  it("stops when its signal says so, before and while the body comes", async () => {
    await using stage = await openStage((request, response) => {
      if (request.url === "/slow") response.write("begins");
    });
    const before = new AbortController();
    const waiting = stage.fetch("http://example.com/never", { signal: before.signal });
    before.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    const during = new AbortController();
    const response = await stage.fetch("http://example.com/slow", { signal: during.signal });
    const text = response.text();
    during.abort();
    await expect(text).rejects.toMatchObject({ name: "AbortError" });
  });

  it("gives up when nothing arrives", async () => {
    const clock = createFakeClock();
    const asked = Promise.withResolvers<void>();
    await using stage = await openStage(() => asked.resolve(), { clock });
    const waiting = stage.fetch("http://example.com/");
    waiting.catch(() => undefined);
    await asked.promise;
    await clock.advance(90_000);
    await expect(waiting).rejects.toMatchObject({ code: "FETCH_TIMEOUT" });
  });

  it("refuses an answer whose head is endless", async () => {
    await using stage = await openStage((_, response) => {
      response.writeHead(200, { "x-long": "x".repeat(100_000) }).end("ok");
    });
    await expect(stage.fetch("http://example.com/")).rejects.toMatchObject({ code: "FETCH_FAILED" });
  });
});

describe("where it may go", () => {
  const names = { "inside.example": ["10.0.0.7"], "mixed.example": ["93.184.216.34", "127.0.0.1"] };

  it.for([
    "http://127.0.0.1/",
    "http://[::1]:8080/",
    "http://169.254.169.254/latest/meta-data",
    "http://0.0.0.0/",
    "http://localhost/",
    "http://inside.example/",
    "http://mixed.example/",
    "http://2130706433/",
    "file:///etc/passwd",
    "http://user:secret@example.com/",
  ])("is not %s", async (url) => {
    await using stage = await openStage((_, response) => response.end("secret"), { names });
    await expect(stage.fetch(url)).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(stage.internet.dialled).toEqual([]);
  });

  it("is an inner origin that the operator configured, and no other port or scheme of it", async () => {
    const trusted = originsIn({
      homeserver: "http://inside.example:8008/_matrix",
      accounts: [{ n: 1 }],
      note: "see https:",
    });
    await using stage = await openStage((_, response) => response.end("sync"), { names, trusted });
    expect(await (await stage.fetch("http://inside.example:8008/sync")).text()).toBe("sync");
    expect(stage.internet.dialled).toEqual(["10.0.0.7:8008"]);
    await expect(stage.fetch("http://inside.example:9000/")).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    await expect(stage.fetch("https://inside.example:8008/")).rejects.toMatchObject({ code: "FETCH_REFUSED" });
  });

  it("is the address that was checked, whatever the resolver says the next time", async () => {
    const answers = [["93.184.216.34"], ["127.0.0.1"]];
    const rebind = { "rebind.example": () => answers.shift() ?? ["127.0.0.1"] };
    await using stage = await openStage((_, response) => response.end("public"), { names: rebind });
    await (await stage.fetch("http://rebind.example/")).text();
    await expect(stage.fetch("http://rebind.example/")).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(stage.internet.dialled).toEqual(["93.184.216.34:80"]);
  });

  it("is checked again with every redirect", async () => {
    await using stage = await openStage(
      (_, response) => void response.writeHead(302, { location: "http://inside.example/admin" }).end(),
      { names },
    );
    await expect(stage.fetch("http://example.com/")).rejects.toMatchObject({ code: "FETCH_REFUSED" });
    expect(stage.internet.arrived).toEqual(["GET example.com/"]);
  });
});

describe("a redirect", () => {
  const away: RequestListener = async (request, response) => {
    if (request.url === "/start") return void response.writeHead(307, { location: "http://other.example/end" }).end();
    if (request.url === "/here") return void response.writeHead(307, { location: "/end" }).end();
    if (request.url === "/loop") return void response.writeHead(302, { location: "/loop" }).end();
    echo(request, response);
  };
  const headers = { authorization: "Bearer k", cookie: "c", "x-api-key": "k", accept: "text/html" };

  it("to another origin gets neither credentials nor the body", async () => {
    await using stage = await openStage(away);
    const response = await stage.fetch("http://example.com/start", { method: "POST", body: "secret", headers });
    expect(response).toMatchObject({ redirected: true, url: "http://other.example/end" });
    const { headers: seen, ...rest } = (await response.json()) as { headers: Record<string, string> };
    expect(rest).toMatchObject({ method: "GET", body: "" });
    expect(Object.keys(seen).sort()).toEqual(["accept", "accept-encoding", "connection", "host"]);
  });

  it("on the same origin gets everything again", async () => {
    await using stage = await openStage(away);
    const response = await stage.fetch("http://example.com/here", { method: "POST", body: "again", headers });
    expect(await response.json()).toMatchObject({
      method: "POST",
      body: "again",
      headers: { authorization: "Bearer k" },
    });
  });

  it("of a stream is a failure that says so", async () => {
    await using stage = await openStage(away);
    const body = ReadableStream.from([Buffer.from("once")]);
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    await expect(stage.fetch("http://example.com/here", init)).rejects.toThrow("it can be sent only once");
  });

  it("is an answer when the caller follows it by itself, and a failure when it wants none", async () => {
    await using stage = await openStage(away);
    const manual = await stage.fetch("http://example.com/start", { redirect: "manual" });
    expect([manual.status, manual.headers.get("location")]).toEqual([307, "http://other.example/end"]);
    await expect(stage.fetch("http://example.com/start", { redirect: "error" })).rejects.toThrow("none is followed");
    await expect(stage.fetch("http://example.com/loop")).rejects.toThrow("at most 5 are followed");
  });
});

async function textOf(value: string | File): Promise<string> {
  return typeof value === "string" ? value : `${value.name}|${value.type}|${await value.text()}`;
}
