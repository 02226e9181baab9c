// Skills that were installed: put in their place as a whole, written into the lock, and compared with it ever after.
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { GatewayError, type Clock } from "@chela/sdk";
import { digestOf, hashesOf, readTree } from "../reading/read-tree.ts";
import { readSkill } from "../reading/read-skill.ts";
import type { Skill } from "../reading/skill.ts";
import { fetchSource, type Fetched } from "./fetch-source.ts";
import { readLock, writeLock, type Locked } from "./lock.ts";
import type { Registry } from "./registry.ts";
import { scanFiles, type ScanFinding } from "./scan.ts";

export interface InstalledParts {
  /** Its folder `skills` holds them, `.clawhub` the lock. */
  readonly workdir: string;
  readonly clock: Clock;
  registry(): Registry;
}

export interface Wanted {
  readonly spec: string;
  readonly version?: string | undefined;
  /** The folder, where it is not the skill's own name. */
  readonly as?: string | undefined;
  /** The digest somebody has looked at: exactly these files may be put in place. */
  readonly accept?: string | undefined;
}

export interface Offered {
  readonly name: string;
  readonly description: string;
  readonly version: string | null;
  readonly digest: string;
  readonly files: readonly string[];
  readonly findings: readonly ScanFinding[];
  readonly warnings: readonly string[];
  readonly installers: readonly string[];
  /** Files that are others than those that are installed. */
  readonly changed: readonly string[];
}

export type Placed =
  | { readonly kind: "installed"; readonly offer: Offered; readonly folder: string }
  /** It is as it was. */
  | { readonly kind: "current"; readonly offer: Offered; readonly folder: string }
  /** Somebody has to look at it and say yes to this digest. */
  | { readonly kind: "asks"; readonly offer: Offered };

export type Verified =
  | { readonly kind: "unchanged"; readonly digest: string }
  | { readonly kind: "changed"; readonly digest: string; readonly files: readonly string[] }
  /** Nobody installed it. */
  | { readonly kind: "unknown"; readonly digest: string };

const FOLDER = /^[a-z0-9][a-z0-9._-]{0,99}$/i;

export class InstalledSkills {
  readonly #parts: InstalledParts;

  constructor(parts: InstalledParts) {
    this.#parts = parts;
  }

