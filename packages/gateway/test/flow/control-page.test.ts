// The files of the control page: which, in what form, for how long, and with which headers.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { rawRequest } from "../support/in-process-http.ts";

const SCRIPT = "export const words = 'many words';\n".repeat(40);
const FILES: Readonly<Record<string, string>> = {
  "index.html": "<!doctype html><title>another build</title>",
  "viewer.html": "<!doctype html><title>viewer</title>",
  "sw.js": SCRIPT,
  "manifest.webmanifest": "{}",
  "icons/chela.svg": "<svg/>",
  "assets/main-abc123.js": SCRIPT,
  "assets/plain-abc123.js": SCRIPT,
  "assets/font-abc123.woff2": "font",
  "assets/code-abc123.wasm": "code",
  "assets/more-abc123.mjs": "export {}",
  "data.bin": "bytes",
  ".env": "SECRET=canary",
  "assets/.hidden.js": "canary",
};
const COMPRESSED = ["index.html", "sw.js", "assets/main-abc123.js"];

function writePage(): Disposable & { readonly root: string } {
  const directory = mkdtempSync(join(tmpdir(), "chela-page-"));
  const root = join(directory, "page");
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    if (!COMPRESSED.includes(name)) continue;
    writeFileSync(join(root, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(root, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(join(directory, "outside.js"), "canary");
  writeFileSync(join(directory, "page-beside.js"), "canary");
  return { root, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

const page = writePage();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ config: { gateway: { controlUi: { root: page.root, basePath: "/claw" } } } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  page[Symbol.dispose]();
});

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  rawRequest(gateway.gateway.port, { path: `/claw${path}`, headers, method });

/** The body as it came over the wire. */
async function bytesOf(path: string, accepted: string): Promise<Buffer> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": accepted };
    request(
      { host: "127.0.0.1", port: gateway.gateway.port, path: `/claw${path}`, headers, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part)).on("end", () => resolve(Buffer.concat(parts)));
      },
    )
      .on("error", reject)
      .end();
  });
}

