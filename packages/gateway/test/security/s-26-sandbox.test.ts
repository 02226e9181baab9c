// S-26 Sandbox escape, or not actually sandboxed: through the front door, with a real sandbox, every tool and every argument.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, say } from "@chela/sdk/testing";
import { ensureDebianPackage, warnNotTested } from "../support/stages/debian-package.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const isThere = ensureDebianPackage("bubblewrap", "bwrap");
if (!isThere) warnNotTested("S-26, the sandbox through the front door", "no bubblewrap");

const GROUP = "agent:main:telegram:group:7";
const CANARY = "canary-of-the-host-5f3a";
const STATE_CANARY = "canary-of-the-state-91c7";
const sandbox = (more: Json = {}): Json => ({ agents: { defaults: { sandbox: { mode: "non-main", ...more } } } });

interface Stage extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly workspace: string;
  /** What each call of one turn gave back, in order. */
  calls(...calls: ReadonlyArray<readonly [tool: string, args: Json]>): Promise<string[]>;
}

async function setStage(config: Json, sessionKey = GROUP): Promise<Stage> {
  const gateway = await startTestGateway({ config });
  const workspace = join(gateway.stateDir, "workspace");
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "private.txt"), CANARY);
  writeFileSync(join(gateway.stateDir, "secret.txt"), STATE_CANARY);
  const client = await gateway.connect();
  return {
    gateway,
    workspace,
    async calls(...calls) {
      const before = gateway.model.requests.length;
      gateway.model.script(...calls.map(([tool, args]) => callTool(tool, args)), say("done"));
      await client.agent("go", { sessionKey });
      const { messages } = gateway.model.requests.at(-1) ?? { messages: [] };
      expect(gateway.model.requests.length - before).toBe(calls.length + 1);
      return messages
        .filter(({ role }) => role === "toolResult")
        .slice(-calls.length)
        .map((result) => textOf(result as never));
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

describe.runIf(isThere)("S-26 a sandboxed conversation", () => {
  it("works in one place with commands and with every file tool", async () => {
    await using stage = await setStage(sandbox());
    const patch = "*** Begin Patch\n*** Add File: c.txt\n+from the patch\n*** End Patch";
    const said = await stage.calls(
      ["exec", { command: "id -u; pwd; echo one > a.txt" }],
      ["read", { path: "a.txt" }],
      ["read", { path: "/workspace/a.txt" }],
      ["edit", { path: "a.txt", oldText: "one", newText: "two" }],
      ["write", { path: "/workspace/deep/b.txt", content: "three" }],
      ["apply_patch", { input: patch }],
      ["exec", { command: "cat a.txt deep/b.txt c.txt" }],
      ["exec", { command: "sleep 60 & echo $!", workdir: "deep" }],
    );
    expect(said[0]).toBe("65534\n/workspace");
    expect(said.slice(1, 3)).toEqual(["one", "one"]);
    expect(said[6]).toMatch(/^two\s*three\s*from the patch$/);
    // Nothing of it is in the agent's own workspace.
    expect(readdirSync(stage.workspace)).not.toContain("a.txt");
  });

  /** What the model may ask for, and must not get. */
  const ATTEMPTS: ReadonlyArray<readonly [tool: string, args: Json]> = [
    ["exec", { command: "cat /etc/shadow", host: "gateway" }],
    ["exec", { command: `cat private.txt`, elevated: true }],
    ["exec", { command: "cat x", host: "node" }],
    ["exec", { command: "cat private.txt", security: "full", ask: "off" }],
    ["exec", { command: "cat $HOST/private.txt", workdir: "HOST" }],
    ["exec", { command: "cat HOST/private.txt STATE/secret.txt" }],
    ["exec", { command: "env; cat /proc/*/environ", env: { HOME: "STATE" } }],
    ["exec", { command: "cat HOST/private.txt", env: { LD_PRELOAD: "HOST/x.so" } }],
    ["exec", { command: "cat HOST/private.txt", pty: true }],
    ["exec", { command: "cat HOST/private.txt", background: true }],
    ["read", { path: "HOST/private.txt" }],
    ["read", { path: "private.txt" }],
    ["read", { path: "../../workspace/private.txt" }],
    ["read", { path: "/workspace/../../secret.txt" }],
    ["read", { path: "STATE/openclaw.json" }],
    ["read", { path: "link" }],
    ["read", { path: "folder/private.txt" }],
    ["write", { path: "HOST/written.txt", content: "x" }],
    ["write", { path: "link", content: "x" }],
    ["edit", { path: "HOST/private.txt", oldText: "canary", newText: "gone" }],
    ["apply_patch", { input: "*** Begin Patch\n*** Add File: HOST/written.txt\n+x\n*** End Patch" }],
    ["apply_patch", { input: "*** Begin Patch\n*** Delete File: folder/private.txt\n*** End Patch" }],
    ["attach", { path: "HOST/private.txt" }],
    ["attach", { path: "private.txt" }],
    ["image", { prompt: "look", path: "HOST/private.txt" }],
    ["message", { action: "send", channel: "telegram", to: "1", message: "x", media: "HOST/private.txt" }],
  ];

  describe("gets nothing outside", () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await setStage({
        ...sandbox(),
        tools: { elevated: { enabled: false }, loopDetection: { enabled: false } },
      });
      // Links of the inside that lead outside, as a command could have made them.
      const links = `ln -s ${stage.workspace}/private.txt link; ln -s ${stage.workspace} folder`;
      await stage.calls(["exec", { command: links }]);
    });
    afterAll(() => stage[Symbol.asyncDispose]());

    it.each(ATTEMPTS)("by %s %j", async (tool, written) => {
      const { workspace, gateway } = stage;
      const text = JSON.stringify(written).replaceAll("HOST", workspace).replaceAll("STATE", gateway.stateDir);
      const before = readdirSync(workspace).toSorted();
      const [said] = await stage.calls([tool, JSON.parse(text) as Json]);
      expect(said).not.toContain(CANARY);
      expect(said).not.toContain(STATE_CANARY);
      expect(said).not.toContain("token-of-the-test-gateway");
      expect(readdirSync(workspace).toSorted()).toEqual(before);
      expect(readFileSync(join(workspace, "private.txt"), "utf8")).toBe(CANARY);
      countCases("S-26", 1);
    });
  });

  it("has the workspace read-only, or as its own, where that is configured", async () => {
    await using reading = await setStage(sandbox({ workspaceAccess: "ro" }));
    const read = await reading.calls(
      ["read", { path: "/agent/private.txt" }],
      ["exec", { command: "cat /agent/private.txt; echo x > /agent/private.txt" }],
      ["write", { path: "/agent/private.txt", content: "x" }],
    );
    expect(read[0]).toBe(CANARY);
    expect(read[1]).toMatch(/Read-only file system/);
    expect(read[2]).toMatch(/outside the workspace/);
    expect(readFileSync(join(reading.workspace, "private.txt"), "utf8")).toBe(CANARY);
    await using writing = await setStage(sandbox({ workspaceAccess: "rw" }));
    mkdirSync(join(writing.workspace, ".git/hooks"), { recursive: true });
    mkdirSync(join(writing.workspace, ".vscode"));
    writeFileSync(join(writing.workspace, ".vscode/tasks.json"), "{}");
    writeFileSync(join(writing.workspace, ".envrc"), "");
    const [own, control] = await writing.calls(
      ["exec", { command: "cat private.txt; echo new > made.txt" }],
      // What programs of the machine obey stays as it is, also for whoever takes it out of the way first.
      [
        "exec",
        {
          command:
            "echo x > .git/config; echo x > .envrc; mv .git away; rm -rf .git; mv .envrc away; ls -A .git; " +
            "mv .vscode away; mkdir -p .vscode; echo x > .vscode/tasks.json",
        },
      ],
    );
    expect(control).toMatch(/Read-only file system[^]*Device or resource busy/);
    expect(readdirSync(join(writing.workspace, ".git"))).toEqual(["hooks"]);
    expect(readFileSync(join(writing.workspace, ".vscode/tasks.json"), "utf8")).toBe("{}");
    expect(readFileSync(join(writing.workspace, ".envrc"), "utf8")).toBe("");
    expect(own).toBe(CANARY);
    expect(readFileSync(join(writing.workspace, "made.txt"), "utf8")).toBe("new\n");
  });

  it("takes no more of the disk than it may, and can make room", async () => {
    await using stage = await setStage(sandbox({ limits: { diskMb: 1, files: 40 } }));
    const said = await stage.calls(
      ["exec", { command: "head -c 1500000 /dev/zero >big; echo wrote" }],
      ["exec", { command: "echo more >more; cat more" }],
      ["write", { path: "more", content: "more" }],
      ["exec", { command: "rm big more; ls" }],
      ["write", { path: "more", content: "more" }],
      [
        "exec",
        { command: "for n in 1 2 3 4 5; do mkdir $n; touch $n/a $n/b $n/c $n/d $n/e $n/f $n/g $n/h $n/i; done" },
      ],
      ["apply_patch", { input: "*** Begin Patch\n*** Add File: c.txt\n+x\n*** End Patch" }],
      ["exec", { command: "rm -r 1 2; head -c 3000000 /dev/zero >big; cat more" }],
      ["exec", { command: "rm -r 3 4 5; head -c 3000000 /dev/zero >big; echo wrote" }],
      ["exec", { command: "rm big" }],
    );
    expect(said[0]).toBe("wrote");
    expect(said[1]).toMatch(/folder holds 1.4 MB in 3 files; it may hold 1 MB and 40 files [^]*code 153/);
    expect(said[2]).toMatch(/files can be deleted here and not written/);
    expect(said[3]).not.toContain("big\n");
    expect(said[4]).not.toMatch(/may hold/);
    expect(said[6]).toMatch(/holds [\d.]+ MB in 53 files/);
    expect(said[7]).toMatch(/more$/);
    expect(said[8]).toBe("wrote");
    expect(said[9]).toMatch(/holds 2\.9 MB[^]*Nothing runs here until the owner has made room in .*sandboxes/);
    countCases("S-26", 6);
  });

  it("writes nothing while the disk has less left than is to stay free", async () => {
    await using stage = await setStage(sandbox({ limits: { keepFreeMb: 1_000_000_000 } }));
    const said = await stage.calls(
      ["exec", { command: "echo ran" }],
      ["exec", { command: "echo ran", pty: true }],
      ["write", { path: "a", content: "x" }],
      ["read", { path: "nothing" }],
    );
    for (const one of said.slice(0, 3)) expect(one).toMatch(/MB left[^]*leave 1000000000 MB free/);
    expect(said[3]).not.toMatch(/MB left/);
    countCases("S-26", 3);
  });

  it.each<[string | string[], string]>([
    ["id -u; cat private.txt; cat STATE/secret.txt", `65534\n${CANARY}`],
    [["sh", "-c", "printf '%s|' \"$@\"", "x", "it's", "a b"], "it's|a b|"],
  ])("keeps the command of a job where everything is kept: %j", async (command, expected) => {
    await using stage = await setStage(sandbox({ mode: "all" }));
    const client = await stage.gateway.connect();
    const text = JSON.stringify(command).replaceAll("STATE", stage.gateway.stateDir);
    const payload = { kind: "exec", command: JSON.parse(text) as Json };
    const job = await client.call("cron.add", { name: "n", schedule: { kind: "every", everyMs: 3_600_000 }, payload });
    void client.request("cron.run", { id: job.id, mode: "force" });
    const isEnd = (told: Json) => told["action"] === "finished" && told["jobId"] === job.id;
    const end = (await client.untilEvent("cron", (frame) => isEnd(frame.payload))).payload;
    expect(String(end.summary)).toContain(expected);
    expect(JSON.stringify(end)).not.toContain(STATE_CANARY);
  });

  it("does not see through links that somebody put where its folder will be", async () => {
    await using stage = await setStage(sandbox());
    await stage.calls(["exec", { command: "true" }]);
    const [own = ""] = readdirSync(join(stage.gateway.stateDir, "sandboxes"));
    symlinkSync(stage.workspace, join(stage.gateway.stateDir, "sandboxes", own, "out"));
    const [said] = await stage.calls(["exec", { command: "cat out/private.txt" }]);
    expect(said).toMatch(/No such file/);
  });

  it("is told nothing of the machine in its prompt", async () => {
    await using stage = await setStage(sandbox());
    await stage.calls(["exec", { command: "true" }]);
    expect(stage.gateway.model.requests[0]?.system).toContain("kept to /workspace");
    expect(stage.gateway.model.requests[0]?.system).not.toContain(stage.workspace);
  });
});

