// Starts the gateway under test, or the peer, as a user would: its command, a private state directory, a free port.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { computingMs, isAlive, processTree } from "./process-figures.ts";
import { createDevice, WireClient, type Device } from "./wire-client.ts";

/** What is measured: our command, or an installed peer with the same command line. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly startTimeoutMs: number;
  /** A slow peer is measured with a part of the rounds. */
  readonly effort: number;
}

export interface State {
  readonly dir: string;
  readonly port: number;
  readonly device: Device;
  readonly env: NodeJS.ProcessEnv;
}

export interface Gateway {
  readonly pid: number;
  readonly client: WireClient;
  /** From the start of the process to hello-ok. */
  readonly readyMs: number;
  readonly readyCpuMs: number;
  connect(): Promise<WireClient>;
  stop(): Promise<void>;
}

export const TOKEN = "bench-token-0123456789abcdef";
const RETRY_MS = 2;
const STOP_MS = 15_000;

/** `root` holds everything a run leaves behind: states, home, caches. */
export async function createState(root: string, modelPort: number): Promise<State> {
  const port = await findFreePort();
  const dir = mkdtempSync(join(root, "state-"));
  const home = join(root, "home");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(dir, "openclaw.json"), JSON.stringify(configFor(port, modelPort), null, 2));
  const env = {
    ...process.env,
    HOME: home,
    XDG_CACHE_HOME: join(root, "cache"),
    OPENCLAW_STATE_DIR: dir,
    OPENCLAW_GATEWAY_TOKEN: TOKEN,
  };
  return { dir, port, device: createDevice(), env };
}

function configFor(port: number, modelPort: number): object {
  const model = {
    id: "mock-1",
    name: "Mock 1",
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 8192,
  };
  const baseUrl = `http://127.0.0.1:${modelPort}/v1`;
  return {
    gateway: {
      mode: "local",
      port,
      bind: "loopback",
      auth: { mode: "token", token: TOKEN },
      http: { endpoints: { chatCompletions: { enabled: true }, responses: { enabled: true } } },
    },
    agents: { defaults: { model: { primary: "mock/mock-1" }, heartbeat: { every: "0m" } } },
    models: {
      mode: "merge",
      providers: { mock: { baseUrl, apiKey: "sk-bench", api: "openai-completions", models: [model] } },
    },
  };
}

/** Settings beside those that every measurement has. */
export function addSettings({ dir }: State, settings: object): void {
  const path = join(dir, "openclaw.json");
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), ...settings }, null, 2));
}

export async function startGateway(command: Command, state: State, env: NodeJS.ProcessEnv = {}): Promise<Gateway> {
  const { port } = state;
  const [program, ...first] = command.argv;
  const out = openSync(join(state.dir, "gateway.out"), "a");
  const began = performance.now();
  const child = spawn(program, [...first, "gateway", "run", "--port", String(port)], {
    env: { ...state.env, ...env },
    stdio: ["ignore", out, out],
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  const reconnect = (): Promise<WireClient> => WireClient.connect({ port, token: TOKEN, device: state.device });
  try {
    const client = await retryUntilReady(child, port, began + command.startTimeoutMs, reconnect);
    const readyMs = performance.now() - began;
    const stop = (): Promise<void> => (client.close(), stopProcess(child, pid));
    return { pid, client, readyMs, readyCpuMs: computingMs(pid), connect: reconnect, stop };
  } catch (error) {
    await stopProcess(child, pid);
    const said = readFileSync(join(state.dir, "gateway.out"), "utf8").slice(-800);
    throw new Error(`The gateway did not come up (${String(error)}). It said: ${said}`, { cause: error });
  }
}

/** Knocks until the port opens, then until `attempt` succeeds; gives up when the process is gone or time is over. */
export async function retryUntilReady<T>(
  child: ChildProcess,
  port: number,
  until: number,
  attempt: () => Promise<T>,
): Promise<T> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("it exited");
    if (performance.now() > until) throw new Error("it took too long");
    if (await isOpen(port)) {
      try {
        return await attempt();
      } catch (error) {
        if (performance.now() > until) throw error;
      }
    }
    await sleep(RETRY_MS);
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export async function stopProcess(child: ChildProcess, pid: number): Promise<void> {
  const tree = processTree(pid);
  child.kill("SIGTERM");
  const until = performance.now() + STOP_MS;
  while (tree.some(isAlive) && performance.now() < until) await sleep(5);
  for (const one of tree.filter(isAlive)) process.kill(one, "SIGKILL");
}

/** Waits until the gateway has nothing more to do, so that one measurement does not pay for another. */
export async function waitUntilQuiet(pid: number, { atMostMs }: { atMostMs: number }): Promise<void> {
  const until = performance.now() + atMostMs;
  let before = computingMs(pid);
  for (let quiet = 0; quiet < 2 && performance.now() < until;) {
    await sleep(400);
    const now = computingMs(pid);
    quiet = now - before <= 10 ? quiet + 1 : 0;
    before = now;
  }
}
