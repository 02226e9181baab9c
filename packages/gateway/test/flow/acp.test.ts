// Chela as the agent of an editor: sessions, answers, questions, and work in the editor's own files and terminal.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool, callTools, finish, say } from "@chela/sdk/testing";
import { SMALL_PNG } from "../support/durability/small-files.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { openEditor, PROJECT } from "../support/stages/editor-stage.ts";

const FILES = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const lastRequest = () => JSON.stringify(gateway.model.requests.at(-1)?.messages);
const offered = () => gateway.model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];

test("an editor opens a session, asks, and hears the answer as it is written", async () => {
  await using editor = await openEditor(gateway);
  expect(editor.initialized).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: "chela" },
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {} } },
  });
  const { sessionId, modes } = await editor.newSession();
  expect(sessionId).toMatch(/^agent:main:acp-bridge:[0-9a-f-]{36}$/);
  expect(modes?.currentModeId).toBe("ask");
  const gate = gateway.gate();
  gateway.model.script(gate.step("First words, ", "and the rest."));
  const answered = editor.prompt(sessionId, "hello");
  await gate.reached;
  gate.open();
  expect(await answered).toEqual({ stopReason: "end_turn" });
  expect(editor.said()).toBe("First words, and the rest.");
  expect(editor.of("agent_message_chunk").length).toBeGreaterThan(1);
  expect(lastRequest()).toContain(`[Working directory: ${PROJECT}]`);
  expect(offered()).not.toContain("editor_read");
});

test("thoughts and tool calls are told with kinds, places, diffs and results, and nothing twice", async () => {
  await using editor = await openEditor(gateway);
  const { sessionId } = await editor.newSession();
  gateway.model.script(
    [
      { kind: "thinking", delta: "A file is needed." },
      { kind: "text", delta: "I write it." },
      ...callTool("write", { path: "note.md", content: "one\n" }, "c1"),
    ],
    callTool("edit", { path: "note.md", oldText: "one", newText: "two" }, "c2"),
    callTools([{ id: "c3", name: "read", arguments: { path: "note.md" } }]),
    say("It says two."),
  );
  await editor.prompt(sessionId, "write a note");
  expect(editor.said()).toBe("I write it.It says two.");
  expect(editor.of("agent_thought_chunk").map(({ content }) => content)).toEqual([
    { type: "text", text: "A file is needed." },
  ]);
  const calls = editor.of("tool_call");
  expect(calls.map(({ kind, title, status }) => [kind, title, status])).toEqual([
    ["edit", "Write note.md", "in_progress"],
    ["edit", "Edit note.md", "in_progress"],
    ["read", "Read note.md", "in_progress"],
  ]);
  expect(calls[1]?.content).toMatchObject([{ type: "diff", oldText: "one", newText: "two" }]);
  expect(calls[2]?.locations?.[0]?.path).toMatch(/\/workspace\/note\.md$/);
  const ends = editor.of("tool_call_update").filter(({ status }) => status === "completed");
  expect(ends.map(({ toolCallId }) => toolCallId)).toEqual(["c1", "c2", "c3"]);
  expect(JSON.stringify(ends[2]?.content)).toContain("two");
});

test("pictures, links and enclosed files come with the question; sound is refused with a sentence", async () => {
  await using editor = await openEditor(gateway, { flags: ["--no-prefix-cwd"] });
  const { sessionId } = await editor.newSession();
  gateway.model.script(say("Seen."));
  await editor.prompt(
    sessionId,
    "look at this",
    { type: "resource_link", uri: `file://${PROJECT}/a.ts`, name: "a.ts" },
    { type: "resource", resource: { uri: `file://${PROJECT}/b.ts`, text: "const fence = '```';" } },
    { type: "image", mimeType: "image/png", data: SMALL_PNG },
  );
  expect(lastRequest()).toContain(`[a.ts](${PROJECT}/a.ts)`);
  expect(lastRequest()).toContain("````");
  expect(lastRequest()).not.toContain("Working directory");
  expect(lastRequest()).toContain("image/png");
  const sound = editor.prompt(sessionId, { type: "audio", mimeType: "audio/wav", data: "AAAA" });
  await expect(sound).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("audio is not taken") });
});

test("a cancelled prompt says so, and the session goes on", async () => {
  await using editor = await openEditor(gateway);
  const { sessionId } = await editor.newSession();
  const gate = gateway.gate();
  gateway.model.script(gate.step("A long", " story"));
  const answered = editor.prompt(sessionId, "tell me");
  await gate.reached;
  await expect(editor.prompt(sessionId, "more")).rejects.toMatchObject({ code: -32600 });
  await editor.agent.notify("session/cancel", { sessionId });
  expect(await answered).toEqual({ stopReason: "cancelled" });
  gateway.model.script(say("Yes."));
  expect(await editor.prompt(sessionId, "still there?")).toEqual({ stopReason: "end_turn" });
});

