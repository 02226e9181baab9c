// Owns the time of a gateway in a process of its own: tells it the time, waits until it is done, kills it.
import { buildSync } from "esbuild";
import { fork, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CronAnswer, CronOrder, LeftToDo } from "./cron-child.ts";
import { connectClient, createTestDevice, type Json, type WireClient } from "../wire-client.ts";

const CHILD = join(import.meta.dirname, "cron-child.ts");
const TOKEN = "token-of-the-simulated-year-0123456789";
/** What a killed process wrote stays with the system, so memory does as well as a disk, and takes no time. */
const IN_MEMORY = "/dev/shm";

export type Reached = "quiet" | "dead";

export interface CronHousehold extends AsyncDisposable {
  readonly stateDir: string;
  readonly ledgerPath: string;
  /** Until only `left` is to be done. Starts it when it is not running; `dieAfter` kills it in the middle of what it does. */
  go(to: number, left: LeftToDo, dieAfter?: number): Promise<Reached>;
  kill(): Promise<void>;
  /** As a person stops it. */
  stop(): Promise<void>;
  withClient<T>(work: (client: WireClient) => Promise<T>): Promise<T>;
}

export function createHousehold(config: Json, zone: string): CronHousehold {
  const directory = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "chela-year-"));
  const stateDir = join(directory, "state");
  mkdirSync(stateDir);
  const program = bundleChild(join(directory, "program"));
  writeFileSync(join(stateDir, "openclaw.json"), JSON.stringify({ ...baseConfig(), ...config }, null, 2));
  const device = createTestDevice();
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let output = "";
  let port = 0;
  const killChild = (): boolean | undefined => child?.kill("SIGKILL");
  process.once("exit", killChild);

  function launch(): ChildProcess {
    const made = fork(program, {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: directory,
        TMPDIR: directory,
        OPENCLAW_STATE_DIR: stateDir,
        NODE_COMPILE_CACHE: join(directory, "compiled"),
        TZ: zone,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    output = "";
    for (const stream of [made.stdout, made.stderr]) stream?.on("data", (data: Buffer) => (output += String(data)));
    ended = new Promise((resolve) => made.once("close", resolve)).then(() => (child = undefined));
    return made;
  }

  async function tell(order: CronOrder): Promise<CronAnswer | "dead"> {
    const told = child ?? launch();
    child = told;
    const answered = new Promise<CronAnswer>((resolve) => told.once("message", resolve));
    told.send(order, () => {});
    return Promise.race([answered, ended.then(() => "dead" as const)]);
  }

  return {
    stateDir,
    ledgerPath: join(stateDir, "ledger.sqlite"),
    async go(to, left, dieAfter) {
      const answer = await tell({ kind: "go", to, left, ...(dieAfter === undefined ? {} : { dieAfter }) });
      if (answer === "dead" && dieAfter !== undefined) return "dead";
      if (answer === "dead" || answer.kind !== "quiet") {
        throw new Error(`at ${new Date(to).toISOString()}: ${JSON.stringify(answer)}\n${output}`);
      }
      ({ port } = answer);
      return "quiet";
    },
    async kill() {
      killChild();
      await ended;
    },
    async stop() {
      const answer = await tell({ kind: "stop" });
      if (answer === "dead" || answer.kind !== "stopped") throw new Error(`${JSON.stringify(answer)}\n${output}`);
      await ended;
    },
    async withClient(work) {
      const client = await connectClient({ url: `ws://127.0.0.1:${port}`, token: TOKEN, device });
      try {
        return await work(client);
      } finally {
        await client.close();
      }
    },
    async [Symbol.asyncDispose]() {
      killChild();
      await ended;
      process.off("exit", killChild);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** It starts some fifty times: from a few files that is a matter of a tenth of a second, from all the sources of one. */
function bundleChild(directory: string): string {
  buildSync({
    entryPoints: { child: CHILD },
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node24",
    conditions: ["chela-source"],
    // Some of what is bundled asks for its parts in the old way.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
    // Have a native part, and need not be there.
    external: ["@lydell/node-pty", "sharp"],
    logLevel: "error",
  });
  return join(directory, "child.mjs");
}

function baseConfig(): Json {
  return {
    gateway: { mode: "local", auth: { mode: "token", token: TOKEN } },
    agents: {
      defaults: {
        model: "instant/instant",
        sandbox: { mode: "off" },
        memorySearch: { enabled: false },
        heartbeat: { every: "0m" },
      },
    },
    models: { providers: { instant: { baseUrl: "http://127.0.0.1:9", models: [{ id: "instant", name: "Instant" }] } } },
  };
}
