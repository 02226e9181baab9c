// S-23: a model that names files in its answer gets nothing read, fetched or sent by that.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { finish, say } from "@chela/sdk/testing";
import { errnoOf } from "../../src/base/files.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

const CANARY = "canary23-content-of-a-file";

describe("S-23: an answer that names", () => {
  let gateway: TestGateway;
  let client: WireClient;
  let folder: string;
  let server: Server;
  let hits = 0;
  let port = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "chela-test-"));
    writeFileSync(join(folder, "secret.txt"), CANARY);
    spawnSync("mkfifo", [join(folder, "pipe")]);
    server = createServer((_request, response) => {
      hits += 1;
      response.end(CANARY);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address ? address.port : 0;
    gateway = await startTestGateway({
      config: { gateway: { http: { endpoints: { chatCompletions: { enabled: true } } } } },
    });
    client = await gateway.connect();
    await client.agent("hello");
    writeFileSync(join(gateway.stateDir, "workspace", "inside.txt"), CANARY);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const cases: ReadonlyArray<readonly [string, () => string]> = [
    ["a file of the system", () => "MEDIA:/etc/passwd"],
    ["a file of somebody", () => `MEDIA:${join(folder, "secret.txt")}`],
    ["a file in quotes", () => `MEDIA: "${join(folder, "secret.txt")}"`],
    ["a file by its address", () => `MEDIA:file://${join(folder, "secret.txt")}`],
    ["a file of the workspace", () => "MEDIA:./inside.txt"],
    ["a file by way of its parents", () => `MEDIA:../../../../../../..${join(folder, "secret.txt")}`],
    ["the gateway's own configuration", () => `MEDIA:${gateway.configPath}`],
    ["a pipe", () => `MEDIA:${join(folder, "pipe")}`],
    ["a share", () => String.raw`MEDIA:\\127.0.0.1\share\secret.txt`],
    ["data", () => `MEDIA:data:text/plain;base64,${Buffer.from(CANARY).toString("base64")}`],
    ["an address", () => `MEDIA:http://127.0.0.1:${port}/secret`],
    ["several at once", () => `MEDIA:/etc/passwd ${join(folder, "secret.txt")} http://127.0.0.1:${port}/`],
  ];

  test.for(cases)("%s sends the words around it and nothing else", async ([, line]) => {
    const written = `Here it is:\n${line()}\nDone.`;
    const before = client.frames.length;
    const sessionKey = `agent:main:${randomUUID()}`;
    gateway.model.script(say(written), say(written), [
      ...[...written].map((delta) => ({ kind: "text" as const, delta })),
      finish(),
    ]);
    const end = await client.chat("show me", { sessionKey });
    expect(end.payload.message.content).toEqual([{ type: "text", text: "Here it is:\nDone." }]);
    const { result } = await client.call("agent", { message: "show me", sessionKey, idempotencyKey: randomUUID() });
    expect(result.payloads).toEqual([{ text: "Here it is:\nDone.", mediaUrl: null }]);
    const http = await gateway.fetch("/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "openclaw", stream: true, messages: [{ role: "user", content: "show me" }] }),
    });
    const streamed = await http.text();
    const history = await client.call("chat.history", { sessionKey });
    const out = [
      ...client.frames.slice(before).map((frame) => JSON.stringify(frame)),
      streamed,
      JSON.stringify(history),
    ];
    for (const text of out) {
      expect(text).not.toMatch(/MEDIA:|root:x?:0:0|etc\/passwd|secret\.txt/);
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(Buffer.from(CANARY).toString("base64"));
      expect(text).not.toContain(gateway.token);
    }
    expect(hits).toBe(0);
  });

  test("none of them is being read, and nothing of them was kept", async () => {
    // A pipe without a reader cannot be opened for writing: whoever had touched it would still wait there.
    let failure: unknown;
    try {
      closeSync(openSync(join(folder, "pipe"), constants.O_WRONLY | constants.O_NONBLOCK));
    } catch (error) {
      failure = error;
    }
    expect(errnoOf(failure)).toBe("ENXIO");
    await gateway.gateway.stop("stop");
    const kept = readdirSync(gateway.stateDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "inside.txt")
      .map((entry) => join(entry.parentPath, entry.name));
    expect(kept.length).toBeGreaterThan(3);
    expect(kept.filter((path) => readFileSync(path, "latin1").includes(CANARY))).toEqual([]);
  });
});
