// Commands about agents, use, turns and tools: with a gateway, and where it makes sense without one.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";

const CONFIG = `{
  // kept
  agents: { list: [{ id: "main" }, { id: "work", model: "demo/demo" }] },
  bindings: [{ agentId: "work", match: { channel: "telegram", accountId: "office" } }],
  budgets: [{ usd: 5 }, { scope: "agent", tokens: 100000 }],
}
`;

function writeConfig(home: Household): void {
  writeFileSync(join(home.stateDir, "openclaw.json"), CONFIG, { mode: 0o600 });
}

/** What a person reads; notes on stderr count as a failure. */
async function told(home: Household, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe.each(["with a gateway", "without a gateway"])("agents, %s", (how) => {
  const home = new Household(how === "without a gateway" ? { OPENCLAW_GATEWAY_PORT: "9" } : {});
  const inState = (...parts: string[]) => join(home.stateDir, ...parts);
  beforeAll(async () => {
    writeConfig(home);
    if (how === "with a gateway") await home.startGateway();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  it("are listed", async () => {
    expect(await told(home, "agents", "list", "--bindings")).toMatch(
      /^AGENT +NAME +MODEL +WORKSPACE\nmain \(default\) +- +- +\S+workspace\nwork +- +demo\/demo +\S+work\n {2}answers on telegram:office\n$/,
    );
    expect(JSON.parse(await told(home, "agents", "list", "--json"))).toMatchObject([
      { id: "main", isDefault: true, bindings: [] },
      { id: "work", isDefault: false, model: "demo/demo", workspace: inState("workspaces", "work") },
    ]);
  });

  it("are added, named and deleted, and the rest of the file stays", async () => {
    expect(await told(home, "agents", "add", "Night Owl", "--model", "demo/demo", "--bind", "irc")).toBe(
      `Added agent night-owl. Its workspace is ${inState("workspaces", "night-owl")}\nIt answers on irc.\n`,
    );
    expect(readdirSync(inState("workspaces", "night-owl"))).toContain("SOUL.md");
    writeFileSync(inState("workspaces", "night-owl", "IDENTITY.md"), "- Name: Hoot\n- Emoji: 🦉\n");
    const named = ["agents", "set-identity", "--agent", "night-owl", "--from-identity", "--theme", "quiet"];
    expect(await told(home, ...named)).toBe("Agent night-owl has now: name Hoot, emoji 🦉, theme quiet.\n");
    expect(await told(home, "agents", "list")).toMatch(/^night-owl +🦉 Hoot +demo\/demo/m);
    const { code, stdout, stderr } = await home.chela("agents", "delete", "night-owl");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Nobody is here to be asked: Delete agent night-owl .*\nAdd --force to do it without\.\n$/);
    expect(await told(home, "agents", "delete", "night-owl", "--force")).toMatch(
      /^Deleted agent night-owl and 1 binding\.\nIts files are in \S+-night-owl\n$/,
    );
    expect(existsSync(inState("workspaces", "night-owl"))).toBe(false);
    const text = readFileSync(inState("openclaw.json"), "utf8");
    expect(text).toContain("// kept");
    expect(text).toContain('{ id: "work", model: "demo/demo" }');
    expect(text).not.toContain("night-owl");
  });

  it("speak JSON to programs", async () => {
    const workspace = inState("workspace-json");
    const add = ["agents", "add", "Json", "--workspace", workspace, "--non-interactive", "--json"];
    expect(JSON.parse(await told(home, ...add))).toMatchObject({ agentId: "json", name: "Json", workspace });
    const set = ["agents", "set-identity", "--workspace", workspace, "--name", "Jason", "--json"];
    expect(JSON.parse(await told(home, ...set))).toEqual({ agentId: "json", identity: { name: "Jason" } });
    expect(JSON.parse(await told(home, "agents", "delete", "json", "--force", "--json"))).toMatchObject({
      agentId: "json",
      removedBindings: 0,
      trash: expect.stringContaining("-json"),
    });
  });

  it.each([
    [["agents", "add", "work"], /agent "work" already exists/],
    [["agents", "delete", "main", "--force"], /"main" cannot be deleted/],
    [["agents", "delete", "nobody"], /unknown agent id "nobody"/],
    [["agents", "set-identity"], /Nothing to set/],
    [["agents", "set-identity", "--identity-file", "/no/such/file"], /cannot be read \(ENOENT\)/],
    [["agents", "set-identity", "--avatar", "/etc/passwd.png"], /must lie in the workspace/],
  ])("say what is wrong with %j", async (args, expected) => {
    const { code, stdout, stderr } = await home.chela(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(expected);
  });
});

describe("what happened", () => {
  const home = new Household();
  let runId = "";
  beforeAll(async () => {
    writeConfig(home);
    await home.startGateway();
    runId = JSON.parse(await told(home, "agent", "-m", "say hello", "--json")).runId;
  });
  afterAll(() => home[Symbol.asyncDispose]());

  it("is told as use and budgets", async () => {
    const text = await told(home, "usage", "--by", "model", "--days", "7");
    expect(text).toMatch(/^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\n/);
    expect(text).toMatch(/\nBudgets\n[^]*daily limit +0% +\$5\.00 of \$5\.00 left/);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(JSON.parse(await told(home, "usage", "--json"))).toMatchObject({
      dimension: "agent",
      budgets: expect.arrayContaining([expect.objectContaining({ name: "daily limit" })]),
    });
    expect((await home.chela("usage", "--by", "weather")).code).toBe(1);
  });

  it("is explained turn by turn", async () => {
    const text = await told(home, "explain", runId.slice(0, 16));
    expect(text).toMatch(/Run +\S+/);
    expect(text).toMatch(/Result +answered/);
    expect(text).toMatch(/Route +webchat \(default\) → agent main, session agent:main:main/);
    expect(text).toMatch(/Model +demo\/demo/);
    expect(JSON.parse(await told(home, "explain", runId, "--json"))).toMatchObject({ runId, status: "ok" });
    const { code, stderr } = await home.chela("explain", "no-such-run");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no run or message "no-such-run"\./);
  });

  it("and what may happen is explained tool by tool", async () => {
    const text = await told(home, "tools", "explain", "session_status", "--agent", "work");
    expect(text).toMatch(/^session_status may be used\.\n[^]*Asked for you, in agent:work:main with demo\/demo\.\n$/);
    const unknown = JSON.parse(await told(home, "tools", "explain", "no_such_tool", "--json"));
    expect(unknown).toMatchObject({ allowed: false, decidedBy: "exists" });
  });
});

it("an agent that was spoken to goes to the trash with its conversation, also without a gateway", async () => {
  await using home = new Household();
  writeConfig(home);
  const { program } = await home.startGateway();
  await told(home, "agent", "-m", "say remember", "--agent", "work");
  await program.kill("SIGTERM");
  mkdirSync(join(home.stateDir, "workspaces", "work"), { recursive: true });
  const removed = JSON.parse(await told(home, "agents", "delete", "work", "--force", "--json"));
  expect(removed).toMatchObject({ agentId: "work", removedBindings: 1, left: [] });
  const sessions = readdirSync(join(removed.trash, "sessions"));
  const [transcript = ""] = sessions.filter((name) => name.includes(".jsonl.deleted."));
  expect(readFileSync(join(removed.trash, "sessions", transcript), "utf8")).toContain("remember");
  await home.startGateway();
  expect(await told(home, "sessions")).toBe("No sessions.\n");
});
