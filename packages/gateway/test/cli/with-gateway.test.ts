// Every command against a running gateway, for people and for programs.
import { generateKeyPairSync, createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";
import { eventually } from "../support/in-process.ts";

const home = new Household();
let port = 0;

beforeAll(async () => {
  writeDevices(["first-request", "second-request"]);
  ({ port } = await home.startGateway());
  await home.chela("agent", "-m", "say ready");
});
afterAll(() => home[Symbol.asyncDispose]());

/** Devices as the gateway would have noted them: some that wait, and one that was let in before. */
function writeDevices(waiting: readonly string[]): void {
  const requests = waiting.map((requestId, index) => [
    requestId,
    { requestId, ...makeDevice("Phone"), roles: ["operator"], ts: Date.now() - index },
  ]);
  const tablet = makeDevice("Tablet");
  const token = { token: "t".repeat(43), role: "operator", scopes: tablet.scopes, createdAtMs: 1 };
  const paired = { ...tablet, roles: ["operator"], tokens: { operator: token }, createdAtMs: 1, approvedAtMs: 1 };
  mkdirSync(join(home.stateDir, "devices"), { mode: 0o700 });
  writeDeviceFile("pending.json", Object.fromEntries(requests));
  writeDeviceFile("paired.json", { [tablet.deviceId]: paired });
}

function makeDevice(displayName: string) {
  const raw = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  const deviceId = createHash("sha256").update(raw).digest("hex");
  const publicKey = raw.toString("base64url");
  return { deviceId, publicKey, displayName, platform: "ios", role: "operator", scopes: ["operator.read"] };
}

function writeDeviceFile(name: string, value: object): void {
  writeFileSync(join(home.stateDir, "devices", name), JSON.stringify(value), { mode: 0o600 });
}

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const json = async (...args: string[]) => JSON.parse(await ok(...args, "--json"));

describe("questions in SQL", () => {
  it("are answered for programs, without anything that steers a terminal", async () => {
    const odd = "select 'a,\"b\u202e' || char(27) || '[31m' as odd, 1 as n union all select null, 2";
    expect(await ok("sql", "--csv", odd)).toBe('odd,n\n"a,""b[31m",1\n,2\n');
    expect(await json("sql", "select kind, total_tokens > 0 as used from sessions limit 1")).toEqual([
      { kind: "direct", used: 1 },
    ]);
    const few = await home.chela("sql", "select id from turns", "--limit", "1");
    expect(few).toMatchObject({ code: 0, stderr: "There is more than 1 row; --limit shows more.\n" });
  });

  it("are refused with a sentence, and ended when they take too long", async () => {
    expect(await home.chela("sql", "delete from main.sessions")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^That cannot be answered: only the views can be read, and nothing changed\./),
    });
    const endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
    const { stderr, stdout } = await home.chela("sql", endless, "--timeout", "200");
    expect({ stderr, stdout }).toEqual({
      stderr: "The question took longer than 0.2 s and was ended. Ask for less, or allow more with --timeout.\n",
      stdout: "",
    });
  });
});

