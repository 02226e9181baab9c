// Runs the built gateway as a process of its own, in state directories that are thrown away; nothing outlives a test.
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { connectClient, createTestDevice, type ClientOptions, type Json, type WireClient } from "../wire-client.ts";

export const TOKEN = "token-of-the-durability-tests-0123456789";
const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "../../..");
/** Longer than anything takes on a busy machine: only a failure waits that long. */
const PATIENCE_MS = 20_000;

export interface StateDirectory {
  readonly path: string;
  readonly configPath: string;
  readonly ledgerPath: string;
  readonly port: number;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class GatewayProcess {
  readonly state: StateDirectory;
  readonly child: ChildProcess;
  /** Everything it printed. */
  output = "";
  readonly ended: Promise<Ended>;
  #end: Ended | undefined;
  readonly #clients: WireClient[] = [];
  readonly #device: ReturnType<typeof createTestDevice>;

  constructor(state: StateDirectory, child: ChildProcess, device: ReturnType<typeof createTestDevice>) {
    this.state = state;
    this.child = child;
    this.#device = device;
    child.stdout?.on("data", (data: Buffer) => (this.output += String(data)));
    child.stderr?.on("data", (data: Buffer) => (this.output += String(data)));
    this.ended = new Promise((resolve) =>
      child.once("close", (code, signal) => resolve((this.#end = { code, signal }))),
    );
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** A client that is let in; tries until the gateway listens. */
  async connect(options: Partial<ClientOptions> = {}): Promise<WireClient> {
    const url = `ws://127.0.0.1:${this.state.port}`;
    return eventually("the gateway lets a client in", async () => {
      if (this.#end) throw new Error(`the gateway ended (${JSON.stringify(this.#end)}): ${this.output}`);
      try {
        const client = await connectClient({ url, token: TOKEN, device: this.#device, ...options });
        this.#clients.push(client);
        return client;
      } catch (error) {
        if (String(error).includes("not let in")) throw error;
        return undefined;
      }
    });
  }

  /** Resolves once everything it will ever print is in `output`. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<Ended> {
    this.child.kill(signal);
    const end = await this.ended;
    for (const client of this.#clients.splice(0)) client.terminate();
    return end;
  }
}

interface LaunchOptions {
  readonly env?: Record<string, string>;
  /** Another place where the package lies. */
  readonly packagePath?: string;
}

export interface TurnServices {
  readonly directory: string;
  /** A copy of the built package, so that a build that runs meanwhile cannot take the files from under a start. */
  readonly packagePath: string;
  /** A new state directory with a configuration that uses the model server. */
  createState(options?: { readonly config?: Json; readonly inside?: string }): Promise<StateDirectory>;
  /** A directory that is already there, under a port of its own. */
  adoptState(path: string): Promise<StateDirectory>;
  copyState(from: StateDirectory): Promise<StateDirectory>;
  start(state: StateDirectory, options?: LaunchOptions): GatewayProcess;
  /** Runs the command line to its end. */
  run(state: StateDirectory, ...argv: string[]): Promise<Ended & { readonly output: string }>;
  clean(): Promise<void>;
}

export interface WorkshopOptions {
  /** Where its directory is made. */
  readonly place?: string;
  /** For whoever puts something beside the package. */
  readonly hasOwnPackage?: boolean;
}

export function createWorkshop(
  modelBaseUrl: () => string,
  { place = tmpdir(), hasOwnPackage = false }: WorkshopOptions = {},
): TurnServices {
  const directory = mkdtempSync(join(place, "chela-durable-"));
  const copied = hasOwnPackage ? copyPackage(directory) : sharedPackage();
  const running = new Set<GatewayProcess>();
  const devices = new Map<string, ReturnType<typeof createTestDevice>>();
  const killAll = (): void => running.forEach(({ child }) => child.kill("SIGKILL"));
  process.once("exit", killAll);
  let count = 0;

  const launch = (
    state: StateDirectory,
    argv: readonly string[],
    { env = {}, packagePath = copied }: LaunchOptions = {},
  ): GatewayProcess => {
    const child = spawn(process.execPath, [join(packagePath, "bin/chela.mjs"), ...argv], {
      cwd: directory,
      env: { ...childEnvironment(directory, state.path), XDG_CACHE_HOME: join(copied, "../cache"), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const device = devices.get(state.path) ?? createTestDevice();
    devices.set(state.path, device);
    const gateway = new GatewayProcess(state, child, device);
    running.add(gateway);
    void gateway.ended.then(() => running.delete(gateway));
    return gateway;
  };
  const describe = async (path: string): Promise<StateDirectory> => ({
    path,
    configPath: join(path, "openclaw.json"),
    ledgerPath: join(path, "ledger.sqlite"),
    port: await findFreePort(),
  });

  return {
    directory,
    packagePath: copied,
    async createState({ config = {}, inside = directory } = {}) {
      const state = await describe(join(inside, `state-${++count}`));
      mkdirSync(state.path, { recursive: true });
      writeFileSync(state.configPath, `${JSON.stringify({ ...baseConfig(modelBaseUrl()), ...config }, null, 2)}\n`);
      return state;
    },
    adoptState: describe,
    async copyState(from) {
      const path = join(directory, `copy-${++count}`);
      cpSync(from.path, path, { recursive: true });
      return describe(path);
    },
    start: (state, options) => launch(state, ["gateway", "run", "--port", String(state.port)], options),
    async run(state, ...argv) {
      const finished = launch(state, argv);
      const end = await finished.ended;
      return { ...end, output: finished.output };
    },
    async clean() {
      killAll();
      await Promise.all(Array.from(running, ({ ended }) => ended));
      process.off("exit", killAll);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** One for all test files of a run: a start finds what V8 compiled at an earlier one, as those of a user do. */
function sharedPackage(): string {
  const place = inject("packagePlace");
  const whole = join(place, "whole");
  if (!existsSync(whole)) {
    const made = mkdtempSync(join(place, "made-"));
    copyPackage(made);
    try {
      renameSync(made, whole);
    } catch (error) {
      // Another process was faster.
      if (!existsSync(whole)) throw error;
    }
  }
  return join(whole, "package");
}

function copyPackage(directory: string): string {
  const target = join(directory, "package");
  if (!existsSync(join(PACKAGE, "dist/cli.js")))
    throw new Error("Run `npm run build` first: there is no built gateway.");
  for (const name of ["bin", "dist", "package.json", "LICENSE"].filter((one) => existsSync(join(PACKAGE, one)))) {
    cpSync(join(PACKAGE, name), join(target, name), { recursive: true });
  }
  return target;
}

/** Nothing of the machine's own: no keys, no home, no locks of other gateways. */
function childEnvironment(directory: string, stateDir: string): Record<string, string> {
  const temporary = join(directory, "tmp");
  mkdirSync(temporary, { recursive: true });
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: directory,
    TMPDIR: temporary,
    OPENCLAW_STATE_DIR: stateDir,
  };
}

export function baseConfig(baseUrl: string): Json {
  return {
    gateway: { mode: "local", auth: { mode: "token", token: TOKEN }, reload: { debounceMs: 10 } },
    agents: { defaults: { model: "paced/paced", sandbox: { mode: "off" }, memorySearch: { enabled: false } } },
    models: {
      providers: {
        paced: {
          baseUrl,
          apiKey: "no-real-key",
          api: "openai-completions",
          models: [{ id: "paced", name: "Paced", contextWindow: 200_000, maxTokens: 8_192 }],
        },
      },
    },
  };
}

/** Below the range the system hands out by itself, so that nobody takes it between two starts. */
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Asks again until the answer is there, for what no event tells. An answer of undefined or false is none. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  tell: () => unknown = () => "",
): Promise<NonNullable<T>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const asked = Date.now();
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`${what}: it did not happen ${String(tell())}`);
    // Whoever reads a whole ledger to know it leaves the machine to those that are asked about.
    await pause(Math.max(5, Date.now() - asked));
  }
}
