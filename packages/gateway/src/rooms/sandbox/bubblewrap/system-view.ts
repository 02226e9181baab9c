// View of the machine in every sandbox: its programs, read-only, a small /etc of our own, a /proc without its dangers.
import { execFile } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { OwnDevices } from "./own-devices.ts";
import { makePrivateFolder } from "./private-folders.ts";

export interface SystemView {
  /** For bubblewrap. Few, because each folder that is shown costs a sixth of a millisecond. */
  readonly arguments: readonly string[];
  /** Come after /dev. */
  readonly devices: readonly string[];
  /** Whether all of it still is where it was made: others may write to the folder it lies in. */
  isThere(): boolean;
  remove(): void;
}

/** On many systems these are links into /usr. */
const PROGRAM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** Never all of /etc: it holds password hashes, keys and tokens. */
const COPIED_ETC = [
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "alternatives",
  "ssl/certs",
  "ssl/openssl.cnf",
  "pki/tls/certs",
  "pki/ca-trust/extracted",
  "ca-certificates/extracted",
  "localtime",
  "timezone",
  "mime.types",
  "protocols",
  "services",
  "os-release",
  "debian_version",
  "terminfo",
  "fonts",
  "java-11-openjdk",
  "java-17-openjdk",
  "java-21-openjdk",
  "java-25-openjdk",
];

/** Written by us, so that nobody inside learns who has an account here. */
const OWN_ETC: Readonly<Record<string, string>> = {
  passwd: "root:x:0:0:root:/root:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n",
  group: "root:x:0:\nnogroup:x:65534:\n",
  hosts: "127.0.0.1 localhost sandbox\n::1 localhost\n",
  hostname: "sandbox\n",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
  "resolv.conf": "",
};

export interface SystemViewParts {
  /** Where private folders are made. */
  readonly folder: string;
  readonly devices: OwnDevices | undefined;
  /** The program cp. */
  readonly copy: string;
}

/** Makes the folders that all sandboxes of this process share. */
export async function makeSystemView({ folder, devices, copy }: SystemViewParts): Promise<SystemView> {
  const root = makePrivateFolder(folder, "system");
  const [etc, empty] = [join(root, "etc"), join(root, "empty")];
  mkdirSync(etc, { mode: 0o755 });
  mkdirSync(empty, { mode: 0o755 });
  await copyEtc(etc, copy);
  for (const [name, text] of Object.entries(OWN_ETC)) writeFileSync(join(etc, name), text, { mode: 0o644 });
  return {
    arguments: [...programArguments(), "--ro-bind", etc, "/etc", ...procArguments(empty)],
    devices: devices?.arguments ?? [],
    isThere: () => existsSync(join(etc, "passwd")) && existsSync(empty) && devices?.isThere() !== false,
    remove() {
      rmSync(root, { recursive: true, force: true });
      devices?.remove();
    },
  };
}

/** Only what every user of this machine can read: the gateway may be one who can read more. */
async function copyEtc(to: string, copy: string): Promise<void> {
  const names = COPIED_ETC.filter((name) => look(`/etc/${name}`));
  if (names.length === 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  // Links stay links; what cannot be read is left out, which is what is wanted.
  execFile(copy, ["-RPp", "--parents", ...names, to], { cwd: "/etc", env: {} }, () => resolve());
  await promise;
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isPlain = entry.isDirectory() || entry.isSymbolicLink() || (entry.isFile() && isReadableByAll(path));
    if (!isPlain) rmSync(path, { force: true });
  }
}

function isReadableByAll(path: string): boolean {
  return ((look(path)?.mode ?? 0) & 0o004) !== 0;
}

function programArguments(): string[] {
  const folders = PROGRAM_FOLDERS.map((path) => {
    const known = look(path);
    if (!known) return [];
    return known.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  });
  // The counterpart of /etc for what an operator installed by hand.
  const local = "/usr/local/etc";
  const hidden = look(local) && readdirSync(local).length > 0 ? ["--size", "4096", "--tmpfs", local] : [];
  return [["--ro-bind", "/usr", "/usr"], hidden, ...folders].flat();
}

/** They say only what concerns the process that looks, ask for a capability, or are covered by bubblewrap itself. */
const HARMLESS_PROC = [
  "self",
  "thread-self",
  "net",
  "mounts",
  "sys",
  "sysvipc",
  "pressure",
  "kmsg",
  "kcore",
  "mtrr",
  "bus",
  "irq",
];

/**
 * A gateway that runs as root shares its number outside with what is inside, and many files in /proc ask for that number
 * and for no capability. So whatever an ordinary user could not read or change there is covered, and settings of the
 * kernel (/proc/sys) can only be read. For any other user the kernel's own rules do.
 */
function procArguments(empty: string): string[] {
  if (process.getuid?.() !== 0) return ["--proc", "/proc"];
  const names = readdirSync("/proc").filter((name) => !/^\d+$/.test(name) && !HARMLESS_PROC.includes(name));
  const covers = names.flatMap((name) => {
    const path = `/proc/${name}`;
    if (isForEverybody(path)) return [];
    return ["--ro-bind", look(path)?.isDirectory() ? empty : "/dev/null", path];
  });
  return ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", ...covers];
}

function isForEverybody(path: string): boolean {
  const known = look(path);
  if (!known || known.isSymbolicLink()) return true;
  if ((known.mode & 0o004) === 0 || (known.mode & 0o222) !== 0) return false;
  return !known.isDirectory() || readdirSync(path).every((name) => isForEverybody(join(path, name)));
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
