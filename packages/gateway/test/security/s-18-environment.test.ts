// S-18: the environment of every child is made from a short list of names; nothing else of the gateway's own arrives there.
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { callTool, createFakeClock, say } from "@chela/sdk/testing";
import { systemClock } from "@chela/sdk/base";
import { runProgram } from "../../../channels/src/signal/program.ts";
import { openBrowser } from "../../src/base/terminal/open-browser.ts";
import { KeeperProcess } from "../../src/rooms/memory/keeper-process.ts";
import { transcribeByCommand } from "../../src/rooms/media/transcribe-by-command.ts";
import { runProgram as runForSkill } from "../../src/rooms/skills/sources/run-program.ts";
import { run as runForSecret, runNow as runForSecretNow } from "../../src/rooms/vault/run-program.ts";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const CANARY = "canary-7a41c2";
/** Secrets, and names by which a child could be made to load or run something else. */
const PLANTED = (
  "OPENAI_API_KEY ANTHROPIC_API_KEY OPENCLAW_GATEWAY_TOKEN CHELA_GATEWAY_TOKEN OPENCLAW_STATE_DIR AWS_SECRET_ACCESS_KEY " +
  "TELEGRAM_BOT_TOKEN GITHUB_TOKEN DATABASE_URL SSH_AUTH_SOCK LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES " +
  "NODE_PATH NODE_EXTRA_CA_CERTS GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_GLOBAL GIT_DIR npm_config_script_shell " +
  "NPM_CONFIG_REGISTRY PYTHONPATH PYTHONSTARTUP PERL5OPT RUBYOPT BASH_ENV ENV PROMPT_COMMAND IFS PAGER EDITOR VISUAL " +
  "BROWSER LESSOPEN MANPAGER RUSTC_WRAPPER MAKEFLAGS JAVA_TOOL_OPTIONS HTTPS_PROXY https_proxy ALL_PROXY LC_SECRET " +
  "LC_canary SUDO_ASKPASS SSH_ASKPASS OPENSSL_CONF SSLKEYLOGFILE DOCKER_HOST KUBECONFIG COMSPEC HOSTALIASES " +
  "GCONV_PATH LOCPATH TERMINFO ZDOTDIR CDPATH XDG_CACHE_HOME_X canary CANARY"
).split(" ");

/** Names that a child of whatever kind may have, and whose values are the operator's. */
const COMMON = "HOME USER LOGNAME SHELL LANG TERM TZ TMPDIR PATH".split(" ");
const LOCALES = Object.keys(process.env).filter((name) => /^LC_[A-Z]+$/.test(name) && name !== "LC_SECRET");
/** What a shell adds by itself. */
const OF_A_SHELL = ["PWD", "OLDPWD", "SHLVL", "_"];

const root = mkdtempSync(join(tmpdir(), "chela-env-"));
const printed = join(root, "printed");
const printer = join(root, "printer");
const before = { ...process.env };
let gateway: TestGateway;
let client: WireClient;
let workspace: string;

beforeAll(async () => {
  writeFileSync(printer, `#!/bin/sh\nenv -0 > '${printed}.new' && mv '${printed}.new' '${printed}'\necho done\n`);
  chmodSync(printer, 0o755);
  for (const name of PLANTED) process.env[name] = CANARY;
  const stateDir = join(root, "state");
  workspace = join(stateDir, "workspace");
  mkdirSync(join(workspace, "bin"), { recursive: true });
  process.env["PATH"] = [join(workspace, "bin"), ".", "./bin", "", "node_modules/.bin", workspace, before["PATH"]].join(
    ":",
  );
  const config = {
    gateway: { auth: { mode: "token", token: "token-of-the-test-gateway-0123456789" } },
    agents: {
      defaults: {
        model: "scripted/test",
        sandbox: { mode: "off" },
        memorySearch: { enabled: false },
        heartbeat: { every: "0m" },
      },
    },
    models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] } } },
    env: { vars: { CONFIGURED_SECRET: CANARY } },
    tools: {
      exec: {
        security: "full",
        ask: "off",
        pathPrepend: [join(workspace, "bin"), "relative/bin"],
        // A command that ends in the background would wake the agent among what others are to answer.
        notifyOnExit: false,
      },
    },
  };
  writeFileSync(join(stateDir, "openclaw.json"), JSON.stringify(config));
  writeFileSync(join(stateDir, ".env"), `FILE_SECRET=${CANARY}\n`, { mode: 0o600 });
  gateway = await startTestGateway({ stateDir });
  client = await gateway.connect();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const name of PLANTED) delete process.env[name];
  Object.assign(process.env, before);
  rmSync(root, { recursive: true, force: true });
});

