// Finds the place a path leads to, one name at a time, and never leaves what is allowed: every link is looked at.
import { lstatSync, readlinkSync, realpathSync, statSync, type BigIntStats } from "node:fs";
import { isAbsolute, join, parse, resolve, sep } from "node:path";
import { GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { fileFailure } from "./file-failure.ts";
import { canHoldByDescriptor, HeldFolder, identityOf } from "./held-folder.ts";
import { saysWhatRuns } from "../../../base/files/control-files.ts";
import { absolutePath, namesBelow, refusePath, type Confinement } from "./written-path.ts";

/** What a path leads to. Its directory is held until the place is disposed of. */
export interface LocatedPath extends Disposable {
  /** The path as it was written. */
  readonly written: string;
  /** Absolute, links resolved; two paths to one file have the same. */
  readonly real: string;
  readonly kind: "file" | "directory" | "missing" | "special";
  /** The directory itself, or the deepest one that exists on the way. */
  readonly folder: HeldFolder;
  /** Directories between `folder` and the file that do not exist yet. */
  readonly missing: readonly string[];
  /** The last name; "." for a directory. */
  readonly name: string;
}

/** Trees of the kernel: what looks like a file there is a door to something else. */
const SYSTEM_TREES = ["/proc", "/sys", "/dev"];
const MAX_LINKS = 40;
/** How often one name may change between looking at it and entering it. */
const MAX_CHANGES = 10;

export function locate(written: string, rules: Confinement, byDescriptor = canHoldByDescriptor()): LocatedPath {
  let walk: Walk | undefined;
  try {
    walk = new Walk(written, rules, byDescriptor);
    return walk.run();
  } catch (error) {
    walk?.release();
    throw fileFailure(error, "TOOL_FILE", `"${written}" cannot be reached`);
  }
}

type Zone = "allowed" | "forbidden" | "closed note";
interface Step {
  readonly folder: HeldFolder;
  readonly zone: Zone;
}
type Ending = Pick<LocatedPath, "kind" | "missing" | "name">;

class Walk {
  readonly #written: string;
  readonly #rules: Confinement;
  readonly #workspace: { readonly real: string; readonly identity: string };
  readonly #forbidden: ReadonlySet<string>;
  readonly #closedNotes: ReadonlySet<string>;
  readonly #system: ReadonlySet<string>;
  readonly #steps: Step[] = [];
  #pending: string[] = [];
  #linksLeft = MAX_LINKS;
  #changesLeft = MAX_CHANGES;

  constructor(written: string, rules: Confinement, byDescriptor: boolean) {
    this.#written = written;
    this.#rules = rules;
    this.#workspace = workspaceOf(rules);
    this.#forbidden = namesAndIdentities(rules.forbidden.map((path) => resolve(path)));
    this.#closedNotes = namesAndIdentities(rules.closedNotes ?? []);
    this.#system = namesAndIdentities(SYSTEM_TREES);
    const start = rules.workspaceOnly ? this.#workspace.real : parse(this.#workspace.real).root;
    this.#steps.push({ folder: HeldFolder.take(start, start, byDescriptor), zone: "allowed" });
  }

  run(): LocatedPath {
    const names = this.#namesTo(absolutePath(this.#written, this.#rules, this.#workspace.real));
    if (names === undefined) throw refusePath(this.#written, "lies outside the workspace", this.#rules);
    this.#pending = names;
    let ending: Ending | undefined;
    while (ending === undefined) {
      const name = this.#pending.shift();
      ending = name === undefined ? { kind: "directory", missing: [], name: "." } : this.#step(name);
    }
    return this.#arrive(ending);
  }

  release(): void {
    for (const { folder } of this.#steps.splice(0)) folder.close();
  }

  get #top(): Step {
    return this.#steps.at(-1) as Step;
  }

  /** Undefined when the path lies outside; that is decided without looking there. */
  #namesTo(path: string): string[] | undefined {
    const start = (this.#steps[0] as Step).folder.real;
    return namesBelow(start, path) ?? namesBelow(resolve(this.#rules.workspace), path);
  }

  #step(name: string): Ending | undefined {
    if (name === "" || name === ".") return undefined;
    if (name === "..") return this.#goUp();
    const stats = lstatSync(this.#top.folder.at(name), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return this.#endMissing(name);
    if (stats.isSymbolicLink()) return this.#follow(name);
    if (stats.isDirectory()) return this.#enter(name);
    return this.#endAt(name, stats);
  }

  #goUp(): undefined {
    if (this.#steps.length > 1) this.#steps.pop()?.folder.close();
    else if (this.#rules.workspaceOnly) throw this.#leadsOutside();
  }

  #follow(name: string): undefined {
    if (this.#linksLeft-- === 0) throw refusePath(this.#written, "is a circle of links", this.#rules);
    let target: string;
    try {
      target = readlinkSync(this.#top.folder.at(name));
    } catch (error) {
      return this.#lookAgain(name, error);
    }
    if (!isAbsolute(target)) {
      this.#pending.unshift(...target.split(sep));
      return;
    }
    const names = this.#namesTo(resolve(target));
    if (names === undefined) throw this.#leadsOutside();
    for (const { folder } of this.#steps.splice(1)) folder.close();
    this.#pending.unshift(...names);
  }

  #enter(name: string): undefined {
    let folder: HeldFolder;
    try {
      folder = this.#top.folder.enter(name);
    } catch (error) {
      return this.#lookAgain(name, error);
    }
    this.#steps.push({ folder, zone: this.#zoneOf(folder.identity, folder.real) });
  }

  /** The name was something else a moment ago: somebody changes it while we walk. */
  #lookAgain(name: string, error: unknown): undefined {
    const changed = ["ENOTDIR", "ELOOP", "ENOENT", "EINVAL"].includes(errnoOf(error) ?? "");
    if (!changed || this.#changesLeft-- === 0) throw error;
    this.#pending.unshift(name);
  }

  #endMissing(name: string): Ending {
    const names = [name, ...this.#pending.filter((next) => next !== "" && next !== ".")];
    if (names.includes("..")) throw refusePath(this.#written, "is a link to nowhere", this.#rules);
    let path = this.#top.folder.real;
    for (const next of names) {
      path = join(path, next);
      this.#admit(this.#closedZone(path) ?? "allowed");
    }
    return { kind: "missing", missing: names.slice(0, -1), name: names.at(-1) as string };
  }

  #endAt(name: string, stats: BigIntStats): Ending {
    this.#admit(this.#zoneOf(identityOf(stats), join(this.#top.folder.real, name)));
    if (this.#pending.some((next) => next !== "" && next !== ".")) {
      throw new GatewayError("TOOL_FILE", `"${this.#written}" goes through "${name}", which is not a directory.`);
    }
    return { kind: stats.isFile() ? "file" : "special", missing: [], name };
  }

  /** The nearest directory above decides, so a workspace inside the state directory is allowed and its sisters are not. */
  #zoneOf(identity: string, real: string): Zone {
    if (this.#system.has(identity) || this.#system.has(real)) {
      throw refusePath(this.#written, "belongs to the operating system", this.#rules);
    }
    if (identity === this.#workspace.identity) return "allowed";
    return this.#closedZone(identity) ?? this.#closedZone(real) ?? this.#top.zone;
  }

  #closedZone(identityOrPath: string): Zone | undefined {
    if (this.#forbidden.has(identityOrPath)) return "forbidden";
    return this.#closedNotes.has(identityOrPath) ? "closed note" : undefined;
  }

  #admit(zone: Zone): void {
    if (zone === "forbidden") throw this.#refuse("belongs to the gateway or to another agent");
    if (zone === "closed note") throw this.#refuse("is a note about people, which is not for this conversation");
  }

  #arrive(ending: Ending): LocatedPath {
    this.#admit(this.#top.zone);
    if (/[/\\]\.?$/.test(this.#written) && ending.kind !== "directory") {
      throw refusePath(this.#written, "ends like a directory, but is none", this.#rules);
    }
    const real = join(this.#top.folder.real, ...ending.missing, ending.name);
    if (this.#rules.keepsOffControl && [this.#written, real].some(saysWhatRuns))
      throw this.#refuse(
        "says what programs run (hooks, settings of git and of package managers), so it is changed by people only",
      );
    const { folder } = this.#steps.pop() as Step;
    this.release();
    return { ...ending, folder, real, written: this.#written, [Symbol.dispose]: () => folder.close() };
  }

  #leadsOutside(): GatewayError {
    return refusePath(this.#written, "leads outside the workspace through a link", this.#rules);
  }

  #refuse(why: string): GatewayError {
    return refusePath(this.#written, why, this.#rules);
  }
}

function workspaceOf(rules: Confinement): { real: string; identity: string } {
  try {
    const real = realpathSync(rules.workspace);
    return { real, identity: identityOf(statSync(real, { bigint: true })) };
  } catch (error) {
    throw fileFailure(error, "TOOL_PATH", `The workspace ${rules.workspace} cannot be opened`);
  }
}

/** Paths catch what does not exist yet, identities catch other names of the same thing. */
function namesAndIdentities(paths: readonly string[]): Set<string> {
  const found = new Set(paths);
  for (const path of paths) {
    try {
      found.add(realpathSync(path));
      found.add(identityOf(statSync(path, { bigint: true })));
    } catch {
      // It does not exist or cannot be seen: its path alone stands for it.
    }
  }
  return found;
}
