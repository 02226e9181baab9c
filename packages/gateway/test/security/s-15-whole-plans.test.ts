// S-15: a yes for good is a yes to one whole plan, what runs is what was approved to the last step, and what is typed into a
// running command is a command of its own.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { isRefusal, openExecStage, type ExecStage } from "../support/stages/exec-stage.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

let stage: ExecStage;
beforeAll(async () => {
  stage = await openExecStage();
  writeFileSync(join(stage.workspace, "setup.sh"), "echo set up\n");
});
afterEach(() => {
  stage.answer = () => "deny";
});
afterAll(() => stage[Symbol.asyncDispose]());

const exec = (command: string, more: Json = {}) => ({ name: "exec", arguments: { command, ...more } });
const process_ = (args: Json) => ({ name: "process", arguments: args });
const processIdOf = (result: ToolResultMessage | undefined): string =>
  String((result?.details as Json | undefined)?.["sessionId"] ?? "");
const textsOf = (results: readonly ToolResultMessage[]): string[] => results.map((result) => textOf(result));

describe("S-15: a plan that was allowed for good", () => {
  test("leaves no shell behind: what was fed to one is asked about again, and so is everything else it could be fed", async () => {
    stage.answer = () => "allow-always";
    const [first] = await stage.call([exec("cat setup.sh | sh")]);
    expect(textOf(first as ToolResultMessage)).toContain("set up");
    stage.answer = () => "deny";
    const before = stage.questions.length;
    const commands = [
      exec("cat setup.sh | sh"),
      exec("sh"),
      exec("sh", { background: true }),
      exec("printf 'touch ran' | sh"),
      exec("cat setup.sh"),
    ];
    const results = await stage.call(commands);
    expect(results.map((result) => isRefusal(result))).toEqual(commands.map(() => true));
    expect(stage.questions.length - before).toBe(commands.length);
    expect(String(stage.questions[before]?.["reason"])).toContain(
      "It cannot be allowed for good, because sh is a shell",
    );
    countCases("S-15", commands.length);
  });

  test("is none where an argument names a file that says what is done: it is asked about again", async () => {
    const { workspace } = stage;
    writeFileSync(join(workspace, "x.sh"), "#!/bin/sh\ncat\n", { mode: 0o755 });
    writeFileSync(join(workspace, "settings"), 'url = "file:///etc/hostname"\n');
    const commands = [
      exec("sort -S 10k --compress-program=./x.sh setup.sh"),
      exec("split --filter='sh x.sh' setup.sh"),
      exec("curl -sK settings"),
      exec("cat setup.sh | tee out"),
    ];
    stage.answer = () => "allow-always";
    await stage.call(commands);
    expect(stage.questions.slice(-commands.length).map((question) => question["onlyOnce"])).toEqual(
      commands.map(() => true),
    );
    stage.answer = () => "deny";
    const results = await stage.call(commands);
    expect(results.map((result) => isRefusal(result))).toEqual(commands.map(() => true));
    countCases("S-15", commands.length);
  });

  test("that is in the file from an older version, program by program, covers no interpreter", async () => {
    const entries = ["sh", "python3", "node", "perl", "bash", "git", "make"].flatMap((name) => [
      { pattern: `/usr/bin/${name}` },
      { pattern: `/usr/bin/${name}`, argv: [] },
      { pattern: name },
    ]);
    await stage.setAllowList(entries);
    const before = stage.questions.length;
    const commands = ["sh", "python3", "perl", "bash", "make"].map((command) => exec(command));
    const results = await stage.call(commands);
    expect(results.every(isRefusal)).toBe(true);
    expect(stage.questions.length - before).toBe(commands.length);
    countCases("S-15", commands.length);
  });
});

describe("S-16: whoever is asked", () => {
  test("sees what the variables hold that the call sets, with every character", async () => {
    const before = stage.questions.length;
    const env = { NOTE: "touch ran; echo \u202edone", HOSTNAME: "touch ran" };
    await stage.call([exec('sh -c "$NOTE"', { env }), exec("ls", { env: { TMPDIR: "/elsewhere" } })]);
    const [shell, plain] = stage.questions.slice(before).map(({ reason }) => String(reason));
    expect(shell).toContain('It sets NOTE="touch ran; echo <U+202E>done", HOSTNAME="touch ran".');
    expect(plain).toContain('It sets TMPDIR="/elsewhere".');
    countCases("S-16", 2);
  });
});

