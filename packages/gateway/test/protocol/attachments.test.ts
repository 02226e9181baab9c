// Files of a chat window: kept before the message is accepted, told to the agent, and shown again.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ModelRequest, type ToolResultMessage } from "@chela/sdk";
import { callTool, finish, say } from "@chela/sdk/testing";
import { createStateDirectory, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { SMALL_PDF, SMALL_PNG, SMALL_WEBM } from "../support/durability/small-files.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const ID = /^[0-9a-f]{64}$/;

describe("files that come with a message", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    client = await gateway.connect({
      client: { id: "openclaw-control-ui", mode: "ui" },
      headers: { origin: gateway.http },
    });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const freshKey = () => `agent:main:files-${randomUUID()}`;
  const lastTold = () => textOf(gateway.model.requests.at(-1)?.messages.at(-1) as ToolResultMessage);
  const filesOf = ({ content }: { content: Json[] }) => content.filter(({ type }) => type === "media");

  test.for<[what: string, attachment: Json, mimeType: string, fileName: string]>([
    ["a picture", { fileName: "a.png", mimeType: "image/png", content: SMALL_PNG }, "image/png", "a.png"],
    ["a picture in a data URL", { content: `data:image/png;base64,${SMALL_PNG}` }, "image/png", "a.png"],
    [
      "a voice note of a browser",
      { fileName: "voice.webm", content: `data:audio/webm;codecs=opus;base64,${SMALL_WEBM}` },
      "audio/webm",
      "voice.webm",
    ],
    [
      "a film",
      { fileName: "film.webm", mimeType: "video/webm", content: `${SMALL_WEBM.slice(0, -2)}aa` },
      "video/webm",
      "film.webm",
    ],
    ["a document", { fileName: "a.pdf", content: { data: SMALL_PDF } }, "application/pdf", "a.pdf"],
    [
      "a text",
      { fileName: "notes.md", mimeType: "text/markdown", content: base64("# Hi\n") },
      "text/markdown",
      "notes.md",
    ],
    ["what nobody knows", { fileName: "a.xyz", content: "AAECAwQFBgcICQ==" }, "application/octet-stream", "a.xyz"],
    [
      "a script that calls itself a picture",
      { fileName: "../../evil.png", mimeType: "image/png", content: base64("#!/bin/sh\nrm -rf /\n") },
      "text/plain",
      "evil.png",
    ],
  ])("%s is told to the agent, and shown again", async ([, attachment, mimeType, fileName]) => {
    const sessionKey = freshKey();
    gateway.model.script(say("seen"));
    await client.chat("what is it?", { sessionKey, attachments: [attachment] });
    expect(lastTold()).toContain(`/media/inbound/`);
    expect(lastTold()).toContain(`(${mimeType})]`);
    expect(lastTold()).toMatch(/what is it\?$/);
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages[0].content[0]).toEqual({ type: "text", text: "what is it?" });
    const [file] = filesOf(messages[0]);
    expect(file).toMatchObject({ id: expect.stringMatching(ID), mimeType, fileName });
    const got = await client.call("media.get", { id: file?.["id"] });
    expect(got).toMatchObject({ id: file?.["id"], mimeType, bytes: file?.["bytes"] });
    const sent = attachment["content"] as string | { data: string };
    expect(typeof sent === "string" ? sent : sent.data).toContain(got.data);
  });

  test("several go with a message without words", async () => {
    const sessionKey = freshKey();
    gateway.model.script(say("seen"));
    const attachments = [
      { fileName: "a.png", content: SMALL_PNG },
      { fileName: "b.pdf", content: SMALL_PDF },
    ];
    await client.chat("", { sessionKey, attachments });
    expect(lastTold()).toContain("[media attached: 2 files]");
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages[0].content[0]).toEqual({ type: "text", text: "" });
    expect(filesOf(messages[0])).toMatchObject([{ fileName: "a.png" }, { fileName: "b.pdf" }]);
    const { previews } = await client.call("sessions.preview", { keys: [sessionKey] });
    expect(JSON.stringify(previews)).not.toContain("/media/");
  });

  test("a message that is sent again is the same message with the same file", async () => {
    const sessionKey = freshKey();
    const params = { sessionKey, message: "look", idempotencyKey: randomUUID() };
    const attachments = [{ fileName: "twice.txt", content: base64("sent twice") }];
    gateway.model.script(say("seen"));
    await client.chat("look", { ...params, attachments });
    expect(await client.call("chat.send", { ...params, attachments })).toMatchObject({ status: "ok" });
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages.map(({ role }: Json) => role)).toEqual(["user", "assistant"]);
    const [file] = filesOf(messages[0]);
    const kept = readdirSync(join(gateway.stateDir, "media", "inbound"));
    expect(kept.filter((name) => name.startsWith(String(file?.["id"])))).toHaveLength(2);
  });

  test("one that cannot be taken is named, and then none is kept", async () => {
    const good = { fileName: "good.txt", content: base64(`good ${randomUUID()}`) };
    const before = readdirSync(join(gateway.stateDir, "media", "inbound")).length;
    const params = { sessionKey: freshKey(), message: "x", idempotencyKey: randomUUID() };
    const bad = { fileName: "bad.txt", content: "no base64!" };
    const { error } = await client.request("chat.send", { ...params, attachments: [good, bad] });
    expect(error).toEqual({ code: "INVALID_REQUEST", message: "bad.txt: content is not base64" });
    expect(readdirSync(join(gateway.stateDir, "media", "inbound"))).toHaveLength(before);
    const many = { ...params, attachments: Array.from({ length: 51 }, () => good) };
    expect((await client.request("chat.send", many)).error?.message).toMatch(/at most 50 attachments/);
  });

  test.for([
    ["../../openclaw.json", /must be the id/],
    ["/etc/passwd", /must be the id/],
    [`${"a".repeat(64)}.about.json`, /must be the id/],
    ["a".repeat(64), /not kept any more/],
  ] as const)("%s is not given out", async ([id, message]) => {
    const { error } = await client.request("media.get", { id });
    expect(error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringMatching(message) });
  });

  test("what an agent sends is named by the answer, by its event and by the history", async () => {
    const sessionKey = freshKey();
    writeFileSync(join(gateway.stateDir, "workspace", "chart.png"), Buffer.from(SMALL_PNG, "base64"));
    const sendIt = (words: string) =>
      async function* (request: ModelRequest) {
        const [line = ""] = /MEDIA:\S+/.exec(textOf(request.messages.at(-1) as ToolResultMessage)) ?? [];
        yield { kind: "text" as const, delta: `${words}${line}\n${line}` };
        yield finish();
      };
    const file = {
      type: "media",
      id: expect.stringMatching(ID),
      fileName: "chart.png",
      mimeType: "image/png",
      bytes: 70,
    };
    gateway.model.script(callTool("attach", { path: "chart.png" }), sendIt("Here it is.\n"));
    const end = await client.chat("draw it", { sessionKey });
    expect(end.payload).toMatchObject({ state: "final" });
    expect(end.payload.message.content).toEqual([{ type: "text", text: "Here it is." }, file]);
    gateway.model.script(callTool("attach", { path: "chart.png" }), sendIt(""));
    const bare = await client.chat("again, and say nothing", { sessionKey });
    expect(bare.payload.message.content).toEqual([file]);
    const { messages } = await client.call("chat.history", { sessionKey });
    const answers = messages.filter((one: { content: Json[] }) => filesOf(one).length > 0);
    expect(answers.map(({ role }: Json) => role)).toEqual(["assistant", "assistant"]);
    const got = await client.call("media.get", { id: end.payload.message.content[1].id });
    expect(got).toMatchObject({ mimeType: "image/png", data: SMALL_PNG });
    gateway.model.script(callTool("attach", { path: "chart.png" }), sendIt(""));
    const params = { message: "and so", sessionKey, idempotencyKey: randomUUID() };
    const { result } = await client.call("agent", params);
    const [payload] = result.payloads;
    expect(result).toMatchObject({ payloads: [{ mediaUrl: expect.any(String) }], media: [{ fileName: "chart.png" }] });
    expect(readFileSync(payload.mediaUrl)).toEqual(Buffer.from(got.data, "base64"));
  });
});

