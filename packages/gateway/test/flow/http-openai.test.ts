// The OpenAI-compatible door: the same agents, spoken to by any client of that API.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage, textOf } from "@chela/sdk";
import { callTool, finish, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { parseEvents } from "../support/in-process-http.ts";
import type { Json } from "../support/wire-client.ts";

/** One pixel. */
const BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const PICTURE = `data:image/png;base64,${BASE64}`;

describe("the OpenAI-compatible API", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: { agents: { list: [{ id: "main" }, { id: "work" }] } } });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    gateway.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const user = (content: unknown) => ({ model: "openclaw", messages: [{ role: "user", content }] });
  const spent = { ...noUsage(), input: 7, output: 3, cacheRead: 2, totalTokens: 12 };
  const lastRequest = () => gateway.model.requests.at(-1);
  const lastText = () => textOf(lastRequest()?.messages.at(-1) ?? { content: "" });

  test("answers a chat completion as a whole", async () => {
    gateway.model.script([
      { kind: "text", delta: "good day" },
      { kind: "finish", stopReason: "stop", usage: spent },
    ]);
    const response = await post("/v1/chat/completions", user("hello"));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^chatcmpl_/),
      object: "chat.completion",
      created: expect.any(Number),
      model: "openclaw",
      choices: [{ index: 0, message: { role: "assistant", content: "good day" }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 3,
        total_tokens: 12,
        prompt_tokens_details: { cached_tokens: 2 },
      },
    });
  });

  test("streams a chat completion piece by piece", async () => {
    gateway.model.script([
      ...["good", " ", "day"].map((delta) => ({ kind: "text" as const, delta })),
      { kind: "finish", stopReason: "stop", usage: spent },
    ]);
    const wanted = { ...user("hello"), stream: true, stream_options: { include_usage: true } };
    const response = await post("/v1/chat/completions", wanted);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = parseEvents(await response.text()).map(({ data }) => data);
    expect(events.at(-1)).toBe("[DONE]");
    const chunks = events.slice(0, -1) as { choices: { delta: Json; finish_reason: string | null }[]; usage?: Json }[];
    expect(chunks[0]?.choices[0]).toMatchObject({ delta: { role: "assistant" }, finish_reason: null });
    expect(chunks.map(({ choices }) => choices[0]?.delta["content"] ?? "").join("")).toBe("good day");
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: "stop" });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 12 } });
  });

  test.for([
    ["nothing", ["NO", "_REPLY"], ""],
    ["no", ["NO"], "NO"],
    ["a word that begins like nothing", ["NO", "_REP", "TILES"], "NO_REPTILES"],
  ] as const)("streams %s as it is meant", async ([, deltas, meant]) => {
    gateway.model.script([...deltas.map((delta) => ({ kind: "text" as const, delta })), finish()]);
    const response = await post("/v1/chat/completions", { ...user("hello"), stream: true });
    const chunks = parseEvents(await response.text()).filter(({ data }) => data !== "[DONE]");
    expect(chunks.map(({ data }) => data.choices[0].delta.content ?? "").join("")).toBe(meant);
  });

  test("streams the same text as it answers when tools are called in between", async () => {
    const script = () =>
      gateway.model.script([{ kind: "text", delta: "let me see" }, ...callTool("session_status", {})], say("all well"));
    script();
    const whole = (await (await post("/v1/chat/completions", user("how are you?"))).json()) as {
      choices: { message: { content: string } }[];
    };
    script();
    const response = await post("/v1/chat/completions", { ...user("how are you?"), stream: true });
    const chunks = parseEvents(await response.text()).filter(({ data }) => data !== "[DONE]");
    const streamed = chunks.map(({ data }) => data.choices[0].delta.content ?? "").join("");
    expect(streamed).toBe("let me see\n\nall well");
    expect(whole.choices[0]?.message.content).toBe(streamed);
  });

  test("reads the whole conversation a client sends", async () => {
    await post("/v1/chat/completions", {
      model: "openclaw",
      messages: [
        { role: "system", content: "Be kind." },
        { role: "developer", content: [{ type: "text", text: "Be short." }] },
        { role: "user", content: "name a fruit" },
        { role: "assistant", content: "a plum" },
        { role: "user", content: [{ type: "text", text: "another" }] },
      ],
    });
    expect(lastRequest()?.system).toContain("Be kind.\n\nBe short.");
    expect(lastText()).toContain("User: name a fruit\nAssistant: a plum\n");
    expect(lastText()).toMatch(/User: another$/);
  });

  test("keeps the conversation of a named user or session, and forgets the others", async () => {
    await post("/v1/chat/completions", { ...user("the word is plum"), user: "Ada Lovelace" });
    await post("/v1/chat/completions", { ...user("which word?"), user: "Ada Lovelace" });
    expect(JSON.stringify(lastRequest()?.messages)).toContain("plum");
    await post("/v1/chat/completions", user("which word?"));
    expect(JSON.stringify(lastRequest()?.messages)).not.toContain("plum");
    const named = { "x-openclaw-session-key": "agent:main:shared" };
    await post("/v1/chat/completions", user("the word is fig"), named);
    const client = await gateway.connect();
    await client.agent("which word?", { sessionKey: "agent:main:shared" });
    expect(JSON.stringify(lastRequest()?.messages)).toContain("fig");
  });

  test.for([
    [{ "x-openclaw-agent-id": "work" }, "openclaw"],
    [{}, "openclaw:work"],
    [{}, "openclaw/work"],
    [{}, "agent:work"],
  ] as const)("speaks to the agent that is named by %j or %s", async ([headers, model]) => {
    const client = await gateway.connect();
    const count = async () => (await client.call("sessions.list", { agentId: "work" })).count as number;
    const before = await count();
    await post("/v1/chat/completions", { ...user("hello"), model }, headers);
    expect(await count()).toBe(before + 1);
  });

  test("answers a response as a whole", async () => {
    gateway.model.script([
      { kind: "text", delta: "good day" },
      { kind: "finish", stopReason: "stop", usage: spent },
    ]);
    const response = await post("/v1/responses", { model: "openclaw", input: "hello", instructions: "Be kind." });
    expect(await response.json()).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: "response",
      status: "completed",
      model: "openclaw",
      output: [
        {
          type: "message",
          id: expect.stringMatching(/^msg_/),
          role: "assistant",
          status: "completed",
          content: [
            {
              type: "output_text",
              text: "good day",
            },
          ],
        },
      ],
      usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
    });
    expect(lastRequest()?.system).toContain("Be kind.");
  });

  test("streams a response, event by event", async () => {
    gateway.model.script([...["good ", "day"].map((delta) => ({ kind: "text" as const, delta })), finish()]);
    const input = [
      { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
      { type: "function_call_output", call_id: "c1", output: "42" },
    ];
    const response = await post("/v1/responses", { model: "openclaw", input, stream: true });
    const events = parseEvents(await response.text());
    expect(events.map(({ event, data }) => event ?? data)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
      "[DONE]",
    ]);
    for (const { event, data } of events.slice(0, -1)) expect(data.type).toBe(event);
    expect(events.at(-2)?.data.response.output[0].content[0].text).toBe("good day");
    expect(lastText()).toContain("Tool:c1: 42");
  });

  test("tells a failed turn in the form of each API", async () => {
    const failure = { reason: "auth", message: "401", retry: "never" } as const;
    const fail = () => gateway.model.script([{ kind: "failure", failure }]);
    fail();
    const whole = await post("/v1/chat/completions", user("hello"));
    expect(whole.status).toBe(502);
    expect(await whole.json()).toMatchObject({ error: { type: "api_error", message: expect.stringContaining("401") } });
    fail();
    const refused = await post("/v1/chat/completions", { ...user("x"), stream: true });
    expect([refused.status, await refused.json()]).toMatchObject([502, { error: { type: "api_error" } }]);
    gateway.model.script(
      [{ kind: "text", delta: "half" }, ...callTool("session_status", {})],
      [{ kind: "failure", failure }],
    );
    const chunks = parseEvents(await (await post("/v1/chat/completions", { ...user("x"), stream: true })).text());
    expect(chunks.map(({ data }) => data.choices?.[0].delta.content ?? "").join("")).toBe("half");
    expect(chunks.at(-2)?.data).toMatchObject({
      error: { type: "api_error", message: expect.stringContaining("401") },
    });
    fail();
    const resource = await post("/v1/responses", { model: "openclaw", input: "hello" });
    expect(await resource.json()).toMatchObject({ status: "failed", output: [], error: { code: "api_error" } });
    fail();
    const events = parseEvents(await (await post("/v1/responses", { model: "m", input: "x", stream: true })).text());
    expect(events.map(({ event }) => event)).toContain("response.failed");
  });

  test.for([
    ["/v1/chat/completions", "not json", "The body is not valid JSON."],
    ["/v1/chat/completions", {}, "must have required property 'messages'"],
    ["/v1/chat/completions", { messages: [] }, "Missing user message in `messages`."],
    ["/v1/chat/completions", { messages: [{ role: "system", content: "x" }] }, "Missing user message in `messages`."],
    ["/v1/responses", { model: "m" }, "must have required property 'input'"],
    ["/v1/responses", { model: "m", input: [] }, "Missing user message in `input`."],
    ["/v1/responses", { model: "m", input: "x", tools: [{}] }, /^tools: /],
    ["/v1/chat/completions", { messages: [{ role: "user", content: "x" }], tools: [{}] }, /^tools: /],
    ["/v1/chat/completions", { messages: [{ role: "user", content: "x" }], functions: [{}] }, /^tools: /],
    ["/v1/chat/completions", { messages: [{ role: "user", content: "x" }], n: 2 }, /^n: /],
    ["/v1/chat/completions", { messages: [{ role: "user", content: [{ type: "hologram" }] }] }, /"hologram"/],
    [
      "/v1/chat/completions",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "http://10.0.0.1/a.png" } }] }] },
      /Send a data: URL/,
    ],
    ...[
      { response_format: { type: "json_object" } },
      { response_format: { type: "json_schema", json_schema: { name: "x", schema: {} } } },
      { logprobs: true },
      { top_logprobs: 2 },
      { stop: "." },
      { stop: ["a", "b"] },
      { logit_bias: { "50256": -100 } },
      { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
      { reasoning_effort: "enormous" },
      { max_tokens: 0 },
    ].map(
      (wish) =>
        [
          "/v1/chat/completions",
          { messages: [{ role: "user", content: "x" }], ...wish },
          new RegExp(`${Object.keys(wish)[0]?.replace("top_", "")}`),
        ] as const,
    ),
    ...[
      { text: { format: { type: "json_schema", name: "x", schema: {} } } },
      { include: ["message.output_text.logprobs"] },
      { background: true },
      { conversation: "conv_1" },
      { prompt: { id: "pmpt_1" } },
      { input: [{ type: "item_reference", id: "msg_1" }] },
    ].map((wish) => ["/v1/responses", { model: "m", input: "x", ...wish }, /^[a-z_.]+: /] as const),
    ["/v1/responses", { model: "m", input: "x", previous_response_id: "resp_none" }, /^previous_response_id: /],
    [
      "/v1/chat/completions",
      {
        model: "agent:nobody",
        messages: [
          {
            role: "user",
            content: "x",
          },
        ],
      },
      /^unknown agent/,
    ],
  ] as const)("%s refuses %j", async ([path, body, message]) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { type: string; message: string } };
    expect(error.type).toBe("invalid_request_error");
    if (typeof message === "string") expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });

  test.for([
    ["/v1/chat/completions", { messages: [{ role: "user", content: "x" }], max_tokens: 50, max_completion_tokens: 40 }],
    ["/v1/responses", { model: "openclaw", input: "x", max_output_tokens: 40 }],
  ] as const)("%s passes on how long an answer may be, and says when it was cut", async ([path, body]) => {
    const cut = [
      { kind: "text" as const, delta: "good da" },
      { kind: "finish" as const, stopReason: "length" as const, usage: spent },
    ];
    gateway.model.script(cut);
    const whole = (await (await post(path, body)).json()) as { choices?: { finish_reason: string }[] };
    expect(lastRequest()?.maxTokens).toBe(40);
    if (whole.choices) expect(whole.choices[0]?.finish_reason).toBe("length");
    else expect(whole).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    gateway.model.script(cut);
    const streamed = await (await post(path, { ...body, stream: true })).text();
    expect(streamed).toContain(whole.choices ? '"finish_reason":"length"' : "event: response.incomplete");
  });

  test("thinks as much as the client wants", async () => {
    await post("/v1/chat/completions", { ...user("x"), reasoning_effort: "high" });
    expect(lastRequest()?.thinking).toBe("high");
    await post("/v1/responses", { model: "openclaw", input: "x", reasoning: { effort: "none" } });
    expect(lastRequest()?.thinking).toBe("off");
  });

  test("names in a header what had no effect, and nothing that has none anyway", async () => {
    const usual = {
      n: 1,
      response_format: { type: "text" },
      stop: null,
      tools: [],
      reasoning_effort: null,
      store: true,
    };
    const plain = await post("/v1/chat/completions", { ...user("x"), ...usual, max_tokens: 100 });
    expect([plain.status, plain.headers.get("x-chela-not-used")]).toEqual([200, null]);
    const more = { temperature: 0, seed: 7, "odd\nname": 1, metadata: { a: "b" }, store: false };
    for (const stream of [false, true]) {
      const told = await post("/v1/chat/completions", { ...user("x"), ...more, stream });
      expect([told.status, told.headers.get("x-chela-not-used")]).toEqual([200, "temperature, seed, metadata, store"]);
      await told.text();
    }
  });

  test("tells the agent which tools of the client were called before", async () => {
    const messages = [
      { role: "user", content: "how warm is it?" },
      { role: "assistant", content: null, tool_calls: [{ function: { name: "weather", arguments: '{"in":"Rome"}' } }] },
      { role: "tool", tool_call_id: "1", content: "21 degrees" },
    ];
    await post("/v1/chat/completions", { model: "openclaw", messages });
    expect(lastText()).toContain('Assistant: (called weather with {"in":"Rome"})');
    const input = [
      { role: "user", content: "how warm is it?" },
      { type: "reasoning", summary: [] },
      { type: "function_call", call_id: "1", name: "weather", arguments: '{"in":"Oslo"}' },
      { type: "function_call_output", call_id: "1", output: "4 degrees" },
    ];
    await post("/v1/responses", { model: "openclaw", input });
    expect(lastText()).toContain('Assistant: (called weather with {"in":"Oslo"})');
    expect(lastText()).toContain("4 degrees");
  });

  test("goes on with the turn when the one who asked hangs up", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("half", " and half"));
    const hangUp = new AbortController();
    const asked = gateway.fetch("/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json", "x-openclaw-session-key": "agent:main:hung-up" },
      body: JSON.stringify({ ...user("hello"), stream: true }),
      signal: hangUp.signal,
    });
    await gate.reached;
    await asked;
    hangUp.abort();
    gate.open();
    const client = await gateway.connect();
    await client.agent("and?", { sessionKey: "agent:main:hung-up" });
    expect(JSON.stringify(lastRequest()?.messages)).toContain("half and half");
  });

  test("is there for this machine, and for others only when it was switched on", async () => {
    const away = { "x-forwarded-for": "203.0.113.9" };
    expect((await post("/v1/chat/completions", user("hello"), away)).status).toBe(404);
    const on = {
      gateway: { http: { endpoints: { chatCompletions: { enabled: true }, responses: { enabled: false } } } },
    };
    await using open = await startTestGateway({ config: on });
    const headers = { "content-type": "application/json" };
    const say = (path: string, body: object, more: object = {}) =>
      open.fetch(path, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
    expect((await say("/v1/chat/completions", user("hello"), away)).status).toBe(200);
    expect((await say("/v1/responses", { model: "m", input: "x" })).status).toBe(404);
  });

  test.for([
    ["/v1/chat/completions", { type: "image_url", image_url: { url: PICTURE } }],
    ["/v1/responses", { type: "input_image", image_url: PICTURE }],
    ["/v1/responses", { type: "input_image", source: { type: "base64", media_type: "image/png", data: BASE64 } }],
  ] as const)("%s shows the model a picture", async ([path, part]) => {
    const content = [{ type: path === "/v1/responses" ? "input_text" : "text", text: "what is this?" }, part];
    const said = [{ role: "user", content }];
    const body = path === "/v1/responses" ? { model: "m", input: said } : { model: "m", messages: said };
    expect((await post(path, body)).status).toBe(200);
    const shown = lastRequest()?.messages.at(-1)?.content;
    expect(JSON.stringify(shown)).toContain("what is this?");
    expect(shown).toContainEqual(expect.objectContaining({ type: "image", mimeType: "image/png" }));
  });

  test("shows a picture of an earlier message, too, and says where it belongs", async () => {
    const picture = { type: "image_url", image_url: { url: PICTURE } };
    await post("/v1/chat/completions", {
      messages: [
        { role: "user", content: [{ type: "text", text: "look" }, picture] },
        { role: "assistant", content: "I see" },
        { role: "user", content: "what was it?" },
      ],
    });
    expect(lastRequest()?.messages.at(-1)?.content).toContainEqual(expect.objectContaining({ type: "image" }));
    expect(JSON.stringify(lastRequest()?.messages.at(-1))).toContain("look (a file)");
  });

  test("goes on from an earlier response", async () => {
    const first = await post("/v1/responses", { model: "m", input: "the word is quince" });
    const { id } = (await first.json()) as { id: string };
    await post("/v1/responses", { model: "m", input: "which word?", previous_response_id: id });
    expect(JSON.stringify(lastRequest()?.messages)).toContain("quince");
  });

  test("tells of one model", async () => {
    expect(await (await gateway.fetch("/v1/models/openclaw:work")).json()).toMatchObject({ id: "openclaw:work" });
    expect(await (await gateway.fetch("/v1/models/openclaw%2Fwork")).json()).toMatchObject({ id: "openclaw:work" });
    for (const wanted of ["gpt-4", "%zz"])
      expect([404, 400]).toContain((await gateway.fetch(`/v1/models/${wanted}`)).status);
  });

  test("lists agents as models", async () => {
    const response = await gateway.fetch("/v1/models");
    const { object, data } = (await response.json()) as { object: string; data: { id: string }[] };
    expect(object).toBe("list");
    expect(data.map(({ id }) => id)).toEqual(["openclaw", "openclaw:main", "openclaw:work"]);
  });
});
