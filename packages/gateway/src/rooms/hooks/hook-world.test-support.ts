// A state directory and a workspace with hooks in them, for the tests of this room.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { HookSignal, Logger } from "@chela/sdk";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { createHooks, type BootErrand, type Hooks, type HooksParts, type Remark } from "./room.ts";

export interface HookWorld extends Disposable {
  readonly root: string;
  readonly stateDir: string;
  readonly workspace: string;
  readonly clock: FakeClock;
  readonly hooks: Hooks;
  /** Every text that was shown to a person. */
  readonly said: string[];
  readonly logged: string[];
  readonly errands: BootErrand[];
  readonly remarks: Remark[];
  config: Awaited<ReturnType<HooksParts["config"]>>;
  write(path: string, text: string): string;
  /** A whole hook, relative to the root. */
  writeHook(folder: string, hook: { head?: string; handler?: string; file?: string }): string;
  /** The same as a start of the gateway: nothing is remembered. */
  restart(): Hooks;
}

/** A pipe that somebody writes to: whoever waits for it reads this. Ends with the block it is used in. */
export function makePipe(path: string, text: string): Disposable {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
  const writer = spawn("sh", ["-c", 'printf %s "$1" > "$2"', "sh", text, path], { stdio: "ignore" });
  return { [Symbol.dispose]: () => void writer.kill("SIGKILL") };
}

type Config = ReturnType<HooksParts["config"]>;

/** The head of a HOOK.md. */
export function head(name: string, metadata: object): string {
  return `---\nname: ${name}\ndescription: "A hook of a test"\nmetadata: ${JSON.stringify({ openclaw: metadata })}\n---\n\n# ${name}\n`;
}

/** A handler that says this. */
export function saying(text: string): string {
  return `export default async (event: { messages: string[] }): Promise<void> => {\n  event.messages.push(${JSON.stringify(text)});\n};\n`;
}

export function openHookWorld(parts: Partial<HooksParts> = {}): HookWorld {
  const root = mkdtempSync(join(tmpdir(), "chela-hooks-"));
  const stateDir = join(root, "state");
  const workspace = join(root, "workspace");
  for (const place of [stateDir, workspace]) mkdirSync(place);
  const clock = createFakeClock();
  const said: string[] = [];
  const logged: string[] = [];
  const errands: BootErrand[] = [];
  const remarks: Remark[] = [];
  const write = (path: string, text: string): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const open = (): Hooks =>
    createHooks({
      stateDir,
      clock,
      platform: "linux",
      log: collectingLog(logged),
      config: () => world.config,
      env: () => ({ PATH: join(root, "bin") }),
      extraDirs: () => [],
      agents: () => [{ id: "main", workspace }],
      workspaces: () => [{ path: workspace, agentIds: ["main"] }],
      setConfig: (path, value) => (world.config = merge(world.config, nested(path.split("."), value)) as Config),
      say: async (sessionKey, text) => void said.push(`${sessionKey}: ${text}`),
      lastRemarks: async (_sessionId, newest) => remarks.slice(-newest),
      runErrand: async (errand) => void errands.push(errand),
      ...parts,
    });
  const world = {
    root,
    stateDir,
    workspace,
    clock,
    said,
    logged,
    errands,
    remarks,
    config: {} as Config,
    write,
    writeHook(folder: string, { head: text, handler, file = "handler.ts" }: Parameters<HookWorld["writeHook"]>[1]) {
      if (text !== undefined) write(join(folder, "HOOK.md"), text);
      if (handler !== undefined) write(join(folder, file), handler);
      return join(root, folder);
    },
    restart: () => (world.hooks = open()),
    hooks: undefined as unknown as Hooks,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
  world.restart();
  return world;
}

export function readText(...path: string[]): string {
  return readFileSync(join(...path), "utf8");
}

export function commandSignal(action: "new" | "reset" | "stop", workspaceDir: string, agentId = "main"): HookSignal {
  const context = { agentId, workspaceDir, commandSource: "fake", senderId: "alice", sessionId: "s-1" };
  return { name: `command:${action}`, sessionKey: `agent:${agentId}:main`, context } as HookSignal;
}

export function receivedSignal(content = "hello"): HookSignal {
  const place = { channelId: "fake", accountId: "default", conversationId: "alice", timestamp: 1, metadata: {} };
  return {
    name: "message:received",
    sessionKey: "agent:main:main",
    context: { agentId: "main", from: "alice", content, ...place },
  };
}

function nested([key = "", ...rest]: readonly string[], value: boolean): object {
  return { [key]: rest.length === 0 ? value : nested(rest, value) };
}

function merge(base: unknown, over: object): object {
  const result: Record<string, unknown> = { ...(base as object) };
  for (const [key, value] of Object.entries(over)) {
    result[key] = typeof value === "object" && value !== null ? merge(result[key], value as object) : value;
  }
  return result;
}

function collectingLog(lines: string[]): Logger {
  const log = (level: string, text: string, fields?: Record<string, unknown>): void =>
    void lines.push(`${level} ${text} ${JSON.stringify(fields ?? {})}`);
  const logger: Logger = {
    log,
    trace: (text, fields) => log("trace", text, fields),
    debug: (text, fields) => log("debug", text, fields),
    info: (text, fields) => log("info", text, fields),
    warn: (text, fields) => log("warn", text, fields),
    error: (text, fields) => log("error", text, fields),
    child: () => logger,
  };
  return logger;
}