test("a voice note is written down", async () => {
  const audio = { transcription: { command: ["echo", "good morning of {input}"] } };
  await using gateway = await startTestGateway({ config: { audio } });
  const client = await gateway.connect();
  gateway.model.script(say("heard"));
  const attachments = [{ fileName: "voice.webm", mimeType: "audio/webm;codecs=opus", content: SMALL_WEBM }];
  await client.chat("", { attachments });
  const [request] = gateway.model.requests;
  expect(textOf(request?.messages.at(-1) as ToolResultMessage)).toMatch(/Transcript:\ngood morning of \S+\.weba$/);
  const { messages } = await client.call("chat.history", { sessionKey: "main" });
  expect(messages[0].content[0].text).toMatch(/^\[Audio\]\nTranscript:\ngood morning of/);
});

describe("a message that waited over a restart", () => {
  test.for([
    ["is answered with its file", false, /\[media attached: .*\(text\/plain\)\]/],
    ["is answered without a file that is gone", true, /\[file could not be fetched: it is not kept any more\]/],
  ] as const)("%s", async ([, isGone, told]) => {
    using directory = createStateDirectory();
    {
      await using gateway = await startTestGateway({ stateDir: directory.path });
      const client = await gateway.connect();
      const gate = gateway.gate();
      gateway.model.script(gate.step("", "done"));
      client.send({ type: "req", id: "first", method: "agent", params: { message: "first", idempotencyKey: "first" } });
      await gate.reached;
      const attachments = [{ fileName: "a.txt", content: base64("what is in it") }];
      const params = { sessionKey: "main", message: "look", idempotencyKey: "waits", attachments };
      expect(await client.call("chat.send", params)).toEqual({ runId: "waits", status: "started" });
      const stopping = gateway.gateway.stop("stop");
      gate.open();
      await stopping;
    }
    if (isGone) rmSync(join(directory.path, "media", "inbound"), { recursive: true });
    await using gateway = await startTestGateway({ stateDir: directory.path });
    const client = await gateway.connect();
    expect(await client.call("agent.wait", { runId: "waits" })).toMatchObject({ status: "ok" });
    const [request] = gateway.model.requests;
    expect(textOf(request?.messages.at(-1) as ToolResultMessage)).toMatch(told);
  });
});