describe("commands for people", () => {
  it.each([
    [["health"], /^The gateway is well\. 1 agent, 1 session\.\n$/],
    [["gateway", "health"], /^The gateway is well\./],
    [
      ["status"],
      /^Gateway {3}running at ws:\/\/127\.0\.0\.1:\d+ .*\nModel +demo\/demo\nConfig[^]*\n {2}agent:main:main +(?:just now|\d+ s ago) +[\d.]+k? tokens/,
    ],
    [["gateway", "status"], /Process +\d+, since[^]*answers at ws:[^]*Model +demo\/demo/],
    [["sessions"], /^KEY +KIND +USED +MODEL +TOKENS\nagent:main:main +direct +(?:just now|\d+ s ago) +demo/],
    [["sessions", "--active", "5", "--agent", "other"], /^No sessions\.\n$/],
    [["sessions", "cleanup"], /^1 session, .* Nothing to clear\.\n$/],
    [["sessions", "cleanup", "--enforce"], /Nothing to clear/],
    [["models", "list"], /^MODEL +NAME +CONTEXT\ndemo\/demo/],
    [["models", "list", "--plain"], /^demo\/demo\n$/],
    [["models", "list", "--all"], /anthropic\/\S+ .*no key/],
    [["config", "file"], /openclaw\.json\n$/],
    [["config", "validate"], /openclaw\.json is fine\.\n$/],
    [["logs", "--limit", "500"], /^\d{4}-\S+Z info .*message accepted/m],
    [["logs", "--plain", "--local-time"], /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \w/],
    [["agent", "-m", "say two words", "--session-key", "agent:main:other"], /^two words\n$/],
    [["agent", "-m", "say streamed", "--stream"], /^streamed\n$/],
    [
      ["sql", "select session_key, role, content from turns where role is not null order by seq limit 2"],
      /^session_key +role +content\n.* user +.* say ready\n.* assistant +ready\n$/,
    ],
    [["sql"], /^sessions +One row[^]*\n {2}session_key +TEXT[^]*deliveries/],
    [["doctor"], /^ok +Node[^]*ok +Gateway +version[^]*Nothing is broken/],
  ] satisfies [string[], RegExp][])("chela %j", async (args, expected) => {
    expect(await ok(...args)).toMatch(expected);
  });

  it("shows no colours when nobody looks", async () => {
    expect(await ok("status")).not.toContain("\u001b");
  });
});

describe("commands for programs", () => {
  it("prints what the method answered", async () => {
    expect(await json("health")).toMatchObject({ ok: true, defaultAgentId: "main" });
    expect(await json("status")).toMatchObject({
      runtimeVersion: expect.any(String),
      sessions: { count: expect.any(Number) },
    });
    expect(await json("sessions")).toMatchObject({
      count: expect.any(Number),
      sessions: expect.arrayContaining([expect.objectContaining({ key: "agent:main:main" })]),
    });
    expect(await json("models", "list")).toMatchObject({ models: [{ provider: "demo", id: "demo" }] });
    expect(await json("gateway", "call", "agents.list")).toMatchObject({ defaultId: "main" });
    expect(await json("gateway", "call", "chat.history", "--params", '{"sessionKey":"main","limit":1}')).toMatchObject({
      sessionKey: "agent:main:main",
    });
  });

  it("prints the whole result of a turn", async () => {
    expect(await json("agent", "-m", "say it")).toMatchObject({
      runId: expect.any(String),
      status: "ok",
      summary: "completed",
      result: { payloads: [{ text: "it" }] },
    });
  });

  it("waits for the second answer when told to", async () => {
    const params = (key: string) => JSON.stringify({ message: "say late", idempotencyKey: key });
    expect(await json("gateway", "call", "agent", "--params", params("cli-first"))).toMatchObject({
      status: "accepted",
    });
    expect(await json("gateway", "call", "agent", "--params", params("cli-final"), "--expect-final")).toMatchObject({
      status: "ok",
    });
  });

  it("tells where the gateway is, and what doctor found", async () => {
    expect(await json("gateway", "status")).toMatchObject({
      lock: { kind: "held" },
      gateway: { reachable: true, model: "demo/demo" },
    });
    expect(await json("doctor")).toMatchObject({
      ok: true,
      checks: expect.arrayContaining([expect.objectContaining({ name: "Ledger", state: "ok" })]),
    });
    expect(await json("sessions", "cleanup")).toMatchObject({ applied: false, tooOld: [] });
    expect(await json("config", "validate")).toMatchObject({ valid: true, issues: [] });
    expect(await json("config", "schema")).toMatchObject({ title: "Chela configuration" });
  });

  it("shows each line of the log once, without the form that stands in it for OpenClaw's clients", async () => {
    expect(await ok("logs", "--limit", "500")).not.toMatch(/ 0=| 1=|_meta=/);
  });

  it("prints log lines as they are", async () => {
    const lines = (await ok("logs", "--json", "--limit", "5")).trim().split("\n");
    const form = {
      "0": expect.any(String),
      time: expect.any(String),
      level: expect.any(String),
      msg: expect.any(String),
    };
    for (const line of lines) expect(JSON.parse(line)).toMatchObject(form);
    expect(lines).toHaveLength(5);
  });
});

