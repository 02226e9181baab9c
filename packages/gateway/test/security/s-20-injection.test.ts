// S-20: no program is started through a shell that reads what others wrote, and no value can pass for an option.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { configure as configureSignal } from "../../../channels/src/signal/config.ts";
import { runProgram } from "../../../channels/src/signal/program.ts";
import { findOpener, openBrowser } from "../../src/base/terminal/open-browser.ts";
import { runCommand } from "../../src/rooms/cron/run/run-command.ts";
import { transcribeByCommand } from "../../src/rooms/media/transcribe-by-command.ts";
import { commandScript } from "../../src/rooms/sandbox/bubblewrap/warden-script.ts";
import { readTailscaleClaim } from "../../src/server/auth/tailscale.ts";
import { startPipeline } from "../../src/rooms/tools/exec/start-pipeline.ts";
import { loadTerminals, startTerminal } from "../../src/rooms/tools/exec/start-terminal.ts";
import { checkProgram, run as runForSecret } from "../../src/rooms/vault/run-program.ts";
import { eventually } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";

/** Whatever a shell, an option parser or cmd.exe could take for its own. */
const EVIL: readonly string[] = [
  "; touch CANARY",
  "&& touch CANARY",
  "| touch CANARY",
  "& touch CANARY",
  "`touch CANARY`",
  "$(touch CANARY)",
  "${IFS}touch${IFS}CANARY",
  "\ntouch CANARY\n",
  "\r\ntouch CANARY\r\n",
  "'; touch CANARY; '",
  '"; touch CANARY; "',
  "'\"`$\\",
  "> CANARY",
  ">CANARY",
  "< /etc/passwd",
  "<(touch CANARY)",
  "* ? [a] {a,b} ~",
  "#comment",
  "!!",
  "%COMSPEC% %PATH% ^& touch CANARY",
  '" & calc.exe & "',
  "-x",
  "--help",
  "--",
  "-",
  "-oProxyCommand=touch CANARY",
  "--upload-pack=touch CANARY",
  "--config=CANARY",
  "-e sh",
  "@CANARY",
  "=cmd|' /C calc'!A0",
  "a b  c",
  "\t",
  "é 漢 🙂",
  "\u202eCANARY",
  "%s%n%x",
  "\\",
  "\\\\server\\share",
  "",
];

