// Commands that wait for a yes: from the command line, over pipes, and with a key in the terminal.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";
import { COLUMNS } from "../support/stages/terminal-program.ts";

const home = new Household({ NO_COLOR: "1" });
beforeAll(async () => {
  // In a sandbox nobody would be asked.
  const config = { agents: { defaults: { sandbox: { mode: "off" } } } };
  writeFileSync(join(home.stateDir, "openclaw.json"), JSON.stringify(config), { mode: 0o600 });
  await home.startGateway();
});
afterAll(() => home[Symbol.asyncDispose]());

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const failure = async (...args: string[]): Promise<string> => {
  const { code, stderr } = await home.chela(...args);
  expect(code).toBe(1);
  return stderr;
};

/** What a person types so that the demo model runs a command. */
const run = (command: string): string => `call exec ${JSON.stringify({ command })}`;
const proofOf = (name: string): string => join(home.stateDir, name);

/** A question of a program, without a turn. */
function ask(id: string, params: object = {}) {
  const question = { id, command: "rm -rf build", cwd: "/srv", agentId: "main", twoPhase: true, ...params };
  return home.start(["gateway", "call", "exec.approval.request", "--params", JSON.stringify(question)]);
}

describe("chela approvals", () => {
  it("shows what waits in full, and answers it", async () => {
    expect(await ok("approvals", "list")).toBe("No command waits for approval.\n");
    const command = `echo ${"x".repeat(300)}\u202e\n[y] once`;
    const asking = home.start(
      ["gateway", "call", "exec.approval.request", "--expect-final", "--params"].concat(
        JSON.stringify({ id: "list-me", command, cwd: "/srv", agentId: "main" }),
      ),
    );
    await until(async () => (await ok("approvals", "list")).includes("list-me"));
    const listed = await ok("approvals", "list");
    expect(listed).toMatch(/^May this command run\? \d+ seconds are left to answer\.\n/);
    const shown = [...listed.matchAll(/^ {2}│ (.*)$/gm)].map(([, line]) => line).join("");
    expect(shown).toBe(`echo ${"x".repeat(300)}<U+202E><U+000A>[y] once`);
    expect(listed).toMatch(/\n {2}in \/srv\n {2}agent main\n[^]*chela approvals approve list-me\n/);
    expect(JSON.parse(await ok("approvals", "list", "--json")).pending).toMatchObject([{ id: "list-me" }]);
    expect(await ok("approvals", "approve", "list")).toMatch(/^Allowed once:\n {2}echo x+/);
    const { stdout } = await asking.finished();
    expect(JSON.parse(stdout)).toMatchObject({ id: "list-me", decision: "allow-once" });
    expect(await failure("approvals", "deny", "list-me")).toMatch(/unknown approval id[^]*chela approvals list/);
  });

  it.each([
    [["approve", "for-good", "--always"], "allow-always", /^Allowed from now on:\n {2}rm -rf build\n$/],
    [["deny", "refused"], "deny", /^Denied:\n {2}rm -rf build\n$/],
  ] satisfies [string[], string, RegExp][])("answers with `approvals %j`", async (words, decision, says) => {
    const id = words[1] ?? "";
    expect((await ask(id).finished()).stdout).toContain("accepted");
    expect(await ok("approvals", ...words)).toMatch(says);
    const { stdout } = await home.chela("gateway", "call", "exec.approval.waitDecision", "--params", `{"id":"${id}"}`);
    expect(JSON.parse(stdout)).toMatchObject({ decision });
  });

  it("reads and changes what is allowed for good", async () => {
    const path = join(home.stateDir, "exec-approvals.json");
    const file = () => JSON.parse(readFileSync(path, "utf8"));
    expect(await ok("approvals", "get")).toBe(
      `${path} (not there yet)\nRules: those of the configuration\nNo command is on an allow-list.\n`,
    );
    expect(await ok("approvals", "allowlist", "add", "/usr/bin/ls")).toMatch(/is allowed for every agent/);
    expect(await ok("approvals", "allowlist", "add", "/usr/bin/git")).toMatch(
      /is on the list of every agent, but it is asked about each time, because it runs hooks/,
    );
    expect(await ok("approvals", "allowlist", "add", "~/bin/*", "--agent", "work")).toMatch(/for agent work/);
    expect(file().agents["*"].allowlist).toMatchObject([
      { pattern: "/usr/bin/ls", id: expect.any(String) },
      { pattern: "/usr/bin/git" },
    ]);
    expect(await ok("approvals", "get")).toMatch(
      /Every agent\n {2}\/usr\/bin\/ls with any arguments\n {2}\/usr\/bin\/git with any arguments \(it is asked about[^]*Agent work\n {2}~\/bin\/\* with any arguments\n$/,
    );
    expect(await ok("approvals", "list")).toMatch(/still asked about:\n {2}\/usr\/bin\/git with any arguments: it is/);
    writeFileSync(path, JSON.stringify({ ...file(), defaults: { security: "full" } }));
    expect(await ok("approvals", "get")).toMatch(/Not in force: somebody else wrote this[^]*"security":"full"/);
    expect((await home.chela("doctor")).stdout).toMatch(/Approvals[^]*somebody else wrote 1 addition/);
    expect(await ok("approvals", "accept")).toMatch(/Accepted, and in force[^]*"security":"full"/);
    expect(await ok("approvals", "accept")).toBe("Nothing waits to be accepted.\n");
    expect(await failure("approvals", "allowlist", "add", "/usr/bin/git")).toMatch(/already/);
    expect(await failure("approvals", "allowlist", "add", "bin/git now")).toMatch(/names no program: write a path/);
    expect(await failure("approvals", "allowlist", "remove", "~/bin/*")).toMatch(
      /not on the allow-list of every agent/,
    );
    expect(await ok("approvals", "allowlist", "remove", "~/bin/*", "--agent", "work")).toMatch(/no longer allowed/);
    expect(await failure("approvals", "get", "--node", "n1")).toMatch(/There are no nodes yet/);

    const document = join(home.stateDir, "new.json");
    writeFileSync(document, JSON.stringify({ version: 1, defaults: { ask: "on-miss" } }));
    expect(await ok("approvals", "set", "--file", document)).toContain(path);
    expect(file()).toEqual({ version: 1, defaults: { ask: "on-miss" } });
    const piped = home.start(["approvals", "set", "--stdin", "--json"]);
    piped.type('{"version": 1}');
    piped.endInput();
    expect(JSON.parse((await piped.finished()).stdout)).toMatchObject({ exists: true, file: { version: 1 } });
    writeFileSync(document, "{");
    expect(await failure("approvals", "set", "--file", document)).toMatch(/new\.json is not JSON/);
    expect(await failure("approvals", "set")).toMatch(/Say where the new content is/);
    writeFileSync(document, '{"version": 2}');
    expect(await failure("approvals", "set", "--file", document)).toMatch(/invalid exec approvals/);
    expect(file()).toEqual({ version: 1 });
  });
});

describe("chela chat over pipes", () => {
  it("says how to approve, and goes on when somebody did", async () => {
    const chat = home.start(["chat", "--session", "piped"]);
    chat.type(run(`touch ${proofOf("piped")}`));
    chat.endInput();
    const [, id = ""] = await chat.until("stderr", /`chela approvals approve (\S+)`/);
    expect(chat.stderr).toContain(`  │ touch ${proofOf("piped")}`.slice(0, 70));
    expect(existsSync(proofOf("piped"))).toBe(false);
    await ok("approvals", "approve", id.slice(0, 8));
    expect((await chat.finished()).code).toBe(0);
    expect(existsSync(proofOf("piped"))).toBe(true);
    expect(chat.stderr).toMatch(/\(allowed once by chela\)/);
  });
});

describe("chela chat in a terminal", () => {
  const open = async (session: string) => {
    const chat = home.startInTerminal(["chat", "--session", session]);
    await chat.until(/Ctrl-D leaves/);
    return chat;
  };
  const KEYS = /\[y\] once {2}\[a\] always {2}\[n\] deny/;

  it.each([
    ["y", "allowed once", true],
    ["y\r", "allowed once", true],
    ["a", "allowed from now on", true],
    ["n", "denied", false],
  ])("takes the key %j: %s", async (key, says, runs) => {
    const name = `key-${key.trim()}${key.length}`;
    const chat = await open(name);
    const proof = proofOf(`${name}-${"long-".repeat(20)}`);
    chat.press(`${run(`touch ${proof}`)}\r`);
    await chat.until(KEYS);
    const shown = [...chat.text.matchAll(/^ {2}│ (.*)$/gm)].map(([, line = ""]) => line);
    expect(shown.join("")).toBe(`touch ${proof}`);
    expect(Math.max(...shown.map((line) => line.length + 4))).toBeLessThanOrEqual(COLUMNS);
    expect(chat.text).toMatch(/seconds are left to answer/);
    expect(existsSync(proof)).toBe(false);
    chat.press(key);
    await chat.until(new RegExp(`\\(${says}\\)[^]*> `));
    expect(existsSync(proof)).toBe(runs);
    chat.press("\u0004");
    expect(await chat.finished()).toBe(0);
  });

  it("takes the prompt away when it was answered elsewhere", async () => {
    const chat = await open("elsewhere");
    chat.press(`${run(`touch ${proofOf("elsewhere")}`)}\r`);
    await chat.until(KEYS);
    const { pending } = JSON.parse(await ok("approvals", "list", "--json"));
    const [{ id }] = pending;
    await ok("approvals", "deny", id);
    await chat.until(/\(denied by chela\)[^]*> /);
    expect(existsSync(proofOf("elsewhere"))).toBe(false);
  });

  it("does not take pasted or typed-on text for an answer, and keeps it for the next line", async () => {
    const chat = await open("typing");
    chat.press(`${run(`touch ${proofOf("typing")}`)}\r`);
    await chat.until(KEYS);
    chat.press("yes");
    chat.press("n\u0003");
    await chat.until(/taken back[^]*\(stopped\)\n> yesn/);
    expect(existsSync(proofOf("typing"))).toBe(false);
  });

  it("shows a question that was asked before it came", async () => {
    await ask("earlier", { sessionKey: "agent:main:late", command: "make all" }).finished();
    const chat = await open("late");
    await chat.until(KEYS);
    expect(chat.text).toMatch(/│ make all\n {2}in \/srv\n {2}agent main\n/);
    chat.press("n");
    await chat.until(/\(denied\)[^]*> /);
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