describe("devices", () => {
  it("lists, approves, rejects, rotates, revokes and removes", async () => {
    expect(await ok("devices", "list")).toMatch(/Waiting[^]*first-request +Phone[^]*Paired\n +chela \(/);
    const several = await home.chela("devices", "approve");
    expect(several).toMatchObject({ code: 1, stderr: expect.stringContaining("2 devices wait") });
    expect(await ok("devices", "approve", "--latest")).toMatch(/^Approved Phone/);
    expect(await ok("devices", "reject", "second")).toMatch(/^Turned away Phone/);
    expect(await home.chela("devices", "approve")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No device waits"),
    });
    const { paired } = await json("devices", "list");
    const tablet = paired
      .find((device: { displayName: string }) => device.displayName === "Tablet")
      .deviceId.slice(0, 10);
    expect(await json("devices", "rotate", "--device", tablet)).toMatchObject({ token: expect.any(String) });
    expect(await ok("devices", "revoke", "--device", tablet)).toMatch(/^Took the operator token of Tablet/);
    expect(await ok("devices", "remove", tablet)).toMatch(/^Removed Tablet/);
    const gone = await home.chela("devices", "remove", tablet);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no paired device") });
    expect(await home.chela("devices", "rotate")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Say which device"),
    });
  });
});

describe("the configuration", () => {
  it("is set, read and unset; a running gateway takes it up", async () => {
    expect(await ok("config", "set", "agents.defaults.timeoutSeconds", "321")).toMatch(/takes it up by itself/);
    expect(await ok("config", "get", "agents.defaults.timeoutSeconds")).toBe("321\n");
    expect(await ok("config", "set", "session.resetTriggers", "['/new', '/fresh']")).toMatch(/is set/);
    expect(JSON.parse(await ok("config", "get", "session.resetTriggers"))).toEqual(["/new", "/fresh"]);
    expect(await ok("config", "set", "agents.defaults.model", "demo/demo")).toMatch(/is set/);
    expect(await ok("config", "get", "agents.defaults.model")).toBe("demo/demo\n");
    expect(await ok("config", "get", "agents.defaults.model", "--json")).toBe('"demo/demo"\n');
    expect(await ok("config", "unset", "agents.defaults.timeoutSeconds")).toMatch(/is removed/);
  });

  it("does not show secrets", async () => {
    const { token } = JSON.parse(readFileSync(join(home.stateDir, "openclaw.json"), "utf8")).gateway.auth;
    expect(await ok("config", "get", "gateway.auth.token")).toBe("__OPENCLAW_REDACTED__\n");
    expect(await ok("config", "get", "gateway")).not.toContain(token);
  });

  it.each([
    [["get", "gateway.prt"], "The nearest key is gateway.port"],
    [["get", "gateway.bind"], 'gateway.bind is not set. The default is "loopback".'],
    [["set", "gateway.prt", "1"], "did you mean"],
    [["set", "gateway.port", "high"], "gateway.port"],
    [["set", "gateway.port", "{1", "--strict-json"], "The value is not JSON"],
    [["unset", "gateway.bind"], "gateway.bind is not set"],
  ])("refuses `config %j` and says why", async (args, says) => {
    const { code, stderr, stdout } = await home.chela("config", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(says);
  });
});

describe("copies", () => {
  it("are made while the gateway runs, readable by this user only", async () => {
    const output = join(home.stateDir, "copy.sqlite");
    expect(await ok("backup", "create", "--output", output)).toContain(output);
    expect(statSync(output).mode & 0o077).toBe(0);
    expect(await home.chela("backup", "create", "--output", output)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("exists already"),
    });
    expect(await json("backup", "create")).toMatchObject({
      path: expect.stringContaining("backups"),
      bytes: expect.any(Number),
    });
  });

  it("as OpenClaw files can be imported elsewhere", async () => {
    const target = join(home.stateDir, "exported");
    expect(await json("export", "--to", target)).toMatchObject({ target, indexes: 1 });
    expect(existsSync(join(target, "agents/main/sessions/sessions.json"))).toBe(true);
    await using other = new Household();
    const { code, stdout } = await other.chela("import", "--from", target, "--json");
    expect({ code, report: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      report: { sessions: 2, unreadableLines: 0 },
    });
    expect(await other.chela("import")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Imported 0 sessions/),
    });
  });

  it("of what is new are printed once", async () => {
    const state = join(home.stateDir, "collector.json");
    const first = (await ok("export", "--state", state))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first).toContainEqual(
      expect.objectContaining({ kind: "transcript", line: expect.stringContaining("ready") }),
    );
    expect(await ok("export", "--state", state)).toBe("");
  });

  it("need the ledger alone when they are taken in", async () => {
    expect(await home.chela("import")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("chela gateway stop"),
    });
  });
});

