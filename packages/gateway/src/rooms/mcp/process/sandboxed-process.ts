// A server's process in a sandbox of its own: it sees its program, what its configuration names, and one folder it may fill.
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { SandboxMount, SandboxPlace, SandboxProfile } from "@chela/sdk";
import { isInside } from "@chela/sdk/files";
import type { ProcessOrders, ServerProcess } from "./host-process.ts";

export interface SandboxWishes {
  readonly hosts: readonly string[];
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export interface SandboxSurroundings {
  /** Names it among all sandboxes. */
  readonly scope: string;
  /** The one folder it may fill, outside. */
  readonly folder: string;
  readonly home: string;
  /** What no server ever sees, and what of it all the same. */
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

const INSIDE = "/workspace";
const COMPLAINTS = "server.log";
const MEBIBYTE = 1024 ** 2;
/** Part of every sandbox. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"];

/** Where programs that fetch programs fetch them from. */
const REGISTRIES: Readonly<Record<string, readonly string[]>> = {
  npx: ["registry.npmjs.org"],
  bunx: ["registry.npmjs.org"],
  uvx: ["pypi.org", "files.pythonhosted.org"],
  pipx: ["pypi.org", "files.pythonhosted.org"],
};

/** It reads what is configured and where programs lie, and nothing a server or a model says. */
export function profileOf(orders: ProcessOrders, wishes: SandboxWishes, around: SandboxSurroundings): SandboxProfile {
  const hosts = [...wishes.hosts, ...(REGISTRIES[basename(orders.command)] ?? [])];
  return {
    scope: around.scope,
    workdir: INSIDE,
    mounts: mountsOf(orders, wishes, around),
    network: hosts.length > 0 ? { kind: "hosts", hosts } : { kind: "none" },
    limits: {
      memoryBytes: 2048 * MEBIBYTE,
      processes: 128,
      cpuSeconds: 86_400,
      fileBytes: 512 * MEBIBYTE,
      openFiles: 1024,
    },
    env: { ...orders.env, HOME: INSIDE, TMPDIR: "/tmp" },
    container: {
      image: "",
      namePrefix: "",
      isRootReadOnly: true,
      tmpfs: [],
      capDrop: ["ALL"],
      ulimits: {},
      dns: [],
      extraHosts: [],
    },
  };
}

function mountsOf(orders: ProcessOrders, wishes: SandboxWishes, around: SandboxSurroundings): SandboxMount[] {
  const named = [...orders.args, orders.cwd].filter((text) => isAbsolute(text) && existsSync(text));
  const readable = [
    ...placesOfProgram(orders.command),
    ...named.flatMap((path) => placesOf(path, around)),
    ...wishes.read,
  ];
  const seen = new Map<string, SandboxMount>();
  const show = (path: string, isWritable: boolean): void => {
    if (!existsSync(path) || SYSTEM.some((folder) => isInside(folder, path)) || isClosed(path, around)) return;
    seen.set(path, { outside: realpathSync(path), inside: path, isWritable });
  };
  for (const path of readable) show(path, false);
  for (const path of wishes.write) show(path, true);
  const own = { outside: around.folder, inside: INSIDE, isWritable: true };
  // What lies in another one comes after it, or would be covered by it.
  return [own, ...[...seen.values()].toSorted((a, b) => a.inside.length - b.inside.length)];
}

/** Neither the gateway's own files nor a folder they lie in. */
function isClosed(path: string, { closed, open, home }: SandboxSurroundings): boolean {
  const real = realpathSync(path);
  if (open.some((folder) => isInside(folder, real))) return false;
  return [...closed, home].some((folder) => isInside(real, folder)) || closed.some((folder) => isInside(folder, real));
}

/** Where it is found by name, and where it really lies with all it loads. */
function placesOfProgram(command: string): string[] {
  const real = realpathSync(command);
  const prefix = dirname(dirname(command));
  const modules = join(prefix, "lib", "node_modules");
  return [dirname(command), wholeOf(real), ...(existsSync(modules) ? [modules] : [])];
}

function placesOf(path: string, around: SandboxSurroundings): string[] {
  const real = realpathSync(path);
  if (statSync(real).isDirectory()) return [path];
  return [...new Set([wholeOf(path), wholeOf(real)])].map((place) => (isClosed(place, around) ? path : place));
}

const MARKS = ["package.json", "pyproject.toml", "deno.json"];
const MOST_LEVELS = 5;

/** The folder in which a program has what it loads: its package, or all packages beside it. */
function wholeOf(file: string): string {
  const [outermost] = file.split("/node_modules/");
  if (outermost !== undefined && outermost !== file) return join(outermost, "node_modules");
  let folder = dirname(file);
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    if (MARKS.some((name) => existsSync(join(folder, name)))) return folder;
    folder = dirname(folder);
  }
  return dirname(file);
}

export async function startInSandbox(
  place: SandboxPlace,
  orders: ProcessOrders,
  { folder }: Pick<SandboxSurroundings, "folder">,
): Promise<ServerProcess> {
  const listeners: Array<(text: string) => void> = [];
  let early = "";
  const words = [orders.command, ...orders.args].map(quote).join(" ");
  // Only messages belong on its output; what it complains of goes to a file, as far as anybody reads it.
  const complaints = `head -c 20000 >${INSIDE}/${COMPLAINTS}; exec cat >/dev/null`;
  const running = await place.start({
    command: `{ { exec ${words} 2>&1 1>&3 3>&-; } | { ${complaints}; } 3>&-; } 3>&1`,
    cwd: placeInside(place, orders.cwd),
    env: {},
    takesInput: true,
    onText: (text) => {
      if (listeners.length === 0) early += text;
      for (const listener of listeners) listener(text);
    },
  });
  const ended = running.exited.then(({ exitCode, signal }) =>
    signal ? `it was ended by ${signal}` : `it ended with code ${exitCode ?? "unknown"}`,
  );
  void ended.then(() => running.abandon());
  return {
    pid: running.pid,
    ended,
    complaint: () => readTail(join(folder, COMPLAINTS)),
    write: (text) => running.write(text),
    onText(listener) {
      listeners.push(listener);
      if (early !== "") listener(early);
      early = "";
    },
    // Its sandbox is its own, so that nothing of it is left when that is taken down.
    async end() {
      running.closeInput();
      await place.close();
    },
  };
}

function placeInside({ profile }: SandboxPlace, cwd: string): string {
  return profile.mounts.some(({ inside }) => isInside(inside, cwd)) ? cwd : INSIDE;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function readTail(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(-4_000).trim();
  } catch {
    return "";
  }
}

export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