test("a failed turn is an error with the gateway's sentence", async () => {
  await using editor = await openEditor(gateway);
  const { sessionId } = await editor.newSession();
  gateway.model.script(() => {
    throw new Error("boom");
  });
  await expect(editor.prompt(sessionId, "hello")).rejects.toMatchObject({ code: -32603, message: expect.any(String) });
});

test("another editor lists the sessions, loads one with all that was said, resumes and closes it", async () => {
  const cwd = "/a/project/of-its-own";
  let sessionId: string;
  {
    await using first = await openEditor(gateway);
    ({ sessionId } = await first.newSession({ cwd }));
    gateway.model.script(callTool("write", { path: "kept.md", content: "kept" }, "k1"), say("It is kept."));
    await first.prompt(sessionId, "keep this");
  }
  await using second = await openEditor(gateway);
  const { sessions } = await second.agent.request("session/list", { cwd });
  expect(sessions).toMatchObject([{ sessionId, cwd }]);
  await second.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
  expect(second.said()).toBe("It is kept.");
  expect(JSON.stringify(second.of("user_message_chunk"))).toContain("keep this");
  expect(second.of("tool_call")).toMatchObject([{ toolCallId: "k1", kind: "edit" }]);
  expect(second.of("tool_call_update")).toMatchObject([{ toolCallId: "k1", status: "completed" }]);
  await second.agent.request("session/close", { sessionId });
  await expect(second.prompt(sessionId, "hello")).rejects.toMatchObject({ code: -32002 });
  await second.agent.request("session/resume", { sessionId, cwd });
  gateway.model.script(say("Back."));
  expect(await second.prompt(sessionId, "hello")).toEqual({ stopReason: "end_turn" });
  const unknown = second.agent.request("session/load", { sessionId: "agent:main:none", cwd, mcpServers: [] });
  await expect(unknown).rejects.toMatchObject({ code: -32002 });
});

test("model, thinking and mode are chosen; what does not exist is refused with what does", async () => {
  await using editor = await openEditor(gateway);
  const { sessionId, configOptions } = await editor.newSession();
  expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ["model", "model"],
    ["thinking", "thought_level"],
  ]);
  const set = (configId: string, value: string) =>
    editor.agent.request("session/set_config_option", { sessionId, configId, value });
  const { configOptions: after } = await set("thinking", "high");
  expect(after.find(({ id }) => id === "thinking")).toMatchObject({ currentValue: "high" });
  await set("model", "scripted/test");
  await set("model", "default");
  await expect(set("model", "nobody/none")).rejects.toMatchObject({ code: -32603 });
  await expect(set("colour", "red")).rejects.toMatchObject({ message: expect.stringContaining("model and thinking") });
  await editor.agent.request("session/set_mode", { sessionId, modeId: "read" });
  const wrong = editor.agent.request("session/set_mode", { sessionId, modeId: "wild" });
  await expect(wrong).rejects.toMatchObject({ message: expect.stringContaining("ask, edit, read") });
});

test("a command of the agent is asked about in the editor, and runs after a yes alone", async () => {
  const decisions = ["deny", "allow-once"];
  await using editor = await openEditor(gateway, { answer: () => decisions.shift() });
  const { sessionId } = await editor.newSession();
  for (const _ of ["no", "yes"]) {
    gateway.model.script(callTool("exec", { command: "echo from-the-agent > said" }, "x1"), say("Done."));
    await editor.prompt(sessionId, "run it");
  }
  expect(editor.asked.map(({ toolCall }) => [toolCall.toolCallId, toolCall.kind])).toEqual([
    ["x1", "execute"],
    ["x1", "execute"],
  ]);
  // It writes to a file, so a yes can only be for once.
  expect(editor.asked[0]?.options.map(({ kind }) => kind)).toEqual(["allow_once", "reject_once"]);
  const ends = editor.of("tool_call_update").filter(({ status }) => status === "completed" || status === "failed");
  expect(JSON.stringify(ends[0])).toContain("refused");
  expect(JSON.stringify(ends[1])).not.toContain("refused");
});