/** What the child wrote down about itself. */
async function environmentAfter(start: () => unknown): Promise<Record<string, string>> {
  rmSync(printed, { force: true });
  await start();
  // The file is there before what is written into it.
  await eventually("the child has run", () => (existsSync(printed) && readFileSync(printed).at(-1) === 0) || undefined);
  const pairs = readFileSync(printed, "utf8").split("\0").filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

const exec = (args: Json) => async (): Promise<void> => {
  gateway.model.script(callTool("exec", args), say("done"));
  await client.chat("go", { sessionKey: `agent:main:${Math.random()}` });
  const result = gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult");
  expect(result && textOf(result)).not.toMatch(/not run/);
};
const job = (command: unknown) => async (): Promise<unknown> =>
  client.call("cron.add", {
    name: "print",
    schedule: { kind: "at", at: new Date().toISOString() },
    payload: { kind: "exec", command },
  });

interface Kind {
  readonly name: string;
  /** Where it is started: below packages/gateway/src, or in another package of ours. */
  readonly file: string;
  readonly names: readonly string[];
  start(): unknown;
}
const ofExec = [...COMMON, ...LOCALES, ...OF_A_SHELL, "OPENCLAW_SHELL"];
const log = new Proxy({}, { get: () => () => undefined }) as never;

/** The keeper is a program of ours and prints nothing: the system is asked what it was given. */
async function startKeeper(): Promise<void> {
  const index = {
    agentId: "main",
    path: join(root, "memory.sqlite"),
    workspace,
    extraPaths: [],
    sources: ["memory" as const],
    chunking: { tokens: 512, overlap: 64 },
    embedding: { kind: "none" as const },
    query: {
      maxResults: 6,
      minScore: 0,
      isHybrid: true,
      vectorWeight: 0.7,
      textWeight: 0.3,
      candidateMultiplier: 4,
    },
    cacheEntries: 0,
  };
  const nobody = { settings: () => index, embed: async () => [], progressed: () => {} };
  const keeper = new KeeperProcess({ clock: systemClock, log, ...nobody });
  await keeper.ask("status", { agentId: "main" });
  const [child] = childrenHere().filter((id) => readFileSync(`/proc/${id}/cmdline`, "utf8").includes("keeper"));
  writeFileSync(printed, readFileSync(`/proc/${child}/environ`));
  await keeper.close();
}

const childrenHere = (): string[] =>
  globSync(`/proc/${process.pid}/task/*/children`).flatMap((file) =>
    readFileSync(file, "utf8").split(" ").filter(Boolean),
  );

/** Every child that can be started here. */
const KINDS: readonly Kind[] = [
  { name: "a command", file: "rooms/tools/exec/start-pipeline.ts", names: ofExec, start: exec({ command: printer }) },
  {
    name: "a command in a shell",
    file: "rooms/tools/exec/start-pipeline.ts",
    names: ofExec,
    start: exec({ command: `x=1; ${printer}` }),
  },
  {
    name: "a command in a pipeline",
    file: "rooms/tools/exec/start-pipeline.ts",
    names: ofExec,
    start: exec({ command: `true | ${printer}` }),
  },
  {
    name: "a command in the background",
    file: "rooms/tools/exec/start-pipeline.ts",
    names: ofExec,
    start: exec({ command: printer, background: true }),
  },
  {
    name: "a command in a terminal",
    file: "rooms/tools/exec/start-terminal.ts",
    names: ofExec,
    start: exec({ command: printer, pty: true }),
  },
  {
    name: "a shell in a terminal",
    file: "rooms/tools/exec/start-terminal.ts",
    names: ofExec,
    start: exec({ command: `x=1; ${printer}`, pty: true }),
  },
  { name: "the command of a job", file: "rooms/cron/run/run-command.ts", names: ofExec, start: job(printer) },
  { name: "the program of a job", file: "rooms/cron/run/run-command.ts", names: ofExec, start: job([printer, "a"]) },
  {
    name: "signal-cli",
    file: "packages/channels/src/signal/program.ts",
    names: [...COMMON, "LC_ALL", "JAVA_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", ...OF_A_SHELL],
    start: async () => (await runProgram(printer, [], { clock: createFakeClock(), log })).ended,
  },
  {
    name: "what writes voice notes down",
    file: "rooms/media/transcribe-by-command.ts",
    names: [...COMMON, ...LOCALES, "XDG_CACHE_HOME", ...OF_A_SHELL],
    start: () =>
      transcribeByCommand(
        { path: "/tmp/voice.ogg" } as never,
        { kind: "command", argv: [printer, "{input}"], timeoutMs: 5000, maxChars: 100 } as never,
        { clock: createFakeClock(), environment: process.env },
      ),
  },
  {
    name: "the memory keeper",
    file: "rooms/memory/keeper-process.ts",
    names: [
      "HOME",
      "PATH",
      "TMPDIR",
      "LANG",
      "TZ",
      "NODE_COMPILE_CACHE",
      "NODE_CHANNEL_FD",
      "NODE_CHANNEL_SERIALIZATION_MODE",
    ],
    start: startKeeper,
  },
  {
    name: "the browser of a person",
    file: "base/terminal/open-browser.ts",
    names: [...COMMON, "LC_ALL", "DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", ...OF_A_SHELL],
    start: () => openBrowser({ program: printer, args: (url) => [url] }, "http://127.0.0.1:1/", process.env),
  },
  {
    name: "git, and what installs a program for a skill",
    file: "rooms/skills/sources/run-program.ts",
    names: ["PATH", "HOME", "LANG", "CI", ...OF_A_SHELL],
    start: () => runForSkill([printer], { env: process.env, also: { CI: "1" }, timeoutMs: 5000 }),
  },
  ...[runForSecret, runForSecretNow].map((run) => ({
    name: `a program that hands out a secret (${run.name})`,
    file: "rooms/vault/run-program.ts",
    names: [...COMMON, "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME", "PASSWORD_STORE_DIR", ...OF_A_SHELL],
    start: () => run({ command: printer, args: [], env: process.env, trusted: [root] }),
  })),
];

/** Files that start programs with an empty environment, or on a system that is not ours; see the test of their sources. */
const EMPTY = [
  "rooms/sandbox/bubblewrap/bubblewrap-program.ts",
  "rooms/sandbox/bubblewrap/own-devices.ts",
  "rooms/sandbox/bubblewrap/pipe-stock.ts",
  "rooms/sandbox/bubblewrap/system-view.ts",
  "rooms/sandbox/bubblewrap/launch-stock.ts",
  "server/auth/tailscale.ts",
];
const ON_WINDOWS = ["base/process-tree.ts"];
/** Made to be looked for from inside a sandbox: a process of ours with a word in its environment. */
const BYSTANDERS = ["rooms/sandbox/self-test.ts"];
/** What somebody types on the command line has their own environment. */
const TYPED = ["cli/commands/sandbox-image.ts"];

describe("S-18: the environment of", () => {
  test.for(KINDS)("$name", async ({ start, names }) => {
    const env = await environmentAfter(start);
    expect(Object.keys(env).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.entries(env).filter(([, value]) => value.includes(CANARY))).toEqual([]);
    const directories = (env["PATH"] ?? "").split(":");
    expect(directories.filter((directory) => !directory.startsWith("/"))).toEqual([]);
    expect(directories).toContain("/usr/bin");
    countCases("S-18", PLANTED.length);
  });

  test.for(KINDS.filter(({ file }) => /exec|cron/.test(file)))(
    "$name: nothing of the workspace is found by name",
    async ({ start }) => {
      const directories = ((await environmentAfter(start))["PATH"] ?? "").split(":");
      expect(directories.filter((directory) => directory.startsWith(workspace))).toEqual([]);
      countCases("S-18", 1);
    },
  );

  test.for([
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "PATH",
    "BASH_ENV",
    "GIT_SSH_COMMAND",
    "npm_config_x",
    "OPENCLAW_STATE_DIR",
    "A\nB",
    "A=B",
  ])("a command cannot be given %j by the one who asks for it", async (name) => {
    rmSync(printed, { force: true });
    gateway.model.script(callTool("exec", { command: printer, env: { [name]: "x" } }), say("done"));
    await client.chat("go", { sessionKey: `agent:main:${Math.random()}` });
    expect(gateway.model.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: "toolResult", isError: true });
    expect(existsSync(printed)).toBe(false);
    countCases("S-18", 1);
  });
});

