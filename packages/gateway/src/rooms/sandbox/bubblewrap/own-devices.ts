// Device files of our own, for gateways that run as root.
//
// bubblewrap shows the machine's own /dev/null and its kin. Inside, root's files belong to whoever is there, and so could
// be given other permissions: on the whole machine. Our copies belong to somebody who is never inside.
import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, constants, existsSync, lchownSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "@chela/sdk/files";
import { makePrivateFolder } from "./private-folders.ts";

const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"];
/** Of an ordinary user outside, whom nobody inside is: whoever owns a file could still spoil it for other sandboxes. */
const NOBODY = 65534;
const SHORTAGES: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "ENOSPC"]);

export interface OwnDevices {
  readonly arguments: readonly string[];
  isThere(): boolean;
  remove(): void;
}

/** In the first folder where they work: many machines forbid devices in /tmp. Undefined when they work nowhere. */
export function makeOwnDevices(folders: readonly string[], copy: string): OwnDevices | undefined {
  for (const parent of folders) {
    const made = tryToMake(parent, copy);
    if (made) return made;
  }
  return undefined;
}

function tryToMake(parent: string, copy: string): OwnDevices | undefined {
  let folder: string | undefined;
  try {
    folder = makePrivateFolder(parent, "system");
    const at = join(folder, "dev");
    mkdirSync(at, { mode: 0o755 });
    execFileSync(copy, ["-a", ...DEVICES.map((name) => `/dev/${name}`), at], { env: {}, stdio: "ignore" });
    for (const name of DEVICES) {
      chmodSync(join(at, name), 0o666);
      lchownSync(join(at, name), NOBODY, NOBODY);
    }
    closeSync(openSync(join(at, "null"), constants.O_WRONLY));
    const root = folder;
    return {
      arguments: DEVICES.flatMap((name) => ["--dev-bind", join(at, name), `/dev/${name}`]),
      isThere: () => DEVICES.every((name) => existsSync(join(at, name))),
      remove: () => rmSync(root, { recursive: true, force: true }),
    };
  } catch (error) {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    // That something ran out says nothing of what this machine allows.
    if (SHORTAGES.has(errnoOf(error) ?? "")) throw error;
    return undefined;
  }
}