test("the agent reads, edits and runs in the editor where it offers that, and asks first", async () => {
  const files = new Map([[`${PROJECT}/a.ts`, "const a = 1;\n"]]);
  await using editor = await openEditor(gateway, {
    capabilities: FILES,
    files,
    answer: ({ toolCall }) => (toolCall.kind === "edit" ? "allow-once" : "allow-always"),
  });
  const { sessionId } = await editor.newSession();
  gateway.model.script(
    callTool("editor_plan", { steps: [{ text: "change a", status: "in_progress" }] }, "e0"),
    callTool("editor_read", { path: "a.ts" }, "e1"),
    callTool("editor_edit", { path: "a.ts", oldText: "a = 1", newText: "a = 2" }, "e2"),
    callTool("editor_run", { command: "npm test" }, "e3"),
    callTool("editor_run", { command: "npm test" }, "e4"),
    say("Changed and tested."),
  );
  await editor.prompt(sessionId, "change a to 2 and test");
  expect(offered()).toEqual(expect.arrayContaining(["editor_read", "editor_write", "editor_edit", "editor_run"]));
  expect(files.get(`${PROJECT}/a.ts`)).toBe("const a = 2;\n");
  expect(editor.ran).toEqual(["/bin/sh -c npm test", "/bin/sh -c npm test"]);
  expect(lastRequest()).toContain("all tests pass");
  expect(editor.of("plan")).toMatchObject([{ entries: [{ content: "change a", status: "in_progress" }] }]);
  // The second run of the same command was allowed with the first.
  expect(editor.asked.map(({ toolCall }) => [toolCall.toolCallId, toolCall.kind])).toEqual([
    ["e2", "edit"],
    ["e3", "execute"],
  ]);
  expect(editor.asked[0]?.toolCall.content).toMatchObject([
    { type: "diff", path: `${PROJECT}/a.ts`, oldText: "const a = 1;\n", newText: "const a = 2;\n" },
  ]);
  expect(JSON.stringify(editor.of("tool_call_update"))).toContain('"terminalId":"t1"');
});

test("a no, the mode that only reads, and places outside of the project stay without effect", async () => {
  const files = new Map([[`${PROJECT}/a.ts`, "const a = 1;\n"]]);
  await using editor = await openEditor(gateway, { capabilities: FILES, files, answer: () => "deny" });
  const { sessionId } = await editor.newSession();
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    gateway.model.script(callTool(name, args), say("Well."));
    await editor.prompt(sessionId, "do it");
    return lastRequest() ?? "";
  };
  expect(await call("editor_write", { path: "a.ts", content: "x" })).toContain("The person at the editor refused");
  expect(await call("editor_read", { path: "/etc/passwd" })).toContain("outside of the folders");
  expect(await call("editor_write", { path: "../other/b.ts", content: "x" })).toContain("outside of the folders");
  expect(await call("editor_edit", { path: "a.ts", oldText: "nowhere", newText: "x" })).toContain("does not stand in");
  await editor.agent.request("session/set_mode", { sessionId, modeId: "read" });
  expect(await call("editor_run", { command: "rm -rf ." })).toContain("only reads in the editor");
  expect(editor.asked).toHaveLength(1);
  expect(editor.ran).toEqual([]);
  expect([...files.values()]).toEqual(["const a = 1;\n"]);
});

test("other conversations are not offered the editor, nor this one once the editor left", async () => {
  const client = await gateway.connect();
  let sessionKey: string;
  {
    await using editor = await openEditor(gateway, { capabilities: FILES });
    ({ sessionId: sessionKey } = await editor.newSession());
    gateway.model.script(say("Here."));
    await editor.prompt(sessionKey, "hello");
    expect(offered()).toContain("editor_run");
    gateway.model.script(say("There."));
    await client.agent("hello", { sessionKey: "agent:main:elsewhere" });
    expect(offered()).not.toContain("editor_run");
  }
  gateway.model.script(callTool("editor_read", { path: "a.ts" }), say("Alone."));
  await client.agent("hello", { sessionKey });
  expect(offered()).not.toContain("editor_run");
  expect(lastRequest()).toContain("no editor is open in this conversation");
});

test("a named session is the editor's; MCP servers of one session are refused with a sentence", async () => {
  await using editor = await openEditor(gateway, { flags: ["--session", "agent:main:named"] });
  const { sessionId } = await editor.newSession();
  expect(sessionId).toBe("agent:main:named");
  gateway.model.script([{ kind: "text", delta: "Hello." }, finish()]);
  await editor.prompt(sessionId, "hello");
  const server = { name: "files", command: "node", args: [], env: [] };
  await expect(editor.newSession({ mcpServers: [server] })).rejects.toMatchObject({
    message: expect.stringContaining('MCP servers of one session ("files")'),
  });
  expect(await editor.leave()).toBe(0);
});

test("what is no frame is answered with a fault, and the agent goes on", async () => {
  await using editor = await openEditor(gateway);
  const answer = (await editor.agent.request("session/none", {}).catch((error: unknown) => error)) as { code: number };
  expect(answer.code).toBe(-32601);
  await expect(editor.agent.request("session/prompt", { sessionId: 7 })).rejects.toMatchObject({ code: -32602 });
  expect((await editor.newSession()).sessionId).toContain("acp-bridge");
});