describe("S-15: what is typed into a running command", () => {
  const session = "agent:main:typing";

  test("is asked about, with all of it, unless the command takes it for data", async () => {
    await stage.setAllowList([{ pattern: "cat" }]);
    const [data] = await stage.call([exec("cat", { background: true })], session);
    const before = stage.questions.length;
    const id = processIdOf(data);
    const typed = await stage.call([process_({ action: "write", sessionId: id, data: "x", eof: true })], session);
    expect(textsOf(typed)).toEqual([expect.stringContaining("was sent 1 bytes")]);
    expect(stage.questions.length).toBe(before);

    stage.answer = () => "allow-once";
    const [shell] = await stage.call([exec("sh", { background: true })], session);
    stage.answer = () => "deny";
    const sessionId = processIdOf(shell);
    const ways = [
      { action: "write", data: "touch ran\n" },
      { action: "write", data: "", eof: true },
      { action: "submit", data: "touch ran" },
      { action: "paste", text: "touch ran" },
      { action: "send-keys", literal: "touch ran", keys: ["Enter"] },
      { action: "send-keys", hex: ["0a"] },
    ];
    const asked = stage.questions.length;
    const refused = await stage.call(
      ways.map((way) => process_({ ...way, sessionId })),
      session,
    );
    expect(refused.map((result) => result.isError)).toEqual(ways.map(() => true));
    expect(textsOf(refused).every((text) => text.includes("Nothing was typed."))).toBe(true);
    const questions = stage.questions.slice(asked).map((question) => String(question["command"]));
    expect(questions).toHaveLength(ways.length);
    expect(questions[0]).toContain("touch ran");
    expect(existsSync(join(stage.workspace, "ran"))).toBe(false);

    stage.answer = () => "allow-always";
    await stage.call([process_({ action: "write", sessionId, data: "touch ran\n" })], session);
    stage.answer = () => "deny";
    const [end] = await stage.call([process_({ action: "write", sessionId, data: "exit\n", eof: true })], session);
    expect(end?.isError).toBe(false);
    await stage.call([process_({ action: "poll", sessionId, timeout: 20_000 })], session);
    expect(existsSync(join(stage.workspace, "ran"))).toBe(true);
    countCases("S-15", ways.length + 3);
  });
});

describe("S-15: between the yes and each step", () => {
  const session = "agent:main:steps";

  test("a later step that is not as it was approved does not run", async () => {
    writeFileSync(join(stage.workspace, "r.sh"), "echo approved\n");
    stage.answer = () => "allow-once";
    const [started] = await stage.call([exec("cat ; sh r.sh", { background: true })], session);
    const sessionId = processIdOf(started);
    const [, , polled] = await stage.call(
      [
        { name: "write", arguments: { path: "r.sh", content: "echo swapped\n" } },
        process_({ action: "write", sessionId, data: "", eof: true }),
        process_({ action: "poll", sessionId, timeout: 20_000 }),
      ],
      session,
    );
    const [log] = await stage.call([process_({ action: "log", sessionId })], session);
    const shown = textOf(polled as ToolResultMessage) + textOf(log as ToolResultMessage);
    expect(shown).toContain("no longer what would run");
    expect(shown).not.toContain("swapped");
    countCases("S-15", 1);
  });

  test.for([
    "cd . ; cat ; sh r.sh",
    "cd sub ; cat ; sh r.sh",
    "sh -c 'cat ; sh r.sh'",
    "timeout 60 sh -c 'cat; . ./r.sh'",
    "X=1; cat; sh < r.sh",
    "cat; ./r.sh > said; cat said",
  ])("a script that is written anew while the command runs is not the one that runs: %s", async (command) => {
    mkdirSync(join(stage.workspace, "sub"), { recursive: true });
    const scripts = ["r.sh", "sub/r.sh"].map((name) => join(stage.workspace, name));
    for (const path of scripts) writeFileSync(path, "#!/bin/sh\necho approved\n", { mode: 0o755 });
    stage.answer = () => "allow-once";
    const [started] = await stage.call([exec(command, { background: true })], session);
    const sessionId = processIdOf(started);
    for (const path of scripts) writeFileSync(path, "#!/bin/sh\necho swapped\n");
    await stage.call([process_({ action: "write", sessionId, data: "", eof: true })], session);
    const ended = async () => {
      const [log] = await stage.call([process_({ action: "log", sessionId })], session);
      return textOf(log as ToolResultMessage);
    };
    await expect.poll(ended, { timeout: 20_000 }).toContain("approved");
    expect(await ended()).not.toContain("swapped");
    countCases("S-15", 1);
  });

  test("a script runs as a copy of what was approved, and finds what lies beside it", async () => {
    writeFileSync(join(stage.workspace, "beside.txt"), "beside\n");
    writeFileSync(
      join(stage.workspace, "self.sh"),
      'cat "$(dirname "$0")/beside.txt"; echo made > "$(dirname "$0")/made.txt"\n',
    );
    stage.answer = () => "allow-once";
    const [ran] = await stage.call([exec("sh self.sh")], session);
    expect(textOf(ran as ToolResultMessage)).toContain("beside");
    const program = join(stage.workspace, "tool");
    writeFileSync(program, "#!/bin/sh\necho from the tool $1\n");
    chmodSync(program, 0o755);
    const [tool] = await stage.call([exec("./tool x")], session);
    expect(textOf(tool as ToolResultMessage)).toContain("from the tool x");
    await expect.poll(() => existsSync(join(stage.workspace, "made.txt"))).toBe(true);
  });
});