  /** Fetches it, and puts it in place when nothing has to be looked at, or what was looked at is what came. */
  async install(wanted: Wanted, isUpdate = false): Promise<Placed> {
    const fetched = await fetchSource(wanted.spec, wanted.version, this.#parts.registry());
    const { skill } = headOf(fetched);
    const name = wanted.as ?? (FOLDER.test(skill.name) ? skill.name : fetched.name);
    if (!FOLDER.test(name)) throw refusal(`${JSON.stringify(name.slice(0, 100))} cannot be the name of a folder.`);
    const folder = this.#folderOf(name);
    if (!isUpdate && existsSync(folder)) {
      throw refusal(
        `There is a skill in ${folder}. \`chela skills update ${name}\` brings a newer one, \`chela skills remove ${name}\` takes it away.`,
      );
    }
    const offer = this.#offer(fetched, name, skill);
    if (isUpdate && offer.changed.length === 0) return { kind: "current", offer, folder };
    const isLookedAt = wanted.accept === offer.digest;
    const asks = isUpdate || offer.findings.some(({ severity }) => severity !== "info");
    if (asks && !isLookedAt) return { kind: "asks", offer };
    this.#place(folder, fetched);
    this.#lock(name, fetched, offer.digest);
    return { kind: "installed", offer, folder };
  }

  async update(name: string, accept?: string): Promise<Placed> {
    const locked = this.#locked(name);
    if (!locked?.sourceRef) throw refusal(`It is not known where ${name} came from. Remove it and install it anew.`);
    if (locked.pinned) throw refusal(`${name} is pinned to ${locked.version ?? "what it is"} in the lock file.`);
    const verified = this.verify(name);
    if (verified.kind === "changed") {
      const which = verified.files.slice(0, 5).join(", ");
      throw refusal(
        `Files of ${name} were changed here since it was installed: ${which}. \`chela skills accept ${name}\` keeps them, \`chela skills remove ${name}\` lets go of them.`,
      );
    }
    return this.install({ spec: locked.sourceRef, as: name, accept }, true);
  }

  remove(name: string): string {
    const folder = this.#folderOf(name);
    if (!existsSync(folder)) throw new GatewayError("SKILL_UNKNOWN", name);
    const gone = join(dirname(folder), `.${name}.removed`);
    rmSync(gone, { recursive: true, force: true });
    renameSync(folder, gone);
    const lock = new Map(readLock(this.#parts.workdir));
    if (lock.delete(name)) writeLock(this.#parts.workdir, lock);
    rmSync(gone, { recursive: true, force: true });
    return folder;
  }

  verify(name: string): Verified {
    const read = readTree(this.#folderOf(name));
    if (read.kind === "refused") throw refusal(`${name} cannot be looked at. ${read.why}`);
    const { digest } = read;
    const locked = this.#locked(name);
    if (!locked?.digest || !locked.files) return { kind: "unknown", digest };
    if (locked.digest === digest) return { kind: "unchanged", digest };
    return { kind: "changed", digest, files: differing(hashesOf(read.files), locked.files) };
  }

  /** The owner changed it, and wants it so. */
  accept(name: string): void {
    const locked = this.#locked(name);
    const read = readTree(this.#folderOf(name));
    if (!locked || read.kind === "refused") return;
    const kept = { ...locked, files: hashesOf(read.files), digest: read.digest };
    writeLock(this.#parts.workdir, new Map([...readLock(this.#parts.workdir), [name, kept]]));
  }

  list(): ReadonlyMap<string, Locked> {
    return readLock(this.#parts.workdir);
  }

  isLocked(realDir: string): boolean {
    return dirname(realDir) === join(this.#parts.workdir, "skills") && this.#locked(basename(realDir)) !== undefined;
  }

  /** Why one in this folder must not be used: its files are not those that were installed. */
  whyNot(realDir: string, digest: string): string | undefined {
    const name = basename(realDir);
    const locked = this.isLocked(realDir) ? this.#locked(name) : undefined;
    if (!locked?.digest || locked.digest === digest) return undefined;
    return `Its files are not those that were installed. \`chela skills verify ${name}\` shows which, \`chela skills accept ${name}\` takes them as they are.`;
  }

  #offer({ files, version }: Fetched, name: string, skill: Skill): Offered {
    const hashes = hashesOf(files);
    return {
      name,
      description: skill.description,
      version,
      digest: digestOf(hashes),
      files: [...files.keys()].toSorted(),
      findings: scanFiles(files),
      warnings: skill.warnings,
      installers: skill.install.map(({ label }) => label),
      changed: differing(hashes, this.#locked(name)?.files ?? {}),
    };
  }

  /** It appears whole, or not at all. */
  #place(folder: string, { files, ref, version }: Fetched): void {
    const made = join(dirname(folder), `.${basename(folder)}.new`);
    const old = join(dirname(folder), `.${basename(folder)}.old`);
    for (const place of [made, old]) rmSync(place, { recursive: true, force: true });
    for (const [name, { bytes, isExecutable }] of files) {
      const file = join(made, name);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, bytes);
      chmodSync(file, isExecutable ? 0o700 : 0o600);
    }
    mkdirSync(join(made, ".clawhub"), { mode: 0o700 });
    const origin = { version: 1, sourceRef: ref, installedVersion: version, installedAt: this.#parts.clock.now() };
    writeFileSync(join(made, ".clawhub", "origin.json"), `${JSON.stringify(origin, null, 2)}\n`, { mode: 0o600 });
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(made, folder);
    rmSync(old, { recursive: true, force: true });
  }

  #lock(name: string, { files, version, ref }: Fetched, digest: string): void {
    const locked: Locked = {
      version,
      installedAt: this.#parts.clock.now(),
      sourceRef: ref,
      files: hashesOf(files),
      digest,
    };
    writeLock(this.#parts.workdir, new Map([...readLock(this.#parts.workdir), [name, locked]]));
  }

  #locked(name: string): Locked | undefined {
    return readLock(this.#parts.workdir).get(name);
  }

  #folderOf(name: string): string {
    if (!FOLDER.test(name)) throw new GatewayError("SKILL_UNKNOWN", name.slice(0, 100));
    return join(this.#parts.workdir, "skills", name);
  }
}

function headOf({ files, name }: Fetched): { readonly skill: Skill } {
  const read = readSkill(Buffer.from(files.get("SKILL.md")?.bytes ?? "").toString("utf8"), name);
  if (read.kind === "skill") return read;
  throw refusal(`It cannot be installed. ${read.why}`);
}

function differing(now: Readonly<Record<string, string>>, before: Readonly<Record<string, string>>): string[] {
  return [...new Set([...Object.keys(now), ...Object.keys(before)])]
    .filter((name) => now[name] !== before[name])
    .toSorted();
}

function refusal(why: string): GatewayError {
  return new GatewayError("SKILL_REQUEST", why);
}
