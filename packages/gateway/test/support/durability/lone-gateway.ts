// A gateway as a process of its own, from the sources: what it needs of the machine can be measured.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../wire-client.ts";

const SOURCE = join(import.meta.dirname, "../../../src/cli/main.ts");

export interface LoneGateway extends AsyncDisposable {
  readonly port: number;
  readonly stateDir: string;
  /** The most memory it ever had, in megabytes. */
  peakMegabytes(): number;
  isAlive(): boolean;
}

export async function startLoneGateway(config: Json): Promise<LoneGateway> {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-lone-"));
  writeFileSync(join(stateDir, "openclaw.json"), JSON.stringify(config));
  const env = { PATH: "/usr/bin:/bin", HOME: stateDir, OPENCLAW_STATE_DIR: stateDir, OLLAMA_HOST: "127.0.0.1:9" };
  const child = spawn(process.execPath, ["-C", "chela-source", SOURCE, "gateway", "run", "--port", "0"], {
    cwd: stateDir,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
    rmSync(stateDir, { recursive: true, force: true });
  };
  try {
    const port = await untilListening(child);
    return {
      port,
      stateDir,
      peakMegabytes: () => readPeak(child.pid ?? 0),
      isAlive: () => child.exitCode === null && child.signalCode === null,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function untilListening(child: ChildProcess): Promise<number> {
  let output = "";
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const look = (part: unknown): void => {
    output += String(part);
    const [, port] = /listens on https?:\/\/[^:]+:(\d+)/.exec(output) ?? [];
    if (port && /^Model: .+\n/m.test(output)) resolve(Number(port));
  };
  child.stdout?.on("data", look);
  child.stderr?.on("data", look);
  child.once("close", () => reject(new Error(`it ended:\n${output}`)));
  return promise;
}

function readPeak(pid: number): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