describe("S-18: no child is forgotten:", () => {
  const source = join(import.meta.dirname, "../../src");
  const packages = join(import.meta.dirname, "../../..");
  const sources = globSync("*/src/**/*.ts", { cwd: packages }).filter((path) => !/\.test(-support)?\.ts$/.test(path));
  const starters = sources.filter((path) =>
    /node:child_process|node-pty/.test(readFileSync(join(packages, path), "utf8")),
  );

  test("every file that can start a program is in the table", () => {
    const known = [...KINDS.map(({ file }) => file), ...EMPTY, ...ON_WINDOWS, ...BYSTANDERS, ...TYPED].map((file) =>
      file.startsWith("packages/") ? file.slice("packages/".length) : `gateway/src/${file}`,
    );
    expect(starters.toSorted()).toEqual([...new Set(known)].toSorted());
  });

  test.for(EMPTY)("%s starts everything with an empty environment", (file) => {
    const text = readFileSync(join(source, file), "utf8");
    const calls = text.match(/\b(?:spawn|execFile|execFileSync|spawnSync)\(/g) ?? [];
    expect(calls.length).toBeGreaterThan(0);
    expect(text.match(/\benv: \{\}/g)).toHaveLength(calls.length);
  });

  test.for(BYSTANDERS)("%s starts one process, whose environment it makes itself", (file) => {
    const text = readFileSync(join(source, file), "utf8");
    expect(text.match(/\bspawn\(/g)).toHaveLength(1);
    expect(text).toMatch(/env: \{ \[\w+\]: \w+ \}/);
    expect(text).not.toContain("process.env");
  });

  test("threads are the keeper's, and the one that ends a question that takes too long; they have what those have", () => {
    const starting = sources.filter((path) => /new Worker\(/.test(readFileSync(join(packages, path), "utf8")));
    expect(starting.toSorted()).toEqual(["gateway/src/cli/state/sql.ts", "memory/src/embedding/local-embedder.ts"]);
    for (const path of starting) expect(readFileSync(join(packages, path), "utf8")).not.toMatch(/process\.env|\benv:/);
  });

  test.for(ON_WINDOWS)("%s names what it shares", (file) => {
    const text = readFileSync(join(source, file), "utf8");
    expect(text).toMatch(/env: \{ SystemRoot: system \}/);
    expect(text.match(/\bspawn\(/g)).toHaveLength(1);
  });
});
