// A model is fetched from a server of the test's own: whole, in two goes, behind a proxy, and not at all when it is another.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createHttpFetch } from "@chela/sdk/http";
import { installModel, removeModel } from "./install-model.ts";
import { folderOfModel, installedModel, isInstalled, KNOWN_MODELS, type KnownModel } from "./known-models.ts";

const BYTES = Buffer.from("a small model ".repeat(5_000));

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(answer: Answer): Promise<{ readonly url: string; readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** As stores of files do. */
const sendFile: Answer = (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (from > 0) response.writeHead(206, { "content-range": `bytes ${from}-${BYTES.length - 1}/${BYTES.length}` });
  response.end(BYTES.subarray(from));
};

const modelAt = (url: string, content = BYTES): KnownModel => ({
  id: "small",
  name: "a small one",
  licence: "none",
  source: url,
  files: [
    {
      name: "model.onnx",
      url: `${url}/model.onnx`,
      bytes: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
    },
  ],
});

function makePlace(): string {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-install-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  return stateDir;
}

function open(stateDir: string, env?: Readonly<Record<string, string>>) {
  const fetch = createHttpFetch({ maxResponseBytes: Infinity, ...(env ? { proxyEnv: env } : {}) });
  onTestFinished(() => fetch.close());
  const seen: number[] = [];
  return { fetch, stateDir, seen, progressed: (_: unknown, bytes: number) => void seen.push(bytes) };
}

const fileIn = (stateDir: string): string => join(folderOfModel(stateDir, "small"), "model.onnx");

it("fetches a file once, tells how far it is, and has it from then on without a network", async () => {
  const { url, asked } = await serve(sendFile);
  const parts = open(makePlace());
  const model = modelAt(url);
  expect(isInstalled(parts.stateDir, model)).toBe(false);
  await installModel(model, parts);
  expect(readFileSync(fileIn(parts.stateDir)).equals(BYTES)).toBe(true);
  expect(parts.seen.at(-1)).toBe(BYTES.length);
  await installModel(model, parts);
  expect(asked).toHaveLength(1);
  expect(isInstalled(parts.stateDir, model)).toBe(true);
  await removeModel(model, parts.stateDir);
  expect(isInstalled(parts.stateDir, model)).toBe(false);
});

it("goes on where it was broken off", async () => {
  let breakOff: (() => void) | undefined;
  const { url, asked } = await serve((request, response) => {
    if (breakOff) return sendFile(request, response);
    breakOff = () => response.destroy();
    response.writeHead(200, { "content-length": BYTES.length });
    response.write(BYTES.subarray(0, 20_000));
  });
  const opened = open(makePlace());
  const parts = {
    ...opened,
    progressed: (_: unknown, bytes: number) => (bytes === 20_000 ? breakOff?.() : undefined),
  };
  await expect(installModel(modelAt(url), parts)).rejects.toMatchObject({
    code: "MEMORY_EMBEDDING",
    detail: expect.stringContaining("the same command goes on where it was"),
  });
  expect(isInstalled(parts.stateDir, modelAt(url))).toBe(false);
  await installModel(modelAt(url), parts);
  expect(asked[1]?.headers.range).toBe("bytes=20000-");
  expect(readFileSync(fileIn(parts.stateDir)).equals(BYTES)).toBe(true);
});

it("begins anew where the server sends all of it again", async () => {
  const { url } = await serve((_request, response) => response.end(BYTES));
  const parts = open(makePlace());
  mkdirSync(folderOfModel(parts.stateDir, "small"), { recursive: true });
  writeFileSync(`${fileIn(parts.stateDir)}.part`, BYTES.subarray(0, 100));
  await installModel(modelAt(url), parts);
  expect(readFileSync(fileIn(parts.stateDir)).equals(BYTES)).toBe(true);
});

it.each<[string, Buffer]>([
  ["of the same length", Buffer.from(BYTES.map((byte, at) => (at === 9 ? byte + 1 : byte)))],
  ["that is longer", Buffer.concat([BYTES, BYTES])],
  ["that is shorter", BYTES.subarray(0, 10)],
])("refuses another file %s, and keeps nothing of it", async (_what, other) => {
  const { url } = await serve((_request, response) => response.end(other));
  const parts = open(makePlace());
  await expect(installModel(modelAt(url), parts)).rejects.toMatchObject({ code: "MEMORY_EMBEDDING" });
  expect(isInstalled(parts.stateDir, modelAt(url))).toBe(false);
  expect(readdirSync(folderOfModel(parts.stateDir, "small")).filter((name) => !name.endsWith(".part"))).toEqual([]);
  const { url: right } = await serve(sendFile);
  await installModel(modelAt(right), parts);
  expect(isInstalled(parts.stateDir, modelAt(right))).toBe(true);
});

it("follows to where the file is kept, and takes it from a mirror", async () => {
  const store = await serve(sendFile);
  const hub = await serve((_request, response) => response.writeHead(302, { location: `${store.url}/kept` }).end());
  const parts = open(makePlace());
  await installModel(modelAt(hub.url), parts);
  expect([hub.asked.length, store.asked.map(({ url }) => url)]).toEqual([1, ["/kept"]]);
  await removeModel(modelAt(hub.url), parts.stateDir);
  await installModel(modelAt(hub.url), { ...parts, mirror: `${store.url}/mirror/` });
  expect(store.asked.at(-1)?.url).toBe("/mirror/model.onnx");
});

it("asks through the proxy that the environment names", async () => {
  const proxy = await serve(sendFile);
  const parts = open(makePlace(), { HTTP_PROXY: proxy.url });
  await installModel(modelAt("http://models.example"), parts);
  expect(proxy.asked.map(({ url, headers }) => [url, headers.host])).toEqual([
    ["http://models.example/model.onnx", "models.example"],
  ]);
});

it("says what it could not reach", async () => {
  const parts = open(makePlace());
  await expect(installModel(modelAt("http://127.0.0.1:9"), parts)).rejects.toMatchObject({
    detail: "model.onnx cannot be installed: 127.0.0.1:9 cannot be reached",
  });
  const { url } = await serve((_request, response) => response.writeHead(404).end("gone"));
  await expect(installModel(modelAt(url), parts)).rejects.toMatchObject({
    detail: `model.onnx cannot be installed: ${url}/model.onnx answers with 404`,
  });
});

it("knows models by pinned addresses and hashes, and which is installed", () => {
  for (const { files } of KNOWN_MODELS) {
    for (const { url, sha256, bytes } of files) {
      expect(url).toMatch(/^https:\/\/[^/]+\/.+\/resolve\/[0-9a-f]{40}\//);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(bytes).toBeGreaterThan(1_000_000);
    }
  }
  expect(installedModel(makePlace())).toBeUndefined();
});
