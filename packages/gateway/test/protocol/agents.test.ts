// Methods about agents: who they are, adding, changing and removing them, their files and their pictures.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { rawRequest } from "../support/in-process-http.ts";
import type { WireClient } from "../support/wire-client.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

const CONFIG = `{
  // The words of a person stay.
  gateway: { auth: { mode: "token", token: "token-of-the-test-gateway-0123456789" }, reload: { debounceMs: 1 } },
  agents: {
    defaults: { model: "scripted/test" },
    list: [
      { id: "main", name: "Ada", identity: { emoji: "🦀" } }, // the first
      { id: "old", model: "scripted/test", tools: { deny: ["exec"] }, futureKey: 1 }, // the second
    ],
  },
  bindings: [
    { agentId: "main", match: { channel: "telegram" } }, // where Ada answers
    { agentId: "old", match: { channel: "discord" } },
  ],
  models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] } } },
}
`;

describe("agents", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway({ rawConfig: CONFIG });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const inState = (...parts: string[]) => join(gateway.stateDir, ...parts);
  const config = () => readFileSync(gateway.configPath, "utf8");
  const refusal = async (method: string, params: object) => (await client.request(method, params)).error;
  const ids = async () => (await client.call("agents.list")).agents.map((agent: { id: string }) => agent.id);
  const create = (name: string, more: object = {}) =>
    client.call("agents.create", { name, workspace: inState("workspaces", name.toLowerCase()), ...more });

  test("are listed with what they are and where they answer", async () => {
    const listed = await client.call("agents.list");
    expect(listed).toMatchObject({ defaultId: "main", mainKey: "main", scope: "per-sender" });
    expect(listed.agents.slice(0, 2)).toEqual([
      {
        id: "main",
        name: "Ada",
        identity: { emoji: "🦀" },
        workspace: inState("workspace"),
        agentDir: inState("agents", "main", "agent"),
        bindings: ["telegram"],
      },
      {
        id: "old",
        workspace: inState("workspaces", "old"),
        agentDir: inState("agents", "old", "agent"),
        model: "scripted/test",
        bindings: ["discord"],
      },
    ]);
  });

  test("are added with a workspace and first files, and answer at once", async () => {
    const workspace = inState("workspaces", "poet");
    const made = await client.call("agents.create", { name: "The Poet!", workspace, emoji: "🪶", avatar: "P" });
    expect(made).toMatchObject({ ok: true, agentId: "the-poet", name: "The Poet!", workspace });
    expect(readdirSync(workspace)).toEqual(expect.arrayContaining(["AGENTS.md", "SOUL.md", "IDENTITY.md"]));
    expect(await client.agent("hello", { agentId: "the-poet" })).toContain("hello");
    expect(await client.call("agent.identity.get", { agentId: "the-poet" })).toEqual({
      agentId: "the-poet",
      name: "The Poet!",
      avatar: "P",
      emoji: "🪶",
    });
  });

  test("keep every other word of the configuration when one is added, changed or removed", async () => {
    await create("Passing", { bind: ["slack", "telegram", "irc:work"] });
    await client.call("agents.update", { agentId: "old", name: "Older" });
    await client.call("agents.delete", { agentId: "passing" });
    const text = config();
    for (const kept of ["// The words of a person stay.", "// the first", "// the second", "futureKey: 1"]) {
      expect(text).toContain(kept);
    }
    expect(text).toContain('{ agentId: "main", match: { channel: "telegram" } }, // where Ada answers');
    expect(text).toMatch(/id: "old", model: "scripted\/test", tools: \{ deny: \["exec"\] \}/);
    expect(text).not.toContain("passing");
    expect((await client.call("agents.list")).agents[1]).toMatchObject({ id: "old", name: "Older" });
  });

  test("get the bindings nobody else has", async () => {
    const made = await create("Clerk", { bind: ["slack:work", "discord", "slack:work", "IRC"] });
    expect(made.bindings).toEqual({ added: ["slack:work", "irc"], skipped: [], conflicts: ["discord"] });
    const removed = await client.call("agents.delete", { agentId: "clerk" });
    expect(removed).toMatchObject({ ok: true, agentId: "clerk", removedBindings: 2 });
    expect(config()).not.toContain("slack");
  });

  test.for([
    ["agents.create", { name: "Main", workspace: "~/x" }, /"main" is reserved/],
    ["agents.create", { name: "日本", workspace: "~/x" }, /gives no id: use at least one letter/],
    ["agents.create", { name: "OLD", workspace: "~/x" }, /agent "old" already exists/],
    ["agents.create", { name: "a", workspace: "relative/dir" }, /write the whole path/],
    ["agents.create", { name: "a", workspace: "/" }, /the gateway's own files lie in it/],
    ["agents.create", { name: "a", workspace: "~" }, /the gateway's own files lie in it/],
    ["agents.create", { name: "a", workspace: "~/devices" }, /only workspace, workspace-<name> and workspaces\/<name>/],
    ["agents.create", { name: "a", workspace: "~/workspaces/../agents/main" }, /only workspace/],
    ["agents.create", { name: "a", workspace: "~/x\u0000y" }, /control characters/],
    ["agents.create", { name: "a", workspace: "~/workspace-a", model: "no/such" }, /no model of that name/],
    ["agents.create", { name: "a", workspace: "~/workspace-a", avatar: "../secret.png" }, /must lie in the workspace/],
    ["agents.create", { name: "a", workspace: "~/workspace-a", avatar: "javascript:alert(1)//x" }, /only http, https/],
    ["agents.create", { name: "a", workspace: "~/workspace-a", bind: ["tele gram"] }, /is not a binding/],
    ["agents.create", { name: "a", workspace: "~/workspace-a", agentDir: "~/agents/main/agent" }, /only agents\/a is/],
    ["agents.create", { name: "a", workspace: "~/workspace-a", agentDir: "~" }, /cannot be an agent's directory/],
    ["agents.create", { name: "a" }, /workspace/],
    ["agents.update", { agentId: "nobody", name: "x" }, /unknown agent id "nobody"/],
    ["agents.update", { agentId: "日本", name: "x" }, /unknown agent id/],
    ["agents.update", { agentId: "old", avatar: "a long line of words" }, /write an emoji/],
    ["agents.delete", { agentId: "main" }, /"main" cannot be deleted/],
    ["agents.delete", { agentId: "../old" }, /unknown agent id "..\/old"/],
    ["agents.files.list", { agentId: "nobody" }, /unknown agent id "nobody"/],
    ["agents.files.get", { agentId: "main", name: "../openclaw.json" }, /unsupported file "..\/openclaw.json"/],
    ["agents.files.set", { agentId: "main", name: "notes.md", content: "" }, /unsupported file "notes.md"/],
    ["agent.identity.get", { agentId: "nobody" }, /unknown agent id "nobody"/],
    ["agent.identity.get", { sessionKey: "agent:nobody:x" }, /unknown agent id "nobody"/],
  ] as const)("%s cannot be asked %j", async ([method, params, message]) => {
    const before = config();
    const error = await refusal(method, params);
    expect(error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringMatching(message) });
    expect(config()).toBe(before);
  });

  test("cannot be given a workspace that leads into the state directory by a link", async () => {
    symlinkSync(inState("agents"), inState("workspace-linked"));
    const error = await refusal("agents.create", { name: "sly", workspace: inState("workspace-linked") });
    expect(error?.message).toMatch(/only workspace/);
  });

  test("go to the trash with their sessions and files, and nothing is erased", async () => {
    await create("Leaver");
    await client.agent("remember the milk", { sessionKey: "agent:leaver:main" });
    const removed = await client.call("agents.delete", { agentId: "leaver" });
    expect(await ids()).not.toContain("leaver");
    expect((await client.call("sessions.list", { agentId: "leaver" })).count).toBe(0);
    expect(existsSync(inState("workspaces", "leaver"))).toBe(false);
    expect(existsSync(inState("agents", "leaver"))).toBe(false);
    expect(removed.trash).toMatch(/\/trash\/[^/]+-leaver$/);
    expect(removed.left).toEqual([]);
    expect(readdirSync(join(removed.trash, "workspace"))).toContain("SOUL.md");
    const transcripts = readdirSync(join(removed.trash, "sessions")).filter((name) => name.includes(".deleted."));
    expect(transcripts).toHaveLength(1);
    expect(readFileSync(join(removed.trash, "sessions", String(transcripts[0])), "utf8")).toContain("the milk");
    expect((await refusal("agents.delete", { agentId: "leaver" }))?.message).toBe('unknown agent id "leaver"');
  });

  test("leave a workspace that lies elsewhere or is shared, and can keep all files", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "chela-elsewhere-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    await create("Far", { workspace: elsewhere });
    expect(await client.call("agents.delete", { agentId: "far" })).toMatchObject({
      left: [{ path: elsewhere, why: "it lies outside the state directory" }],
    });
    await create("Twin");
    await create("Sister", { workspace: inState("workspaces", "twin") });
    const { left } = await client.call("agents.delete", { agentId: "sister" });
    expect(left).toEqual([{ path: inState("workspaces", "twin"), why: 'agent "twin" uses it, too' }]);
    const kept = await client.call("agents.delete", { agentId: "twin", deleteFiles: false });
    expect(kept).toMatchObject({ moved: [], left: [] });
    expect(readdirSync(inState("workspaces", "twin"))).toContain("SOUL.md");
    expect(readdirSync(elsewhere)).toContain("SOUL.md");
  });

  test("are not removed while they are at work", async () => {
    await create("Busy");
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "done"));
    const answer = client.agent("work", { agentId: "busy" });
    await gate.reached;
    const error = await refusal("agents.delete", { agentId: "busy" });
    expect(error).toMatchObject({ code: "INVALID_REQUEST", retryable: true });
    expect(error?.message).toBe('The agent is at work: "busy" has not answered everything in agent:busy:main');
    gate.open();
    await answer;
    expect(await client.call("agents.delete", { agentId: "busy" })).toMatchObject({ ok: true });
  });

  test("have files that can be listed, read and replaced", async () => {
    await create("Writer");
    const { files, workspace } = await client.call("agents.files.list", { agentId: "writer" });
    const names = files.map((file: { name: string }) => file.name);
    expect(names).toEqual(expect.arrayContaining(["AGENTS.md", "SOUL.md", "TOOLS.md", "MEMORY.md"]));
    expect(files.find((file: { name: string }) => file.name === "MEMORY.md")).toMatchObject({ missing: true });
    const content = "- Name: Quill\n- Emoji: 🖋️\n";
    const set = await client.call("agents.files.set", { agentId: "writer", name: "IDENTITY.md", content });
    expect(set).toMatchObject({ ok: true, agentId: "writer", workspace, file: { missing: false } });
    const got = await client.call("agents.files.get", { agentId: "writer", name: "IDENTITY.md" });
    expect(got.file).toMatchObject({ name: "IDENTITY.md", content, size: Buffer.byteLength(content) });
    expect(await client.call("agent.identity.get", { agentId: "writer" })).toMatchObject({
      name: "Quill",
      emoji: "🖋️",
    });
  });

  test("show a picture of their workspace, and nothing else of it", async () => {
    const { workspace } = await create("Model");
    writeFileSync(join(workspace, "me.png"), PNG);
    writeFileSync(join(workspace, "page.png"), "<script>alert(1)</script>");
    writeFileSync(join(workspace, "large.png"), Buffer.concat([PNG, Buffer.alloc(2 * 1024 * 1024)]));
    symlinkSync(gateway.configPath, join(workspace, "link.png"));
    mkdirSync(join(workspace, "folder.png"));
    const show = async (avatar: string) => {
      await client.call("agents.update", { agentId: "model", avatar });
      const answer = await gateway.fetch("/avatar/model", { token: null });
      const meta = await gateway.fetch("/avatar/model?meta=1", { token: null });
      return [
        answer.status,
        answer.headers.get("content-type"),
        ((await meta.json()) as { avatarUrl: unknown }).avatarUrl,
      ];
    };
    expect(await show("me.png")).toEqual([200, "image/png", "/avatar/model"]);
    const answer = await gateway.fetch("/avatar/model", { token: null });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const head = await gateway.fetch("/avatar/model", { token: null, method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(PNG.length)]);
    expect(await client.call("agent.identity.get", { agentId: "model" })).toMatchObject({ avatar: "/avatar/model" });
    for (const name of ["page.png", "large.png", "link.png", "folder.png", "gone.png"]) {
      expect([name, ...(await show(name))]).toEqual([name, 404, "text/plain; charset=utf-8", null]);
    }
    expect(await client.call("agent.identity.get", { agentId: "model" })).toMatchObject({ avatar: "M" });
    expect(await show(`data:image/png;base64,${PNG.toString("base64")}`)).toEqual([200, "image/png", "/avatar/model"]);
    expect(readdirSync(workspace)).toContainEqual(expect.stringMatching(/^avatar-[0-9a-f]{8}\.png$/));
    const notOne = `data:image/png;base64,${Buffer.from("<script>").toString("base64")}`;
    await expect(client.call("agents.update", { agentId: "model", avatar: notOne })).rejects.toThrow(/not a png/);
    const url = "https://example.org/me.png";
    expect(await show(url)).toEqual([404, "text/plain; charset=utf-8", url]);
    for (const path of ["/avatar/nobody", "/avatar/..%2fmain", "/avatar/MODEL", "/avatar/", "/other/avatar/model"]) {
      const { status, text } = await rawRequest(gateway.gateway.port, { path });
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain(gateway.token);
    }
  });

  test("can be changed field by field", async () => {
    await create("Changing", { model: "scripted/test", agentDir: "~/agents/changing/own" });
    const moved = inState("workspaces", "moved");
    await client.call("agents.update", { agentId: "changing", workspace: moved, identity: { theme: "calm" } });
    await client.call("agents.update", { agentId: "changing", identity: { name: "Still" } });
    const { agents } = await client.call("agents.list");
    expect(agents.find((agent: { id: string }) => agent.id === "changing")).toMatchObject({
      name: "Changing",
      model: "scripted/test",
      workspace: moved,
      agentDir: inState("agents", "changing", "own"),
      identity: { name: "Still", theme: "calm" },
    });
    expect(readdirSync(moved)).toContain("SOUL.md");
  });
});

test("the first agent that is added leaves main the default", async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  await client.call("agents.create", { name: "Second", workspace: join(gateway.stateDir, "workspaces", "second") });
  const { defaultId, agents } = await client.call("agents.list");
  expect([defaultId, agents.map((agent: { id: string }) => agent.id)]).toEqual(["main", ["main", "second"]]);
  await client.call("agents.update", { agentId: "main", name: "First" });
  expect((await client.call("agents.list")).agents[0]).toMatchObject({ id: "main", name: "First" });
});
