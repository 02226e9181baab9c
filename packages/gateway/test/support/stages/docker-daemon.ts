// A Docker daemon of the test's own, with one small image made from Debian's busybox; nothing is fetched from a registry.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  copyFileSync,
  writeFileSync,
  readFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDebianPackage, findProgram, warnNotTested } from "./debian-package.ts";

export interface DockerDaemon extends AsyncDisposable {
  readonly socketPath: string;
  /** The name of the one image that is there. */
  readonly image: string;
}

const IMAGE = { repo: "chela-test", tag: "busybox" };
const PATIENCE_MS = 30_000;

/**
 * Runs the daemon until its own input ends, which it also does when the test is killed; then takes down what is left.
 * Arguments: the directory of everything, the daemon's command line.
 */
const WATCH = `
dir=$1; shift
"$@" >"$dir/log" 2>&1 &
daemon=$!
cat >/dev/null
kill "$daemon"
(sleep 20; kill -9 "$daemon") 2>/dev/null &
guard=$!
wait "$daemon"
kill "$guard"
for again in 1 2; do
  grep -o " $dir/[^ ]*" /proc/self/mountinfo | while read -r place; do umount -l "$place" 2>/dev/null; done
done
rm -rf "$dir"
`;

/** Undefined, and said loudly, where it cannot be had. */
export async function startDockerDaemon(): Promise<DockerDaemon | undefined> {
  const missing = whyNot();
  if (missing) return void warnNotTested("the sandbox of Docker", missing);
  for (const driver of ["overlay2", "vfs"]) {
    const daemon = await tryDaemon(driver);
    if (daemon) return daemon;
  }
  warnNotTested("the sandbox of Docker", "the daemon does not start here");
  return undefined;
}

function whyNot(): string | undefined {
  if (process.platform !== "linux") return "only on Linux";
  if (process.getuid?.() !== 0) return "a daemon of its own needs root";
  if (!ensureDebianPackage("docker.io", "dockerd")) return "dockerd cannot be had";
  if (!ensureDebianPackage("busybox-static", "busybox")) return "busybox cannot be had";
  return undefined;
}

async function tryDaemon(driver: string): Promise<DockerDaemon | undefined> {
  const directory = mkdtempSync(join(tmpdir(), "chela-docker-"));
  const socketPath = join(directory, "engine.sock");
  const options = {
    "--data-root": join(directory, "data"),
    "--exec-root": join(directory, "exec"),
    "--host": `unix://${socketPath}`,
    "--pidfile": join(directory, "pid"),
    "--storage-driver": driver,
    "--bridge": "none",
    "--iptables": "false",
    "--ip6tables": "false",
    "--ip-forward": "false",
  };
  const line = [
    findProgram("dockerd") ?? "dockerd",
    ...Object.entries(options).map(([key, value]) => `${key}=${value}`),
  ];
  const watcher = spawn("sh", ["-c", WATCH, "sh", directory, ...line], { stdio: ["pipe", "ignore", "ignore"] });
  const ended = new Promise<void>((resolve) => watcher.once("close", () => resolve()));
  const stop = async (): Promise<void> => {
    watcher.stdin.end();
    await ended;
  };
  try {
    if (!(await answers(socketPath, directory))) return await stop().then(() => undefined);
    await importImage(socketPath, directory);
  } catch (error) {
    await stop();
    throw error;
  }
  return { socketPath, image: `${IMAGE.repo}:${IMAGE.tag}`, [Symbol.asyncDispose]: stop };
}

async function answers(socketPath: string, directory: string): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    if (existsSync(socketPath) && (await ask(socketPath, "GET", "/_ping").catch(() => 0)) === 200) return true;
    if (hasFailed(join(directory, "log"))) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function hasFailed(log: string): boolean {
  return existsSync(log) && /failed to start daemon/.test(readFileSync(log, "utf8"));
}

async function importImage(socketPath: string, directory: string): Promise<void> {
  const root = join(directory, "root");
  const busybox = findProgram("busybox") ?? "busybox";
  for (const folder of ["bin", "etc", "tmp"]) mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(busybox, join(root, "bin", "busybox"));
  const { stdout } = spawnSync(busybox, ["--list"], { encoding: "utf8" });
  const names = stdout.split("\n").filter((name) => name !== "" && name !== "busybox");
  for (const name of names) symlinkSync("busybox", join(root, "bin", name));
  writeFileSync(join(root, "etc", "passwd"), "root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n");
  const { stdout: tar } = spawnSync("tar", ["-C", root, "-cf", "-", "."], { maxBuffer: 64 * 1024 * 1024 });
  const query = new URLSearchParams({ fromSrc: "-", ...IMAGE }).toString();
  const status = await ask(socketPath, "POST", `/images/create?${query}`, tar);
  rmSync(root, { recursive: true, force: true });
  if (status !== 200) throw new Error(`the daemon did not take the image (${status})`);
}

function ask(socketPath: string, method: string, path: string, body?: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = body ? { "content-type": "application/x-tar" } : {};
    const outgoing = request({ socketPath, method, path, headers, agent: false }, (incoming) => {
      incoming.resume();
      incoming.once("end", () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}
