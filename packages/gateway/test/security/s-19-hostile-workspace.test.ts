// S-19: a gateway that is started inside a hostile workspace reads there what it says it reads, and runs nothing.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BAIT, makeHostile } from "../support/security/hostile-workspace.ts";
import { countCases } from "../support/security/security-cases.ts";
import { connectClient, type Json, type WireClient } from "../support/wire-client.ts";

const SOURCE = join(import.meta.dirname, "../../src/cli/main.ts");
const TOKEN = "token-of-a-gateway-in-a-hostile-place-0123456789";
/** What is said to be read of a workspace: docs/ARCHITECTURE.md, the files of the prompt and the descriptions of hooks. */
const DECLARED =
  /^(?:(?:AGENTS|SOUL|TOOLS|IDENTITY|USER|HEARTBEAT|BOOTSTRAP|MEMORY)\.md|memory\.md|hooks\/[^/]+\/HOOK\.md|(?:\.agents\/)?skills\/[^/]+\/SKILL\.md|memory\/[^/]*\.md|\.openclaw\/workspace-state\.json(?:\..*\.tmp)?)$/;
const STRACE = "/usr/bin/strace";
const canTrace = spawnSync(STRACE, ["-f", "-o", "/dev/null", "/bin/true"]).status === 0;

let root: string;
let workspace: string;
let made: string[];
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "chela-hostile-")));
  workspace = join(root, "workspace");
  for (const folder of ["workspace", "marks", "home", "state", "elsewhere/hook"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "elsewhere/secret.txt"), BAIT);
  made = makeHostile(workspace, join(root, "marks"), join(root, "elsewhere"));
  writeFileSync(join(root, "state/openclaw.json"), JSON.stringify(configWith("off")));
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  if (!canTrace) process.stderr.write("\nNOT TESTED HERE: without strace it is not seen what a gateway reads.\n");
});

const configWith = (mode: string): Json => ({
  gateway: { auth: { mode: "token", token: TOKEN } },
  agents: { defaults: { workspace, model: "demo/demo", sandbox: { mode } } },
  hooks: { internal: { enabled: true, entries: { evil: { enabled: true } } } },
});

interface Traced {
  /** Files of the workspace that were opened, from the workspace. */
  readonly opened: readonly string[];
  /** Programs that were started, after the first. */
  readonly started: readonly string[];
}

/**
 * The program in the workspace, with a search path that begins there, as careless people have it. With -D it is our
 * child itself, and not whoever looks over its shoulder.
 */
