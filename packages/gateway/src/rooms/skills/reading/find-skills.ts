// Finds skills in their places: folders with a SKILL.md, also grouped in folders, also behind links of the owner's.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { errnoOf, isBelow } from "@chela/sdk/files";
import { readRegular } from "../../../base/files/read-regular.ts";
import { readSkill } from "./read-skill.ts";
import type { Skill } from "./skill.ts";

/** As OpenClaw calls them. */
export const SKILL_SOURCES = [
  "openclaw-workspace",
  "agents-skills-project",
  "agents-skills-personal",
  "openclaw-managed",
  "openclaw-bundled",
  "openclaw-extra",
] as const;
export type SkillSource = (typeof SKILL_SOURCES)[number];

/** A folder with skills in it. */
export interface SkillPlace {
  readonly path: string;
  readonly source: SkillSource;
}

export interface SkillLimits {
  readonly maxCandidatesPerRoot: number;
  readonly maxSkillsLoadedPerSource: number;
  readonly maxSkillFileBytes: number;
}

interface Found {
  readonly name: string;
  readonly source: SkillSource;
  /** As it was found, links not resolved. */
  readonly baseDir: string;
  readonly filePath: string;
}

export interface FoundSkill extends Found {
  readonly skill: Skill;
  /** Links resolved. */
  readonly realDir: string;
  /** Of its SKILL.md. */
  readonly digest: string;
}

/** Why nothing of it is read, or used. */
export type BlockedReason =
  | "escapes-root"
  | "world-writable"
  | "foreign-owner"
  | "unreadable"
  | "too-large"
  | "broken"
  | "limit";

export interface BlockedSkill extends Found {
  readonly reason: BlockedReason;
  readonly why: string;
}

export interface Findings {
  readonly found: readonly FoundSkill[];
  readonly blocked: readonly BlockedSkill[];
  /** What was looked at, by path: it is worth another look as soon as one of these is another. */
  readonly stamps: ReadonlyMap<string, string>;
}

const FILES = ["SKILL.md", "skill.md"];
const DEEPEST = 6;
const MOST_FOLDERS = 2000;
const PASSED_BY: ReadonlySet<string> = new Set(["node_modules", "__pycache__"]);

export function findSkills(place: SkillPlace, limits: SkillLimits): Findings {
  return new Search(place, limits).run();
}

/** Whether what was looked at is as it was. */
export function isUnchanged(stamps: ReadonlyMap<string, string>): boolean {
  for (const [path, stamp] of stamps) if (stampOf(path) !== stamp) return false;
  return true;
}

/** "" for what is not there. */
function stampOf(path: string): string {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return facts ? `${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}` : "";
}

class Search {
  readonly #place: SkillPlace;
  readonly #limits: SkillLimits;
  readonly #found: FoundSkill[] = [];
  readonly #blocked: BlockedSkill[] = [];
  readonly #stamps = new Map<string, string>();
  readonly #entered = new Set<string>();
  #root = "";

  constructor(place: SkillPlace, limits: SkillLimits) {
    this.#place = place;
    this.#limits = limits;
  }

  run(): Findings {
    const { path } = this.#place;
    this.#stamps.set(path, stampOf(path));
    try {
      this.#root = realpathSync(path);
      this.#enter(path, 0);
    } catch {
      // Most places do not exist, and one that cannot be read has nothing to offer.
    }
    return { found: this.#found, blocked: this.#blocked, stamps: this.#stamps };
  }

  #enter(folder: string, depth: number): void {
    const real = realpathSync(folder);
    // Links may lead around in a circle.
    if (this.#entered.has(real) || this.#entered.size >= MOST_FOLDERS) return;
    this.#entered.add(real);
    this.#stamps.set(folder, stampOf(folder));
    const entries = readdirSync(folder, { withFileTypes: true });
    const file = depth > 0 ? FILES.find((name) => entries.some((entry) => entry.name === name)) : undefined;
    if (file !== undefined) return this.#take(folder, join(folder, file));
    if (depth === DEEPEST) return;
    for (const { name } of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (name.startsWith(".") || PASSED_BY.has(name)) continue;
      this.#lookAt(join(folder, name), depth + 1);
    }
  }

  #lookAt(path: string, depth: number): void {
    if (this.#found.length + this.#blocked.length >= this.#limits.maxCandidatesPerRoot) return;
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts?.isDirectory()) return;
    const blocked = this.#whyNot(path);
    if (blocked) return void this.#blocked.push({ ...this.#namesOf(path), ...blocked });
    try {
      this.#enter(path, depth);
    } catch (error) {
      this.#block(path, "unreadable", `Its folder cannot be read (${errnoOf(error) ?? "unknown error"}).`);
    }
  }

  /** In a place of the owner's links may lead anywhere, as long as what they lead to is the owner's. */
  #whyNot(path: string): Pick<BlockedSkill, "reason" | "why"> | undefined {
    const real = realpathSync(path);
    if (!isBelow(this.#root, real)) {
      const isLink = lstatSync(path).isSymbolicLink();
      if (!isOwners(this.#place.source) || !isLink) {
        return { reason: "escapes-root", why: `It is a link that leads out of ${this.#place.path}.` };
      }
    }
    const { uid, mode } = statSync(real);
    const own = process.getuid?.();
    if (own !== undefined && uid !== own && uid !== 0) {
      return { reason: "foreign-owner", why: `Its folder belongs to another user of this machine (number ${uid}).` };
    }
    if (process.platform !== "win32" && (mode & 0o002) !== 0) {
      return { reason: "world-writable", why: `Every user of this machine may write into it: chmod o-w ${real}` };
    }
    return undefined;
  }

  #take(folder: string, file: string): void {
    const { maxSkillsLoadedPerSource, maxSkillFileBytes } = this.#limits;
    this.#stamps.set(file, stampOf(file));
    if (this.#found.length >= maxSkillsLoadedPerSource) {
      return this.#block(folder, "limit", `There are more than ${maxSkillsLoadedPerSource} skills in this place.`);
    }
    const realDir = realpathSync(folder);
    if (!isBelow(realDir, realpathSync(file))) {
      return this.#block(folder, "escapes-root", "Its SKILL.md is a link that leads out of its folder.");
    }
    const read = readRegular(realpathSync(file), maxSkillFileBytes);
    if (read.kind !== "read") {
      const isLarge = read.kind === "too-large";
      const why = isLarge ? `SKILL.md is larger than ${maxSkillFileBytes} bytes.` : "SKILL.md is not a regular file.";
      return this.#block(folder, isLarge ? "too-large" : "unreadable", why);
    }
    const parsed = readSkill(read.bytes.toString("utf8"), basename(folder));
    if (parsed.kind === "broken") return this.#block(folder, "broken", parsed.why);
    const { skill } = parsed;
    const digest = createHash("sha256").update(read.bytes).digest("hex");
    const { source } = this.#place;
    this.#found.push({ name: skill.name, source, baseDir: folder, filePath: file, skill, realDir, digest });
  }

  #block(folder: string, reason: BlockedReason, why: string): void {
    this.#blocked.push({ ...this.#namesOf(folder), reason, why });
  }

  #namesOf(folder: string): Found {
    return { name: basename(folder), source: this.#place.source, baseDir: folder, filePath: join(folder, "SKILL.md") };
  }
}

/** Where agents do not write: links there were put by the owner, or by programs of theirs. */
function isOwners(source: SkillSource): boolean {
  return source !== "openclaw-workspace" && source !== "agents-skills-project";
}
