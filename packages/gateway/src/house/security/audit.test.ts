// What the audit repairs, what it leaves alone, and that it loses nothing.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { afterEach, describe, expect, it } from "vitest";
import { collectChecks } from "./collect-checks.ts";
import { createFacts, findingsOf, type Changes } from "./facts.test-support.ts";
import { listPrivateFiles } from "../../rooms/security-audit/private-files.ts";
import { createSecurityAudit, findLooseParents, lookAtFiles } from "../../rooms/security-audit/room.ts";

const directories: string[] = [];
afterEach(() => directories.splice(0).forEach((path) => rmSync(path, { recursive: true })));

function openHome() {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-audit-"));
  directories.push(stateDir);
  const write = (name: string, mode: number, text = "{}"): string => {
    const path = join(stateDir, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  const places = () => ({
    stateDir,
    configPath: join(stateDir, "openclaw.json"),
    agentDirs: [join(stateDir, "elsewhere")],
    logs: { directory: join(stateDir, "logs") },
  });
  const look = () => lookAtFiles(places());
  return { stateDir, write, look, places };
}

/** An audit of settings that can be changed, with a note of every change. */
function openAudit(changes: () => Changes) {
  const written: Array<readonly [string, unknown?]> = [];
  const security = createSecurityAudit({
    clock: createFakeClock(),
    checks: collectChecks,
    gather: async () => createFacts(changes()),
    setConfig: (path, value) => void written.push([path, value]),
    unsetConfig: (path) => void written.push([path]),
  });
  return { security, written };
}

const owner = process.getuid?.();

describe("files", () => {
  it("are closed, whatever they hold, and keep their content", async () => {
    const { stateDir, write, look } = openHome();
    const open = [
      write("openclaw.json", 0o644, "{ kept: true }"),
      write(".env", 0o666),
      write("credentials/telegram.json", 0o604),
      write("agents/old/agent/auth-profiles.json", 0o640),
      write("elsewhere/auth-profiles.json", 0o640),
      write("agents/main/sessions/a.jsonl", 0o644),
      write("agents/main/sessions/b.jsonl", 0o644),
      write("ledger.sqlite", 0o644),
      write("logs/openclaw.log", 0o644),
    ];
    chmodSync(stateDir, 0o755);
    const { security } = openAudit(() => ({ uid: owner, stateDir, files: look() }));
    const before = await security.audit({ deep: false });
    expect(before).toMatchObject({ ok: false, summary: { critical: 5, warning: 4 } });

    const { fixes, report } = await security.fix({ yes: false, deep: false });
    expect(fixes.map(({ done }) => done)).toEqual(Array.from({ length: 9 }, () => true));
    expect(fixes[0]).toEqual({
      id: `file-mode:${open[0]}`,
      done: true,
      says: `${open[0]} is closed to other users now.`,
    });
    expect(report).toMatchObject({ ok: true, findings: [] });
    expect(open.map((path) => statSync(path).mode & 0o777)).toEqual(open.map(() => 0o600));
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(stateDir, "openclaw.json"), "utf8")).toBe("{ kept: true }");

    expect((await security.fix({ yes: true, deep: false })).fixes).toEqual([]);
  });

  it("behind links are told and left alone", async () => {
    const { stateDir, write, look } = openHome();
    const target = write("shared/settings.json", 0o644);
    symlinkSync(target, join(stateDir, "openclaw.json"));
    const { security } = openAudit(() => ({ uid: owner, stateDir, files: look() }));
    const { fixes, report } = await security.fix({ yes: true, deep: false });
    expect(fixes).toMatchObject([{ done: false, says: expect.stringMatching(/^It is a link/) }]);
    expect(statSync(target).mode & 0o777).toBe(0o644);
    expect(report.findings.map(({ id }) => id.split(":")[0])).toEqual(["file-mode", "file-link"]);
  });

  it("that are gone by now are no failure of the others", async () => {
    const { write, look, stateDir } = openHome();
    const gone = write(".env", 0o644);
    write("exec-approvals.json", 0o644);
    const files = look();
    rmSync(gone);
    const { security } = openAudit(() => ({ uid: owner, stateDir, files }));
    const { fixes } = await security.fix({ yes: false, deep: false });
    expect(fixes).toMatchObject([{ done: false, says: "It did not work: ENOENT" }, { done: true }]);
  });

  it("of a log somewhere else are looked at without its directory", () => {
    const { write, places } = openHome();
    const file = write("var/log/chela.log", 0o644);
    chmodSync(dirname(file), 0o755);
    const seen = lookAtFiles({ ...places(), logs: { file } }).map(({ path, kind }) => [path, kind]);
    expect(seen).toContainEqual([file, "personal"]);
    expect(seen).not.toContainEqual([dirname(file), "directory"]);
  });

  it("are the same for the audit and for chela doctor", () => {
    const { places, write } = openHome();
    const left = write("agents/left/agent/auth-profiles.json", 0o600);
    expect(listPrivateFiles(places()).secret).toContain(left);
    expect(listPrivateFiles(places()).secret).toContain(places().configPath);
    const names = ["vault.json", "vault.key", "github-copilot.token.json", "whatsapp/default/creds.json"];
    const kept = names.map((name) => write(`credentials/${name}`, 0o600));
    expect(listPrivateFiles(places()).secret).toEqual(expect.arrayContaining(kept));
  });
});

describe("directories above the state directory", () => {
  it("are told when everybody can rename in them, unless only owners may", () => {
    const { stateDir } = openHome();
    const inside = join(stateDir, "a", "b");
    mkdirSync(inside, { recursive: true });
    chmodSync(stateDir, 0o777);
    expect(findLooseParents(inside).map(({ path }) => path)).toEqual([stateDir]);
    chmodSync(stateDir, 0o1777);
    expect(findLooseParents(inside)).toEqual([]);
  });
});