describe("a file of the page", () => {
  test.for([
    ["br, gzip", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["gzip;q=0.5, *;q=0", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["identity", undefined],
    ["", undefined],
    ["br;q=0, gzip;q=0", undefined],
    ["zstd", undefined],
    ["br;q=nonsense", undefined],
  ] as const)("comes to a browser that takes %j as %s", async ([accepted, encoding]) => {
    for (const path of ["/assets/main-abc123.js", "/sw.js"]) {
      const { status, headers } = await ask(path, { "accept-encoding": accepted });
      expect([status, headers["content-encoding"], headers.vary]).toEqual([200, encoding, "accept-encoding"]);
      expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
      const bytes = await bytesOf(path, accepted);
      expect(Number(headers["content-length"])).toBe(bytes.length);
      const unpacked =
        encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes;
      expect(unpacked.toString()).toBe(SCRIPT);
    }
  });

  test("that lies there in one form only comes in that form", async () => {
    const { headers, text } = await ask("/assets/plain-abc123.js", { "accept-encoding": "br, gzip" });
    expect([headers["content-encoding"], text]).toEqual([undefined, SCRIPT]);
  });

  test("whose name says what is in it is kept for a year", async () => {
    const { headers } = await ask("/assets/main-abc123.js");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers.etag).toBeUndefined();
  });

  test.for(["/", "/index.html", "/sw.js", "/manifest.webmanifest", "/icons/chela.svg", "/viewer"])(
    "such as %s is asked for each time, and not sent again when it is the same",
    async (path) => {
      const first = await ask(path);
      const { etag = "" } = first.headers;
      expect([first.status, first.headers["cache-control"]]).toEqual([200, "no-cache"]);
      expect(etag).toMatch(/^"[\w-]{27}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await ask(path, { "if-none-match": known });
        expect([known, again.status, again.text, again.headers.etag]).toEqual([known, 304, "", etag]);
      }
      expect((await ask(path, { "if-none-match": '"other"' })).status).toBe(200);
    },
  );

  test("has another tag in another form, and when something else is in it", async () => {
    const tags = await Promise.all(
      ["", "br", "gzip"].map(async (accepted) => (await ask("/", { "accept-encoding": accepted })).headers.etag),
    );
    expect(new Set(tags).size).toBe(3);
    const file = join(page.root, "manifest.webmanifest");
    const before = (await ask("/manifest.webmanifest")).headers.etag;
    writeFileSync(file, "[]");
    expect((await ask("/manifest.webmanifest")).headers.etag).not.toBe(before);
  });

  test("is told about without being sent", async () => {
    for (const path of ["/", "/assets/main-abc123.js"]) {
      const [head, full] = [await ask(path, {}, "HEAD"), await ask(path)];
      const same = ({ headers: { date: _date, ...rest } }: typeof head) => rest;
      expect([head.status, head.text, same(head)]).toEqual([200, "", same(full)]);
    }
  });

  test.for([
    ["/manifest.webmanifest", "application/manifest+json; charset=utf-8"],
    ["/icons/chela.svg", "image/svg+xml"],
    ["/assets/font-abc123.woff2", "font/woff2"],
    ["/assets/code-abc123.wasm", "application/wasm"],
    ["/assets/more-abc123.mjs", "text/javascript; charset=utf-8"],
    ["/data.bin", "application/octet-stream"],
  ])("%s is %s", async ([path = "", type]) => {
    expect((await ask(path)).headers["content-type"]).toBe(type);
  });

  test("that is not there is not found, whatever its name", async () => {
    const gone = [
      "/assets/gone.js",
      "/assets",
      "/assets/",
      "/gone",
      "/icons/gone.png",
      "/sw.js/x",
      "/ui",
      "/%",
      "/%00",
    ];
    for (const path of gone) expect([path, (await ask(path)).status]).toEqual([path, 404]);
    const { status } = await rawRequest(gateway.gateway.port, { path: "/assets/main-abc123.js" });
    expect(status).toBe(404);
  });

  test("that is hidden, or lies outside, is not handed out", async () => {
    symlinkSync(join(page.root, "..", "outside.js"), join(page.root, "linked.js"));
    const attempts = [
      "/.env",
      "/%2eenv",
      "/assets/.hidden.js",
      "/../outside.js",
      "/..%2foutside.js",
      "/assets/..%2f..%2foutside.js",
      "/assets/%2e%2e/%2e%2e/outside.js",
      "/..%5coutside.js",
      "/../page-beside.js",
      "//outside.js",
      "/%2foutside.js",
      `/${encodeURIComponent(join(page.root, "..", "outside.js"))}`,
      "/linked.js",
    ];
    for (const path of attempts) {
      const { status, text } = await ask(path);
      expect([path, status, text.includes("canary")]).toEqual([path, 404, false]);
    }
  });
});

describe("the page", () => {
  test("is the build that gateway.controlUi.root names", async () => {
    expect((await ask("/")).text).toContain("another build");
  });

  test("says what is missing when there is none", async () => {
    const controlUi = { root: join(page.root, "assets") };
    await using empty = await startTestGateway({ config: { gateway: { controlUi } } });
    const { status, text } = await rawRequest(empty.gateway.port, { path: "/" });
    expect([status, text]).toEqual([404, expect.stringContaining("gateway.controlUi.root")]);
    expect(text).not.toContain(page.root);
  });

  test.for([
    ["", "/claw/"],
    ["/chat", "/claw/#/chat"],
    ["/sessions/agent:main:main", "/claw/#/sessions/agent:main:main"],
    ["/cron/", "/claw/#/cron/"],
    ["/chat?session=agent:main:x", "/claw/#/chat/agent%3Amain%3Ax"],
    ["/?token=canary", "/claw/"],
  ])("leads from %s to %s", async ([path = "", location]) => {
    const { status, headers } = await ask(path);
    expect([status, headers.location]).toEqual([302, location]);
  });

  test("may do what it needs, and nothing else", async () => {
    for (const path of ["/", "/sw.js", "/assets/main-abc123.js", "/gone", "/chat"]) {
      const { headers } = await ask(path);
      expect([path, headers]).toMatchObject([
        path,
        {
          "content-security-policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html chela",
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-resource-policy": "same-origin",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "x-frame-options": "DENY",
        },
      ]);
      const allowed = String(headers["permissions-policy"])
        .split(", ")
        .filter((one) => !one.endsWith("=()"));
      expect(allowed).toEqual(["microphone=(self)", "clipboard-write=(self)", "fullscreen=(self)"]);
      expect(headers["set-cookie"]).toBeUndefined();
    }
  });

  test("lets its worker look after all of it", async () => {
    expect((await ask("/sw.js")).headers["service-worker-allowed"]).toBe("/claw/");
    expect((await ask("/")).headers["service-worker-allowed"]).toBeUndefined();
  });

  test("shows what an agent made in a frame that reaches nothing", async () => {
    for (const path of ["/viewer", "/viewer.html"]) {
      const { status, headers, text } = await ask(path);
      expect([status, text]).toEqual([200, FILES["viewer.html"]]);
      const policy = String(headers["content-security-policy"]).split("; ");
      expect(policy).toContain("sandbox allow-scripts");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy.filter((rule) => rule.startsWith("script-src"))).toEqual([
        expect.stringMatching(/^script-src 'sha256-[\w+/]+=*'$/),
      ]);
      expect(policy.join(" ")).not.toMatch(/allow-same-origin|https?:|connect-src|frame-src/);
      expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
      expect(headers["permissions-policy"]).not.toContain("self");
    }
  });
});

test("a page of another maker runs with a policy made for it, and speaks with this gateway alone", async () => {
  const root = mkdtempSync(join(tmpdir(), "chela-foreign-"));
  mkdirSync(join(root, "assets"));
  const inline = "document.documentElement.dataset.theme = 'dark';";
  const html = `<!doctype html><script>${inline}</script><script type="module" src="./assets/app-1.js"></script>`;
  writeFileSync(join(root, "index.html"), html);
  writeFileSync(join(root, "assets", "app-1.js"), "export {}");
  await using foreign = await startTestGateway({ config: { gateway: { controlUi: { root } } } });
  const get = (path: string) => rawRequest(foreign.gateway.port, { path });
  for (const path of ["/", "/index.html", "/?token=x", "/chat", "/chat?session=agent%3Amain%3Amain", "/config/raw"]) {
    const { status, text, headers } = await get(path);
    expect([path, status, text]).toEqual([path, 200, html]);
    const policy = String(headers["content-security-policy"]).split("; ");
    const digest = createHash("sha256").update(inline).digest("base64");
    expect(policy).toContain(`script-src 'self' 'sha256-${digest}'`);
    expect(policy).toEqual(
      expect.arrayContaining(["connect-src 'self'", "frame-ancestors 'none'", "object-src 'none'"]),
    );
    expect(policy.join()).not.toMatch(/trusted-types|unsafe-eval|https?:|ws|\*/);
  }
  expect((await get("/assets/app-1.js")).headers["cache-control"]).toContain("immutable");
  expect(JSON.parse((await get("/__openclaw/control-ui-config.json")).text)).toMatchObject({ basePath: "" });
  for (const path of ["/assets/gone.js", "/favicon.ico", "/api/x", "/.env"]) expect((await get(path)).status).toBe(404);
  rmSync(root, { recursive: true, force: true });
});
