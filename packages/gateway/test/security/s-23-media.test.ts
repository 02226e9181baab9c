// S-23: a model that names files in its answer gets nothing read, fetched or sent by that.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTool, finish, say } from "@chela/sdk/testing";
import { errnoOf } from "@chela/sdk/files";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
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

describe("S-23: in a channel, an answer that names", () => {
  let stage: ChannelStage;
  const workspace = () => join(stage.gateway.stateDir, "workspace");
  beforeAll(async () => {
    stage = await openChannelStage({
      settings: { groupAllowFrom: ["alice"], groups: { g1: { requireMention: false } } },
    });
    mkdirSync(workspace(), { recursive: true });
    writeFileSync(join(workspace(), "report.txt"), CANARY);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  /** Lets the model attach a file, and gives the handle it was told. */
  async function attach(chat?: { kind: "group"; id: string }): Promise<string> {
    const { model, fake } = stage;
    const [sent, asked] = [fake.sent.length, model.requests.length];
    model.script(callTool("attach", { path: "report.txt" }), say("It is ready."));
    await fake.say("attach the report", chat ? { chat } : {});
    await fake.until(sent + 1);
    const told = textOf(model.requests[asked + 1]?.messages.at(-1) as ToolResultMessage);
    return /^MEDIA:(\S+)$/m.exec(told)?.[1] ?? "";
  }
  async function answerWith(line: string) {
    const before = stage.fake.sent.length;
    stage.model.script(say(`Here it is:\n${line}\nDone.`), say("next"));
    await stage.ask("show me");
    // What belongs to the answer is sent before the next one.
    await stage.ask("and?");
    return stage.fake.sent.slice(before, -1).map(({ content, text }) => ({ kind: content.kind, text }));
  }

  test.for<[string, () => string]>([
    ["a file of the system", () => "MEDIA:/etc/passwd"],
    ["a file of the workspace", () => "MEDIA:report.txt"],
    ["a file of the workspace by its whole path", () => `MEDIA:${join(workspace(), "report.txt")}`],
    ["a file by its address", () => `MEDIA:file://${join(workspace(), "report.txt")}`],
    ["the gateway's own configuration", () => `MEDIA:${stage.gateway.configPath}`],
    ["a share", () => String.raw`MEDIA:\\127.0.0.1\share\report.txt`],
    ["data", () => `MEDIA:data:text/plain;base64,${Buffer.from(CANARY).toString("base64")}`],
    ["an address", () => "MEDIA:http://127.0.0.1:9/report.txt"],
    ["a handle nobody gave it", () => "MEDIA:media:0123456789abcdef.0123456789abcdef"],
  ])("%s sends its words and nothing else", async ([, line]) => {
    expect(await answerWith(line())).toEqual([{ kind: "text", text: "Here it is:\nDone." }]);
  });

  test("a file and says nothing else is told to have sent none", async () => {
    stage.model.script(say("MEDIA:report.txt"));
    expect(await stage.ask("show me")).toMatch(/^⚠️ .*not attached/);
  });

  test("a file it attached sends that file, as it was then", async () => {
    const handle = await attach();
    writeFileSync(join(workspace(), "report.txt"), "changed since");
    const sent = await answerWith(`MEDIA:${handle}`);
    expect(sent).toEqual([{ kind: "media", text: "Here it is:\nDone." }]);
    const { content } = stage.fake.sent.findLast(({ content: one }) => one.kind === "media") ?? {};
    const media = content?.kind === "media" ? content.media : undefined;
    expect(media?.name).toBe("report.txt");
    expect(readFileSync(media?.path ?? "", "utf8")).toBe(CANARY);
    expect(media?.path.startsWith(join(stage.gateway.stateDir, "media", "outbound"))).toBe(true);
  });

  test("a handle of another conversation sends nothing, nor does one that was changed", async () => {
    const handle = await attach({ kind: "group", id: "g1" });
    expect(handle).not.toBe("");
    const own = await attach();
    for (const forged of [handle, own.slice(0, -1), `${own}0`, own.toUpperCase(), `${own}/../../../etc/passwd`])
      expect([forged, await answerWith(`MEDIA:${forged}`)]).toEqual([
        forged,
        [{ kind: "text", text: "Here it is:\nDone." }],
      ]);
  });
});
