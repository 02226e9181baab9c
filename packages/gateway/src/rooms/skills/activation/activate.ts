// Activates a skill in a conversation: its text is told once, and from then on its secrets are there for commands.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Ledger, Logger, Requester, SandboxView, SessionEntry } from "@chela/sdk";
import { isBelow } from "@chela/sdk/files";
import type { KnownSkill, Skills } from "../skills.ts";
import { forModels } from "../skills.ts";
import { readSkill } from "../reading/read-skill.ts";
import { readTree } from "../reading/read-tree.ts";
import { activeSkills, withActive, type ActiveSkill } from "./active-skills.ts";
import { insidePlace } from "./sandbox-copies.ts";
import { skillText } from "./skill-text.ts";

/** What `skills.entries.<key>` gives to commands. */
export interface GivenToSkill {
  readonly apiKey?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface ActivationParts {
  readonly skills: Skills;
  readonly ledger: Pick<Ledger, "session">;
  readonly sessions: { update(key: string, change: (entry: SessionEntry) => SessionEntry): Promise<SessionEntry> };
  readonly log: Logger;
  /** Why files of an installed skill, by their digest, must not be used. */
  whyChanged(realDir: string, digest: string): string | undefined;
  given(key: string): GivenToSkill;
  /** For the audit trail: which variables went to a command, never their values. */
  used(skill: string, names: readonly string[], whose: SkillCaller): void;
}

export interface SkillCaller {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly requester: Requester;
  readonly runId?: string;
}

export type Activated =
  | { readonly kind: "activated"; readonly skill: KnownSkill; readonly text: string }
  /** Its text stands in the conversation as it is. */
  | { readonly kind: "already"; readonly skill: KnownSkill }
  | { readonly kind: "unusable"; readonly why: string };

interface Asked extends Pick<SkillCaller, "agentId" | "sessionKey"> {
  readonly sandbox?: Pick<SandboxView, "mounts"> | undefined;
}

/** Only they put secrets to use: a stranger in the same conversation runs commands without them. */
const TRUSTED: ReadonlySet<Requester["standing"]> = new Set(["owner", "operator", "member"]);

export class Activation {
  readonly #parts: ActivationParts;

  constructor(parts: ActivationParts) {
    this.#parts = parts;
  }

  /** `byPerson`: people may also name a skill that models are not told of. */
  async activate(asked: Asked, name: string, byPerson = false): Promise<Activated> {
    const { skills } = this.#parts;
    const skill = skills.find(asked.agentId, name);
    if (!skill || !(byPerson || skill.skill.isForModels)) return { kind: "unusable", why: this.#noSuch(asked, name) };
    if (skill.state !== "ready") {
      return { kind: "unusable", why: [`The skill ${skill.name} cannot be used.`, ...skill.why].join(" ") };
    }
    const told = this.#tell(skill, asked);
    if (told.kind === "unusable") return told;
    const isNew = await this.#note(asked, skill);
    return isNew ? { kind: "activated", skill, text: told.text } : { kind: "already", skill };
  }

  /** A model that read a SKILL.md has activated the skill as well. */
  async noteRead(asked: Asked, path: string): Promise<void> {
    const skill = this.#parts.skills
      .look(asked.agentId)
      .ready.find((one) => [one.filePath, realFile(one), insidePlace(one)].includes(path));
    if (skill?.skill.isForModels) await this.#note(asked, skill);
  }

  /** Folders of an agent's skills, which it may read. */
  folders(agentId: string): string[] {
    return this.#parts.skills.look(agentId).ready.map(({ realDir }) => realDir);
  }

  /** For what follows a summary: the texts of the skills that were activated before it. */
  async textsAfterSummary(asked: Asked): Promise<string[]> {
    const active = activeSkills(await this.#parts.ledger.session(asked.sessionKey));
    return active.flatMap((one) => {
      const skill = this.#stillThere(asked.agentId, one);
      const told = skill && this.#tell(skill, asked);
      return told?.kind === "told" ? [told.text] : [];
    });
  }

  /** Of the skills this conversation has activated, for one command. */
  async environment(caller: SkillCaller): Promise<Record<string, string>> {
    if (!TRUSTED.has(caller.requester.standing)) return {};
    const active = activeSkills(await this.#parts.ledger.session(caller.sessionKey));
    const env: Record<string, string> = {};
    for (const one of active) {
      const skill = this.#stillThere(caller.agentId, one);
      const own = skill ? this.#environmentOf(skill) : {};
      const names = Object.keys(own);
      if (names.length > 0) this.#parts.used(one.name, names, caller);
      Object.assign(env, own);
    }
    return env;
  }

  #environmentOf({ skill }: KnownSkill): Record<string, string> {
    const { apiKey, env } = this.#parts.given(skill.key);
    return { ...(apiKey && skill.primaryEnv ? { [skill.primaryEnv]: apiKey } : {}), ...env };
  }

  /** The same folder, and still allowed; its text may have been changed by its owner since. */
  #stillThere(agentId: string, { name, dir }: ActiveSkill): KnownSkill | undefined {
    return this.#parts.skills.look(agentId).ready.find((skill) => skill.name === name && skill.realDir === dir);
  }

  #tell(skill: KnownSkill, { sandbox }: Asked): { kind: "told"; text: string } | { kind: "unusable"; why: string } {
    const tree = readTree(skill.realDir);
    if (tree.kind === "refused") return { kind: "unusable", why: `${skill.name} cannot be used. ${tree.why}` };
    const changed = this.#parts.whyChanged(skill.realDir, tree.digest);
    if (changed) return { kind: "unusable", why: `${skill.name} cannot be used. ${changed}` };
    const bytes = tree.files.get(basename(skill.filePath))?.bytes;
    const markdown = bytes ? Buffer.from(bytes).toString("utf8") : readFileSync(skill.filePath, "utf8");
    const read = readSkill(markdown, basename(skill.baseDir));
    if (read.kind === "broken") return { kind: "unusable", why: `${skill.name} cannot be used. ${read.why}` };
    const folder = folderIn(sandbox, skill);
    return {
      kind: "told",
      text: skillText({ name: skill.name, body: read.body, folder, files: [...tree.files.keys()] }),
    };
  }

  /** Whether its text has to be told. */
  async #note({ sessionKey }: Asked, { name, realDir: dir, digest }: KnownSkill): Promise<boolean> {
    const { ledger, sessions } = this.#parts;
    const entry = await ledger.session(sessionKey);
    if (activeSkills(entry).some((one) => one.name === name && one.dir === dir && one.digest === digest)) return false;
    const compactions = entry?.compactionCount ?? 0;
    await sessions.update(sessionKey, (now) => withActive(now, { name, dir, digest, compactions }));
    return true;
  }

  #noSuch({ agentId }: Asked, name: string): string {
    const names = forModels(this.#parts.skills.look(agentId)).map((skill) => skill.name);
    const known = names.length > 0 ? `There are: ${names.toSorted().join(", ")}.` : "There are none here.";
    return `There is no skill ${JSON.stringify(name.slice(0, 100))}. ${known}`;
  }
}

/** Where it is told to be when nothing is in between. */
export function realFile({ realDir, filePath }: KnownSkill): string {
  return join(realDir, basename(filePath));
}

/** In a sandbox, the place of its copy; else where it is. */
function folderIn(sandbox: Asked["sandbox"], skill: KnownSkill): string {
  if (!sandbox) return skill.realDir;
  const mount = sandbox.mounts.find(({ outside }) => isBelow(outside, skill.realDir));
  return mount ? join(mount.inside, skill.realDir.slice(mount.outside.length)) : join(insidePlace(skill), "..");
}