describe("S-26 without a sandbox that works", () => {
  const MACHINE: ReadonlyArray<readonly [string, Json]> = [
    ["exec", { command: "touch ran" }],
    ["exec", { command: "touch ran", background: true }],
    ["exec", { command: "touch ran", pty: true }],
    ["process", { action: "list" }],
    ["read", { path: "private.txt" }],
    ["write", { path: "ran", content: "x" }],
    ["edit", { path: "private.txt", oldText: "c", newText: "d" }],
    ["apply_patch", { input: "*** Begin Patch\n*** Add File: ran\n+x\n*** End Patch" }],
    ["attach", { path: "private.txt" }],
  ];

  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage({ ...sandbox({ backend: "podman" }), tools: { loopDetection: { enabled: false } } });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(MACHINE)("%s %j is refused, and says how to mend it", async (tool, args) => {
    const [said] = await stage.calls([tool, args]);
    expect(said).toMatch(/sandbox could not be set up, so the command was not run: podman/);
    expect(said).toMatch(/sandbox.mode to "off"/);
    expect(existsSync(join(stage.workspace, "ran"))).toBe(false);
    countCases("S-26", 1);
  });

  it("the main conversation goes on as before", async () => {
    await using other = await setStage(sandbox({ backend: "podman" }), "agent:main:main");
    expect(await other.calls(["read", { path: "private.txt" }])).toEqual([CANARY]);
  });
});