describe("S-15: the files that guard the gateway", () => {
  test("are not believed because they are there: what others add is shown, and holds once it was accepted", async () => {
    await stage.setAllowList([]);
    await stage.call([exec("ls")]);
    const path = join(stage.gateway.stateDir, "exec-approvals.json");
    const evil = {
      version: 1,
      defaults: { security: "full", ask: "off" },
      agents: { main: { allowlist: [{ pattern: "ls" }] } },
    };
    writeFileSync(path, JSON.stringify(evil), { mode: 0o600 });
    const before = stage.questions.length;
    const results = await stage.call([exec("ls"), exec("touch widened")]);
    expect(results.every(isRefusal)).toBe(true);
    expect(stage.questions.length - before).toBe(2);
    const shown = await stage.client.call("exec.approvals.get");
    expect(JSON.stringify(shown["notBelieved"])).toContain('\\"pattern\\":\\"ls\\"');

    // Whoever adds one of their own does not accept the others with it.
    const own = {
      ...(shown["file"] as Json),
      agents: { main: { allowlist: [{ pattern: "ls" }, { pattern: "cat" }] } },
    };
    await stage.client.call("exec.approvals.set", { file: own, baseHash: shown["hash"] });
    const [listed, added] = await stage.call([exec("ls"), exec("cat setup.sh")]);
    expect([isRefusal(listed as ToolResultMessage), isRefusal(added as ToolResultMessage)]).toEqual([true, false]);

    const now = await stage.client.call("exec.approvals.get");
    const safe = { version: 1, agents: { main: { allowlist: [{ pattern: "ls" }] } } };
    await stage.client.call("exec.approvals.set", { file: safe, baseHash: now["hash"], accept: true });
    const [accepted] = await stage.call([exec("ls")]);
    expect(isRefusal(accepted as ToolResultMessage)).toBe(false);
    expect((await stage.client.call("exec.approvals.get"))["notBelieved"]).toBeUndefined();
    countCases("S-15", 3);
  });

  test("a device that somebody wrote into the list of paired ones is not let in", async () => {
    await stage.client.call("device.pair.list", {});
    const path = join(stage.gateway.stateDir, "devices", "paired.json");
    const paired = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Json) : {};
    const deviceId = "ab".repeat(32);
    const scopes = ["operator.admin"];
    const token = { token: "stolen", role: "operator", scopes, createdAtMs: 1 };
    const device = {
      deviceId,
      publicKey: "x",
      role: "operator",
      roles: ["operator"],
      scopes,
      approvedScopes: scopes,
      createdAtMs: 1,
      approvedAtMs: 1,
      tokens: { operator: token },
    };
    mkdirSync(join(stage.gateway.stateDir, "devices"), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...paired, [deviceId]: device }), { mode: 0o600 });
    const { paired: known } = await stage.client.call("device.pair.list", {});
    expect(JSON.stringify(known)).not.toContain(deviceId);
    countCases("S-15", 1);
  });
});

describe("S-15: files in which a project says what is run", () => {
  test.for([
    ".git/config",
    ".git/hooks/pre-commit",
    "sub/.git/config",
    ".GIT/config",
    ".husky/pre-commit",
    ".githooks/post-merge",
    ".gitmodules",
    ".envrc",
    ".npmrc",
    ".yarnrc.yml",
    ".vscode/tasks.json",
    "linked/config",
  ])("%s is closed for the tools that write", async (path) => {
    mkdirSync(join(stage.workspace, ".git/hooks"), { recursive: true });
    if (path.startsWith("linked")) {
      const { symlinkSync } = await import("node:fs");
      symlinkSync(".git", join(stage.workspace, "linked"));
    }
    const patch = `*** Begin Patch\n*** Add File: ${path}\n+[core]\n*** End Patch`;
    const results = await stage.call([
      { name: "write", arguments: { path, content: "[core]\n" } },
      { name: "apply_patch", arguments: { input: patch } },
    ]);
    expect(results.map((result) => result.isError)).toEqual([true, true]);
    expect(textOf(results[0] as ToolResultMessage)).toContain("says what programs run");
    expect(existsSync(join(stage.workspace, path))).toBe(false);
    countCases("S-15", 2);
  });
});