describe("what the gateway refuses", () => {
  it.each([
    [["health", "--token", "wrong"], "gateway token mismatch"],
    [["health", "--url", "ws://127.0.0.1:1"], "With --url the credential must be given too"],
    [["health", "--url", "telnet://x", "--token", "t"], "is not the address of a gateway"],
    [["health", "--url", "ws://192.0.2.1:1", "--token", "t"], "is not encrypted"],
    [
      ["health", "--url", "ws://127.0.0.1:1", "--token", "t"],
      "No gateway answers at ws://127.0.0.1:1: check the address",
    ],
    [["gateway", "call", "no.such"], "unknown method: no.such"],
    [["gateway", "call", "status", "--params", "{"], "--params is not JSON"],
    [["gateway", "call", "chat.abort"], "must have required property 'sessionKey'"],
    [["agent"], "chela agent --message"],
    [["agent", "-m", "fail auth"], "The model provider refused the credential"],
    [["export"], "chela export --to <directory>"],
  ])("chela %j", async (args, says) => {
    const { code, stdout, stderr } = await home.chela(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(says);
  });

  it("is told to programs too, when a turn fails", async () => {
    const { code, stdout } = await home.chela("agent", "-m", "fail auth", "--json");
    expect({ code, answer: JSON.parse(stdout) }).toMatchObject({
      code: 1,
      answer: { result: { payloads: [{ isError: true }], meta: { stopReason: "error" } } },
    });
  });

  it("lets a typed token and address in", async () => {
    const { token } = JSON.parse(readFileSync(join(home.stateDir, "openclaw.json"), "utf8")).gateway.auth;
    expect(await ok("health", "--url", `ws://127.0.0.1:${port}`, "--token", token)).toMatch(/is well/);
  });

  it("honours gateway.mode remote", async () => {
    const { token } = JSON.parse(readFileSync(join(home.stateDir, "openclaw.json"), "utf8")).gateway.auth;
    await using other = new Household();
    const gateway = { mode: "remote", remote: { url: `ws://127.0.0.1:${port}`, token } };
    writeFileSync(join(other.stateDir, "openclaw.json"), JSON.stringify({ gateway }));
    expect(await other.chela("health")).toMatchObject({ code: 0, stdout: expect.stringContaining("is well") });
  });
});

it("says of a channel that is set up and out of reach that it is not connected", async () => {
  await home.chela(
    "config",
    "set",
    "channels.telegram",
    JSON.stringify({ botToken: "1:x", apiRoot: "http://127.0.0.1:9" }),
  );
  await eventually(
    "the first attempt",
    async () => /cannot be reached/.test(await ok("channels", "status")) || undefined,
  );
  expect((await home.chela("doctor")).stdout).toMatch(
    /warn +Channel +telegram \(default\) is not connected: Telegram cannot be reached: .*\n.*chela channels status/,
  );
  await ok("config", "unset", "channels.telegram");
});

it("ends quietly when nobody reads the output", async () => {
  const program = home.start(["config", "schema"]);
  program.process.stdout?.destroy();
  expect(await program.finished()).toMatchObject({ code: 0, stderr: "" });
});

it("follows the log until it is stopped", async () => {
  const program = home.start(["logs", "--follow", "--interval", "20", "--limit", "1"]);
  await program.until("stdout", /\n/);
  await ok("agent", "-m", "say seen", "--session-key", "agent:main:followed");
  await program.until("stdout", /message accepted.*agent:main:followed/);
  await program.kill("SIGTERM");
});