describe("settings", () => {
  const weak: Changes = {
    config: {
      gateway: { controlUi: { allowedOrigins: ["https://a.example", "*"], dangerouslyDisableDeviceAuth: true } },
      commands: { ownerAllowFrom: [7, "*", " telegram:8"] },
      channels: { slack: { dangerouslyAllowNameMatching: true, dmPolicy: "open", allowFrom: ["*"] } },
      logging: { redactSensitive: "off" },
    },
  };

  it("are changed only where nobody who is named is locked out", async () => {
    const { security, written } = openAudit(() => weak);
    const { fixes } = await security.fix({ yes: false, deep: false });
    expect(fixes.map(({ id, done }) => [id, done])).toEqual([
      ["origins-wildcard", true],
      ["owner-wildcard", true],
      ["dangerous:channels.slack.dangerouslyAllowNameMatching", false],
      ["redaction-off", true],
    ]);
    expect(fixes[2]?.says).toBe("It changes something that somebody switched on: add --yes to do it.");
    expect(written).toEqual([
      ["gateway.controlUi.allowedOrigins", ["https://a.example"]],
      ["commands.ownerAllowFrom", [7, " telegram:8"]],
      ["logging.redactSensitive"],
    ]);
  });

  it("that somebody switched on are switched off when they say so again", async () => {
    const { security, written } = openAudit(() => weak);
    await security.fix({ yes: true, deep: false });
    expect(written).toContainEqual(["channels.slack.dangerouslyAllowNameMatching"]);
    expect(written.map(([path]) => path)).not.toContain("gateway.controlUi.dangerouslyDisableDeviceAuth");
  });

  it("are changed one by one, by the ids of their findings", async () => {
    const { security, written } = openAudit(() => weak);
    const ids = ["redaction-off", "dm-open:channels.slack", "unheard-of"];
    const { fixes } = await security.fix({ ids, yes: true, deep: false });
    expect(fixes).toEqual([
      expect.objectContaining({ id: "dm-open:channels.slack", done: false, says: expect.stringContaining("decision") }),
      expect.objectContaining({ id: "redaction-off", done: true }),
      { id: "unheard-of", done: false, says: "This is not, or no longer, among the findings." },
    ]);
    expect(written).toEqual([["logging.redactSensitive"]]);
  });

  it("that cannot be written are told with the reason", async () => {
    const security = createSecurityAudit({
      clock: createFakeClock(),
      checks: collectChecks,
      gather: async () => createFacts(weak),
      setConfig: () => undefined,
      unsetConfig() {
        throw new GatewayError("CONFIG_WRITE", "openclaw.json (EROFS)");
      },
    });
    const { fixes } = await security.fix({ ids: ["redaction-off"], yes: false, deep: false });
    expect(fixes).toEqual([
      { id: "redaction-off", done: false, says: expect.stringMatching(/^It did not work: .*EROFS/) },
    ]);
  });
});

describe("a hostile configuration", () => {
  const deep = (depth: number): unknown => (depth === 0 ? true : { dangerouslyDeep: deep(depth - 1) });
  const huge = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`c${index}`, { dmPolicy: "open" }]));

  it.each<[string, NonNullable<Changes["config"]>]>([
    [
      "with other kinds of values",
      { gateway: 7, channels: [], agents: "x", tools: null, hooks: [1], models: { providers: 3 } },
    ],
    ["with lists of anything", { agents: { list: [null, 3, "x", []] }, commands: { allowFrom: { a: null, b: {} } } }],
    [
      "with keys of JavaScript",
      JSON.parse('{"__proto__":{"bind":"lan"},"constructor":{"x":1},"channels":{"__proto__":{}}}'),
    ],
    ["nested without end", { plugins: deep(5000) as object }],
    ["with keys that mean something elsewhere", { channels: { 'a"b.c d': { dmPolicy: "open", allowFrom: ["*"] } } }],
    ["that is huge", { channels: huge }],
  ])("%s is looked at all the same", async (_name, config) => {
    const findings = await findingsOf({ config });
    expect(findings.every(({ risk, fix }) => risk !== "" && fix !== "")).toBe(true);
  });

  it("is named in commands that can be pasted", async () => {
    const config = { channels: { 'a"b.c d': { dmPolicy: "open", allowFrom: ["*"] } } };
    const found = (await findingsOf({ config })).find(({ id }) => id.startsWith("dm-open"));
    expect(found?.fix).toBe(String.raw`chela config set 'channels["a\"b.c d"].dmPolicy' pairing`);
  });
});

describe("the report", () => {
  it("counts, puts the worst first, and says what nobody looked at", async () => {
    const { security } = openAudit(() => ({
      nodeVersion: "20.0.0",
      auth: { mode: "none", where: "" },
      config: { gateway: { bind: "lan" } },
    }));
    const report = await security.audit({ deep: false });
    expect(report).toMatchObject({
      ok: false,
      checkedAt: expect.any(Number),
      summary: { critical: 1, warning: 1, info: 1 },
    });
    expect(report.findings.map(({ severity }) => severity)).toEqual(["critical", "warning", "info"]);
    expect(Object.keys(report.findings[0] ?? {}).sort()).toEqual([
      "asksFirst",
      "fix",
      "fixable",
      "id",
      "risk",
      "severity",
      "title",
      "where",
    ]);
    expect(report.notChecked).toHaveLength(3);
    expect(report.notChecked[0]).toMatch(/--deep/);
    expect((await security.audit({ deep: true })).notChecked[0]).toMatch(/none answers/);
  });
});