function launch(argv: readonly string[], trace: string): ChildProcess {
  const command = [process.execPath, "-C", "chela-source", SOURCE, ...argv];
  const traced = [
    STRACE,
    "-D",
    "-f",
    "--seccomp-bpf",
    "-y",
    "-s",
    "4096",
    "-e",
    "trace=open,openat,openat2,execve,execveat",
    "-o",
    trace,
    ...command,
  ];
  const [file = "", ...args] = canTrace ? traced : command;
  const path = [".", "", join(workspace, "node_modules/.bin"), join(workspace, "bin")];
  return spawn(file, args, {
    cwd: workspace,
    env: {
      PATH: [...path, "/usr/bin", "/bin"].join(delimiter),
      HOME: join(root, "home"),
      PWD: workspace,
      OPENCLAW_STATE_DIR: join(root, "state"),
      OLLAMA_HOST: "127.0.0.1:9",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** With what a relative path is relative to, and only when it was opened. */
const OPENED = /\bopen(?:at2?)?\((?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)", (.*)\) = \d+/;

function readTrace(path: string): Traced {
  if (!existsSync(path)) return { opened: [], started: [] };
  const lines = readFileSync(path, "utf8").split("\n");
  const opened = lines.flatMap((line) => {
    const [, at = workspace, name = "", flags = ""] = OPENED.exec(line) ?? [];
    const place = relative(workspace, resolve(at, name));
    const isInside = name !== "" && !place.startsWith("..") && place !== "";
    return isInside && !flags.includes("O_DIRECTORY") && !flags.includes("O_PATH") ? [place] : [];
  });
  const started = lines.flatMap((line) => /\bexecve(?:at)?\((?:[^"]*)"([^"]*)".*\) = 0/.exec(line)?.[1] ?? []);
  return { opened: [...new Set(opened)], started: started.slice(1) };
}

/** Where our own packages lie. */
const OURS = join(import.meta.dirname, "../../../../node_modules/");

/** Programs of the system, our own runtime, and the second wall of a sandbox: inside of one, or tried where there is none. */
const isOfSystem = (path: string): boolean =>
  /^\/(?:usr\/)?s?bin\//.test(path) ||
  path === process.execPath ||
  path === "/run/chela-landlock" ||
  (path.startsWith(OURS) && path.endsWith("/bin/landlock-run"));

async function liveIn(client: WireClient): Promise<void> {
  await client.chat("hello");
  await client.chat("/new");
  await client.chat("/status");
  const quick = [
    "health",
    "status",
    "hooks.list",
    "agents.files.list",
    "tools.catalog",
    "models.list",
    "channels.status",
  ];
  for (const method of [...quick, "cron.list", "sessions.list", "setup.status", "commands.list", "agent.identity.get"])
    await client.request(method, method === "agents.files.list" ? { agentId: "main" } : {});
}

test.each(["off", "all"])("a gateway whose folder it is (sandbox.mode %s)", async (mode) => {
  writeFileSync(join(root, "state/openclaw.json"), JSON.stringify(configWith(mode)));
  const trace = join(root, `trace-gateway-${mode}`);
  const child = launch(["gateway", "run", "--port", "0"], trace);
  let output = "";
  child.stdout?.on("data", (part) => (output += String(part)));
  child.stderr?.on("data", (part) => (output += String(part)));
  const closed = once(child, "close");
  try {
    const port = await untilListening(child, () => output);
    const client = await connectClient({ url: `ws://127.0.0.1:${port}`, token: TOKEN });
    await liveIn(client);
    const told = JSON.stringify(client.frames);
    expect(told).not.toContain(BAIT);
    expect(told).not.toContain("root:x:0:0");
    await client.close();
  } finally {
    child.kill("SIGTERM");
    await closed;
  }
  countCases("S-19", made.length);
  const { opened, started } = readTrace(trace);
  expect(opened.filter((path) => !DECLARED.test(path))).toEqual([]);
  // A sandbox is kept by programs of the system, each by its whole path; without one nothing is started.
  expect(started.filter((path) => mode === "off" || !isOfSystem(path))).toEqual([]);
  // The trace sees what is read: the rules of the workspace are.
  if (canTrace) expect(opened).toContain("AGENTS.md");
  expect(readdirSync(join(root, "marks"))).toEqual([]);
  expect(output).not.toContain(BAIT);
});

/** What people type first in a folder, and what touches programs and files of the machine. */
const COMMANDS = ["status", "doctor", "config get gateway", "hooks list"];

test.each(COMMANDS)("the command line there: %s", async (line) => {
  const words = line.split(" ");
  const trace = join(root, `trace-${words[0]}`);
  const child = launch(words, trace);
  let output = "";
  child.stdout?.on("data", (part) => (output += String(part)));
  child.stderr?.on("data", (part) => (output += String(part)));
  await once(child, "close");
  countCases("S-19", made.length);
  const { opened, started } = readTrace(trace);
  expect(opened.filter((path) => !DECLARED.test(path))).toEqual([]);
  expect(started.filter((path) => !isOfSystem(path))).toEqual([]);
  expect(readdirSync(join(root, "marks"))).toEqual([]);
  expect(output).not.toContain(BAIT);
  expect(output).not.toContain("sk-bait");
});

async function untilListening(child: ChildProcess, output: () => string): Promise<number> {
  const closed = once(child, "close").then(() => "closed");
  for (;;) {
    const [, port] = /listens on https?:\/\/[^:]+:(\d+)/.exec(output()) ?? [];
    if (port && /^Model: .+\n/m.test(output())) return Number(port);
    const more = Promise.race([once(child.stdout!, "data"), closed]);
    if ((await more) === "closed") throw new Error(`it ended:\n${output()}`);
  }
}
