// What a model is sent before and with a message: small, the same bytes turn after turn, and renewed when that costs nothing.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ModelRequest } from "@chela/sdk";
import { callTool, createFakeClock, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

const HOUR_MS = 3_600_000;
const FILES = ["read", "write", "edit", "apply_patch", "exec", "process"];
const SESSIONS = [
  "sessions_list",
  "sessions_history",
  "sessions_search",
  "sessions_send",
  "session_status",
  "agents_list",
];
/** What one word to a new agent may cost. */
const MOST_BYTES = 16_384;

/** A text, or a call of a tool. */
type Answer = string | { readonly name: string; readonly args: object };

interface RecordingProvider extends AsyncDisposable {
  readonly url: string;
  /** Every body as it came over the wire, oldest first. */
  readonly bodies: string[];
  /** What is answered next; without any the answer is "pong". */
  answer(...answers: readonly Answer[]): void;
}

/** A provider of OpenAI's kind on this machine that keeps what it is asked. */
async function startRecordingProvider(): Promise<RecordingProvider> {
  const bodies: string[] = [];
  const answers: Answer[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      bodies.push(body);
      writeAnswer(response, answers.shift() ?? "pong", `call_${bodies.length}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    answer: (...more) => void answers.push(...more),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function writeAnswer(response: ServerResponse, answer: Answer, id: string): void {
  const isText = typeof answer === "string";
  const called = (name: string, args: object) => ({
    tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
  });
  const delta = isText ? { content: answer } : called(answer.name, answer.args);
  const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };
  const chunks = [
    { choices: [{ index: 0, delta: { role: "assistant", ...delta } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: isText ? "stop" : "tool_calls" }], usage },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks) {
    const full = { id: "c", object: "chat.completion.chunk", created: 1, model: "small", ...chunk };
    response.write(`data: ${JSON.stringify(full)}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}

function startOnWire(provider: RecordingProvider): Promise<TestGateway> {
  const models = [{ id: "small", name: "Small" }];
  const wire = { baseUrl: provider.url, api: "openai-completions", apiKey: "key-of-the-test", models };
  return startTestGateway({
    config: { agents: { defaults: { model: "wire/small" } }, models: { providers: { wire } } },
  });
}

/** A body in two halves: all up to the last message, and what stands behind the messages. */
function split(body: string): { readonly start: string; readonly rest: string } {
  const messages = JSON.stringify(JSON.parse(body).messages);
  const at = body.indexOf(messages);
  expect(at).toBeGreaterThan(0);
  const end = at + messages.length - 1;
  return { start: body.slice(0, end), rest: body.slice(end) };
}

describe("over the wire", () => {
  let provider: RecordingProvider;
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    provider = await startRecordingProvider();
    gateway = await startOnWire(provider);
    client = await gateway.connect();
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  const workspaceFile = (name: string) => join(gateway.stateDir, "workspace", name);

  test(`one word to a new agent with every tool is at most ${MOST_BYTES} bytes`, async () => {
    expect(await client.agent("ping", { sessionKey: "agent:main:ping" })).toBe("pong");
    const [body = ""] = provider.bodies;
    const { messages, tools } = JSON.parse(body) as {
      messages: { content: string }[];
      tools: { function: { name: string } }[];
    };
    expect(messages).toHaveLength(2);
    expect(messages[0]?.content).toContain("## BOOTSTRAP.md");
    const names = tools.map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining([...FILES, ...SESSIONS]));
    const bytes = Buffer.byteLength(body);
    expect(bytes, `the request had ${bytes} bytes`).toBeLessThanOrEqual(MOST_BYTES);
  });

  test("every request of a conversation begins with the bytes of the one before, whatever happens to files", async () => {
    const sessionKey = "agent:main:prefix";
    const first = provider.bodies.length;
    const ask = (text: string) => client.agent(text, { sessionKey });
    provider.answer("good day");
    await ask("one");
    provider.answer({ name: "session_status", args: {} }, "it is noon");
    await ask("two");
    writeFileSync(workspaceFile("MEMORY.md"), "- Likes plums.\n");
    await ask("three");
    provider.answer({ name: "read", args: { path: "MEMORY.md" } }, "plums");
    await ask("four");
    writeFileSync(workspaceFile("AGENTS.md"), "# Other rules\n");
    await ask("five");
    provider.answer({ name: "write", args: { path: "notes.txt", content: "a note" } }, "written");
    await ask("six");
    provider.answer({ name: "no_such_tool", args: {} }, "it failed");
    await ask("seven");
    await ask("eight");

    const bodies = provider.bodies.slice(first);
    expect(bodies).toHaveLength(12);
    for (const [at, body] of bodies.slice(1).entries()) {
      const before = split(bodies[at] ?? "");
      const now = split(body);
      expect([at, now.start.startsWith(before.start)]).toEqual([at, true]);
      expect(now.start.length).toBeGreaterThan(before.start.length);
      expect(now.rest).toBe(before.rest);
    }
    const asked = (JSON.parse(bodies.at(-1) ?? "{}") as { messages: { role: string; content: string }[] }).messages;
    const notes = asked.filter(({ role }) => role === "user").map(({ content }) => /^\[Workspace.*/.exec(content)?.[0]);
    const shown = JSON.stringify(await client.call("chat.history", { sessionKey }));
    expect(shown).not.toContain("Workspace files changed");
    const listed = await client.call("sessions.list", { includeLastMessage: true, includeDerivedTitles: true });
    expect(JSON.stringify(listed)).not.toContain("Workspace files changed");
    expect(notes.map((note) => note?.match(/\w+\.md/g) ?? [])).toEqual([
      [],
      [],
      ["MEMORY.md"],
      [],
      ["AGENTS.md"],
      [],
      [],
      [],
    ]);
  });
});

describe("the snapshot of the workspace", () => {
  const system = (gateway: TestGateway): string => gateway.model.requests.at(-1)?.system ?? "";
  const lastText = ({ messages }: ModelRequest): string => textOf(messages.at(-1) ?? { content: "" });

  test("tells of the first meeting until a turn went well, and nobody after that", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const path = join(gateway.stateDir, "workspace", "BOOTSTRAP.md");
    const failure = { reason: "bad-request", message: "no", retry: "never" } as const;
    gateway.model.script([{ kind: "failure", failure }]);
    expect((await client.chat("hello", { sessionKey: "agent:main:first" })).payload.state).toBe("error");
    expect(system(gateway)).toContain("## BOOTSTRAP.md");
    expect(existsSync(path)).toBe(true);
    await client.agent("hello", { sessionKey: "agent:main:first" });
    expect(existsSync(path)).toBe(false);
    const met = system(gateway);
    expect(met).toContain("## BOOTSTRAP.md");
    await client.agent("and again", { sessionKey: "agent:main:first" });
    expect(system(gateway)).toBe(met);
    expect(gateway.model.requests.map(lastText).join()).not.toContain("Workspace files changed");
    await client.agent("hello", { sessionKey: "agent:main:second" });
    expect(system(gateway)).not.toContain("BOOTSTRAP.md");
    expect(system(gateway)).toContain("## SOUL.md");
  });

  test("is renewed after an idle hour, when no provider remembers the old one", async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.connect();
    const soul = join(gateway.stateDir, "workspace", "SOUL.md");
    await client.agent("hello");
    const before = system(gateway);
    writeFileSync(soul, "I am a new soul.\n");
    await clock.advance(HOUR_MS - 60_000);
    await client.agent("still warm?");
    expect(system(gateway)).toBe(before);
    expect(lastText(gateway.model.requests.at(-1) as ModelRequest)).toMatch(/^\[Workspace files changed.*SOUL\.md/);
    await clock.advance(HOUR_MS);
    await client.agent("cold by now?");
    expect(system(gateway)).toContain("I am a new soul.");
    expect(lastText(gateway.model.requests.at(-1) as ModelRequest)).not.toContain("Workspace files changed");
  });

  test("is renewed when the conversation begins anew", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const soul = join(gateway.stateDir, "workspace", "SOUL.md");
    await client.agent("hello");
    writeFileSync(soul, `${readFileSync(soul, "utf8")}- I hum.\n`);
    await client.agent("hello");
    expect(system(gateway)).not.toContain("I hum.");
    await client.agent("/new hello");
    expect(system(gateway)).toContain("I hum.");
  });

  test("has what the model itself wrote only in later conversations", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const sessionKey = `agent:main:${randomUUID()}`;
    gateway.model.script(callTool("write", { path: "MEMORY.md", content: "- Likes plums.\n" }), say("noted"));
    await client.agent("remember plums", { sessionKey });
    const [first, second] = gateway.model.requests;
    expect(second?.system).toBe(first?.system);
    await client.agent("go on", { sessionKey });
    expect(system(gateway)).toBe(first?.system);
    await client.agent("hello", { sessionKey: "agent:main:later" });
    expect(system(gateway)).toContain("Likes plums.");
  });
});