const root = mkdtempSync(join(tmpdir(), "chela-inject-"));
const recorder = join(root, "recorder");
const record = join(root, "record");
const canary = join(root, "CANARY");
beforeAll(() => {
  writeFileSync(
    recorder,
    `#!/bin/sh\nprintf '%s\\0' "$@" > '${record}.new' && mv '${record}.new' '${record}'\necho done\n`,
  );
  chmodSync(recorder, 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The arguments the program was really given. */
async function argumentsAfter(start: () => unknown): Promise<string[]> {
  rmSync(record, { force: true });
  await start();
  await eventually("the program has run", () => existsSync(record) || undefined);
  return readFileSync(record, "utf8").split("\0").slice(0, -1);
}

const log = new Proxy({}, { get: () => () => undefined }) as never;
const clock = createFakeClock();
const setting = { cwd: root, env: { PATH: "/usr/bin:/bin" }, takesInput: false, onText: () => undefined };

/** Every helper that starts a program and takes values along. */
const STARTERS: ReadonlyArray<{ readonly name: string; start(values: readonly string[]): unknown }> = [
  {
    name: "a command",
    start: (values) => startPipeline([{ file: recorder, argv: ["recorder", ...values] }], setting).exited,
  },
  {
    name: "a command in a terminal",
    start: async (values) =>
      startTerminal(await loadTerminals(), { file: recorder, argv: ["recorder", ...values] }, setting).exited,
  },
  {
    name: "the program of a job",
    start: (values) =>
      runCommand({
        payload: { kind: "exec", command: [recorder, ...values] } as never,
        workspace: root,
        environment: setting.env,
        signal: new AbortController().signal,
        clock,
        redact: (text) => text,
      }),
  },
  { name: "signal-cli", start: async (values) => (await runProgram(recorder, values, { clock, log })).ended },
  {
    name: "what writes voice notes down",
    start: (values) =>
      transcribeByCommand(
        { path: "/tmp/voice.ogg" } as never,
        // What is configured comes back as it is, and the file after it.
        { kind: "command", argv: [recorder, ...values, "{input}"], timeoutMs: 5000, maxChars: 1 } as never,
        { clock, environment: setting.env },
      ),
  },
  {
    name: "a program that hands out a secret",
    start: (values) => runForSecret({ command: recorder, args: values, env: {}, trusted: [root] }),
  },
];

describe("S-20: values arrive as they are, one argument each, at", () => {
  test.for(STARTERS)("$name", async ({ start }) => {
    const arrived = await argumentsAfter(() => start(EVIL));
    expect(arrived.slice(0, EVIL.length)).toEqual(EVIL);
    expect(existsSync(canary)).toBe(false);
    countCases("S-20", EVIL.length);
  });

  test("a command in a sandbox: its folder, its variables and all its words", () => {
    const folders = EVIL.filter((name) => !/[/\\]/.test(name) && name !== "" && Buffer.byteLength(name) < 200);
    for (const name of folders) {
      const cwd = join(root, `x${name}`);
      mkdirSync(cwd, { recursive: true });
      const wish = { id: "c1", command: `printf '%s\\0%s\\0' "$PWD" "$VALUE"`, cwd, env: { VALUE: name } };
      const { text } = commandScript(wish as never, { path: "/bin/sh", hasJobControl: true } as never);
      const script = join(root, "script");
      writeFileSync(script, text);
      const said = execFileSync("/bin/sh", [script], { env: setting.env, encoding: "utf8" });
      expect(said.split("\0")).toEqual([cwd, name, ""]);
    }
    for (const name of ["A=B", "A;touch CANARY", "$(x)", "", "1A", "A B", "A\nB"])
      expect(() =>
        commandScript(
          { id: "c", command: "true", cwd: "/", env: { [name]: "x" } } as never,
          { path: "/bin/sh", hasJobControl: true } as never,
        ),
      ).toThrow();
    expect(existsSync(canary)).toBe(false);
    countCases("S-20", folders.length + 7);
  });
});

describe("S-20: values that could pass for something else are refused:", () => {
  test("the account and the address of signal-cli", () => {
    for (const evil of EVIL) {
      for (const settings of [
        { account: evil },
        { account: `+1555${evil}` },
        { account: "+15551234567", httpHost: evil },
      ]) {
        const read = configureSignal(settings);
        if (read.kind !== "configured") continue;
        expect(read.account.number, JSON.stringify(settings)).toMatch(/^\+\d{5,15}$/);
        expect(read.account.daemon?.listen, JSON.stringify(settings)).toMatch(/^[a-z0-9[][^\s;&|`$<>'"\\]*:\d+$/i);
      }
    }
    countCases("S-20", EVIL.length * 3);
  });

  test("an address for the browser: it is one of a page, whole, and never an option or a file", async () => {
    const urls = [
      ...EVIL,
      ...EVIL.map((evil) => `http://127.0.0.1:1/${evil}`),
      "javascript:alert(1)",
      "file:///etc/passwd",
      "ms-msdt:/id PCWDiagnostic",
      "\\\\server\\share\\x.exe",
      "C:\\Windows\\System32\\calc.exe",
      "http://",
    ];
    const started: string[] = [];
    for (const url of urls) {
      rmSync(record, { force: true });
      const args = (address: string): string[] => (started.push(address), [address]);
      const isOpen = await openBrowser({ program: "/bin/true", args }, url, {});
      expect([url, isOpen]).toEqual([url, /^\s*https?:\/\/./.test(url)]);
    }
    expect(started.filter((url) => !/^http:\/\/127\.0\.0\.1:1\/[^\s"`<>]*$/.test(url))).toEqual([]);
    countCases("S-20", urls.length);
  });

  test("no desktop is reached through a shell, also not on Windows", () => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      const opener = findOpener(platform, { DISPLAY: ":0" });
      expect(opener?.program).not.toMatch(/(^|[/\\])(cmd|command|powershell|sh|bash)(\.exe)?$/i);
      expect(opener?.args("http://x/?a=1&b=2").filter((word) => word.includes("&"))).toHaveLength(1);
    }
  });

  test("an address that tailscale is asked about", () => {
    for (const evil of [...EVIL, "100.64.0.1; id", "-100.64.0.1", "100.64.0.1 -x", "fd7a:115c:a1e0::1%x"]) {
      const headers = {
        "tailscale-user-login": "a@b",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "x",
        "x-forwarded-for": evil,
      };
      const claim = readTailscaleClaim(headers, { isLoopbackPeer: true, isForwarded: true } as never);
      expect(claim?.ip ?? "1", evil).toMatch(/^[0-9a-f][0-9a-f.:]*$/);
    }
    countCases("S-20", EVIL.length + 4);
  });

  test("a program for secrets: only one whose whole path is trusted", () => {
    const paths = [
      ...EVIL,
      ...EVIL.map((evil) => `/usr/bin/${evil}`),
      "sh",
      "./sh",
      "/tmp/sh",
      "/usr/bin/../../tmp/x",
      "/usr/bin/.",
    ];
    for (const path of paths) expect(() => checkProgram(path), path).toThrow();
    countCases("S-20", paths.length);
  });
});

describe("S-20: in the sources", () => {
  const packages = join(import.meta.dirname, "../../..");
  const sources = [...globSync("*/src/**/*.ts", { cwd: packages }), ...globSync("*/bin/*", { cwd: packages })]
    .filter((path) => !/\.test(-support)?\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(packages, path), "utf8") }));
  const withMatch = (pattern: RegExp): string[] =>
    sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  test("nothing is taken from node:child_process but what starts a file with a list of arguments", () => {
    const taken = sources.flatMap(({ text }) =>
      [
        ...text.matchAll(
          /(?:import\s*(?:type\s*)?|const\s*)\{([^}]*)\}\s*(?:from\s*|=\s*await import\()["']node:child_process["']/g,
        ),
      ]
        .flatMap(([, names = ""]) => names.split(","))
        .map((name) => name.trim())
        .filter((name) => name !== "" && !name.startsWith("type ")),
    );
    expect(taken.length).toBeGreaterThan(5);
    const allowed = ["spawn", "spawnSync", "execFile", "execFileSync", "fork"];
    expect([...new Set(taken)].filter((name) => !allowed.includes(name))).toEqual([]);
    // No other way in: as a whole, by require, or from the process, except for these two functions.
    expect(
      withMatch(
        /import \* as \w+ from "node:child_process"|require\(["'](node:)?child_process|from "child_process"|import child_process/,
      ),
    ).toEqual([]);
    const builtin = sources.filter(({ text }) => /getBuiltinModule\(["'](node:)?child_process/.test(text));
    expect(builtin.map(({ path }) => path)).toEqual(["gateway/src/rooms/vault/run-program.ts"]);
    const called = [...(builtin[0]?.text.matchAll(/processes\(\)\.(\w+)/g) ?? [])].map(([, name]) => name);
    expect(called.toSorted()).toEqual(["execFile", "spawnSync"]);
  });

  test("no program is started with the option for a shell", () => {
    expect(withMatch(/\bshell:\s*(?!false\b|string\b|InnerShell\b|parts\.|["'`{]|this\.|\w+\.)(?:true\b)/)).toEqual([]);
  });

  test("a shell is named only where commands of people are run, or a fixed script", () => {
    expect(
      withMatch(/\[[^\]]*"-l?c",/)
        .filter((path) => !path.endsWith("safe-bins.ts"))
        .toSorted(),
    ).toEqual(
      [
        // The command that was approved, as a person saw it.
        "gateway/src/rooms/approvals/plan/make-plan.ts",
        // The command of a job, which only operators write.
        "gateway/src/rooms/cron/run/run-command.ts",
        // Fixed scripts; everything else is an argument of theirs.
        "gateway/src/rooms/sandbox/bubblewrap/launch.ts",
        "gateway/src/rooms/sandbox/docker/inside-scripts.ts",
        // sandbox.docker.setupCommand, inside the container.
        ...withMatch(/\["sh", "-lc", setupCommand\]/),
      ].toSorted(),
    );
    expect(withMatch(/"cmd(\.exe)?"/i).filter((path) => !path.endsWith("programs-that-run-others.ts"))).toEqual([
      "gateway/src/rooms/cron/run/run-command.ts",
    ]);
  });

  test("no text becomes code", () => {
    expect(withMatch(/\beval\(|new Function\(|from "node:vm"|import\("node:vm"\)|setTimeout\(\s*["'`]/)).toEqual([]);
  });
});
