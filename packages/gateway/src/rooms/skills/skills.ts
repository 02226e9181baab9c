// The skills of each agent as they are now: found in their places, judged, and shown to those they are for.
import { basename, join } from "node:path";
import { GatewayError, type Clock } from "@chela/sdk";
import { readAccepted, writeAccepted } from "./accepted.ts";
import { commandNames } from "./activation/command-names.ts";
import { gate, isVisible, type Surroundings, type Verdict } from "./gate.ts";
import { writeList, type ListLimits, type SkillList } from "./listing/write-list.ts";
import {
  findSkills,
  isUnchanged,
  type BlockedSkill,
  type Findings,
  type FoundSkill,
  type SkillLimits,
  type SkillPlace,
} from "./reading/find-skills.ts";
import { readTree } from "./reading/read-tree.ts";

export interface SkillsParts {
  readonly stateDir: string;
  readonly clock: Clock;
  /** Another object for another configuration. */
  config(): object;
  limits(): SkillLimits & ListLimits;
  surroundings(): Surroundings;
  /** Those before the others win. */
  places(agentId: string): readonly SkillPlace[];
  /** Whether others than the owner may write into the agent's workspace. */
  isExposed(agentId: string): boolean;
  /** `agents.list[].skills`; undefined for all. */
  namesOf(agentId: string): readonly string[] | undefined;
  agentIds(): readonly string[];
}

export type SkillState =
  /** It can be used. */
  | "ready"
  /** Switched off, or not in a list. */
  | "off"
  /** Something it needs is not there. */
  | "missing"
  /** Another one has its name. */
  | "shadowed"
  /** Somebody else may have written it: the owner has to look at it first. */
  | "waiting"
  /** It was accepted, and its files are others now. */
  | "changed";

export interface KnownSkill extends FoundSkill {
  readonly verdict: Verdict;
  readonly state: SkillState;
  /** In sentences; empty for one that is ready. */
  readonly why: readonly string[];
  /** The word people call it by, behind a slash. */
  readonly command?: string;
}

export interface AgentSkills {
  /** In the order in which names are taken. */
  readonly all: readonly KnownSkill[];
  readonly blocked: readonly BlockedSkill[];
  /** Those the agent may use. */
  readonly ready: readonly KnownSkill[];
}

export interface ListedFor {
  /** `skills` of the group or topic the message was written in. */
  readonly chat?: readonly string[] | undefined;
  /** What of a skill's folder the agent's tools see, and where. */
  locate?(skill: KnownSkill): string;
}

interface Looked extends AgentSkills {
  readonly config: object;
  readonly at: number;
  readonly findings: readonly Findings[];
}

/** How long it is believed that a program is there, or is not. */
const PROGRAMS_MS = 30_000;

export class Skills {
  readonly #parts: SkillsParts;
  readonly #looked = new Map<string, Looked>();
  readonly #lists = new WeakMap<AgentSkills, Map<string, SkillList>>();

  constructor(parts: SkillsParts) {
    this.#parts = parts;
  }

  /** As they are now. What did not change since is not read again: a handful of looks at folders. */
  look(agentId: string): AgentSkills {
    const known = this.#looked.get(agentId);
    const { clock, config } = this.#parts;
    const isFresh = known && known.config === config() && clock.steady() - known.at < PROGRAMS_MS;
    if (isFresh && known.findings.every(({ stamps }) => isUnchanged(stamps))) return known;
    const next = this.#judgeAll(agentId, known);
    this.#looked.set(agentId, next);
    return next;
  }

  /** Something was installed, accepted or set: the next look is a new one. */
  forget(): void {
    this.#looked.clear();
  }

  /** What of a conversation's skills its model is told. */
  list(
    agentId: string,
    { chat, locate = ({ realDir, filePath }) => join(realDir, basename(filePath)) }: ListedFor = {},
  ): SkillList {
    const skills = this.look(agentId);
    const known = this.#lists.get(skills) ?? new Map<string, SkillList>();
    this.#lists.set(skills, known);
    const told = forModels(skills, chat).map((skill) => ({
      name: skill.name,
      description: skill.skill.description,
      location: locate(skill),
    }));
    const key = JSON.stringify(told.map(({ name, location }) => [name, location]));
    const list = known.get(key) ?? writeList(told, this.#parts.limits());
    known.set(key, list);
    return list;
  }

  /** By its name, its key or its command. */
  find(agentId: string, written: string): KnownSkill | undefined {
    const { all } = this.look(agentId);
    const name = written.trim().toLowerCase().replace(/^\//, "");
    const isMeant = ({ name: own, skill, command }: KnownSkill): boolean =>
      [own.toLowerCase(), skill.key.toLowerCase(), command].includes(name);
    return all.find((skill) => skill.state === "ready" && isMeant(skill)) ?? all.find(isMeant);
  }

  /** The skill of any agent that people call so. */
  commandOf(word: string): string | undefined {
    for (const agentId of this.#parts.agentIds()) {
      const found = this.look(agentId).ready.find(({ command }) => command === word);
      if (found) return found.name;
    }
    return undefined;
  }

  /** The owner looked at it: as it is now, it may be used. */
  accept(agentId: string, name: string): KnownSkill {
    const skill = this.find(agentId, name);
    if (!skill) throw new GatewayError("SKILL_UNKNOWN", name);
    const { stateDir, clock } = this.#parts;
    const read = readTree(skill.realDir);
    if (read.kind === "refused") throw new GatewayError("SKILL_REQUEST", `${skill.name} cannot be used. ${read.why}`);
    const accepted = { digest: read.digest, acceptedAt: clock.now() };
    writeAccepted(stateDir, new Map([...readAccepted(stateDir), [skill.realDir, accepted]]));
    this.forget();
    return this.find(agentId, name) ?? skill;
  }

  #judgeAll(agentId: string, before: Looked | undefined): Looked {
    const { places, limits, config, clock, surroundings } = this.#parts;
    const current = config();
    // Places are read anew where something is another; what is missing is judged anew in any case.
    const findings = places(agentId).map((place, index) => {
      const known = before?.config === current ? before.findings[index] : undefined;
      return known && isUnchanged(known.stamps) ? known : findSkills(place, limits());
    });
    const around = surroundings();
    const taken = new Map<string, FoundSkill>();
    const judged = findings.flatMap(({ found }) =>
      found.map((skill) => {
        const first = taken.get(skill.name);
        if (!first) taken.set(skill.name, skill);
        return this.#judge(agentId, skill, first, around);
      }),
    );
    const words = commandNames(judged.filter(({ state, skill }) => state === "ready" && skill.isForPeople));
    const all = judged.map((skill): KnownSkill => {
      const command = skill.state === "ready" ? words.get(skill.name) : undefined;
      return command === undefined ? skill : { ...skill, command };
    });
    return {
      all,
      blocked: findings.flatMap(({ blocked }) => blocked),
      ready: all.filter(({ state }) => state === "ready"),
      config: current,
      at: clock.steady(),
      findings,
    };
  }

  #judge(agentId: string, found: FoundSkill, first: FoundSkill | undefined, around: Surroundings): KnownSkill {
    const verdict = gate(found.skill, found.source === "openclaw-bundled", around);
    const as = (state: SkillState, ...why: string[]): KnownSkill => ({ ...found, verdict, state, why });
    if (first) return as("shadowed", `The skill in ${first.baseDir} has this name, and keeps it.`);
    if (!isVisible(found.skill, { agent: this.#parts.namesOf(agentId) })) {
      return as("off", `The list of skills of the agent ${agentId} does not name it.`);
    }
    if (verdict.isDisabled || verdict.isBlockedByAllowlist) return as("off", ...verdict.why);
    const held = this.#held(agentId, found);
    if (held) return as(held.state, held.why);
    return verdict.isEligible ? as("ready") : as("missing", ...verdict.why);
  }

  /** Where strangers' conversations may write, nothing is believed because it lies there. */
  #held(agentId: string, { source, realDir, name }: FoundSkill): { state: SkillState; why: string } | undefined {
    const isWorkspace = source === "openclaw-workspace" || source === "agents-skills-project";
    if (!isWorkspace || !this.#parts.isExposed(agentId)) return undefined;
    const fix = `Look at it, then: chela skills accept ${name}`;
    const accepted = readAccepted(this.#parts.stateDir).get(realDir);
    if (!accepted) return { state: "waiting", why: `Others than you may write into this workspace. ${fix}` };
    const read = readTree(realDir);
    if (read.kind === "read" && read.digest === accepted.digest) return undefined;
    return { state: "changed", why: `Its files changed since you accepted it. ${fix}` };
  }
}

/** Those a conversation's model may activate. */
export function forModels({ ready }: AgentSkills, chat?: readonly string[]): readonly KnownSkill[] {
  return ready.filter(({ skill }) => skill.isForModels && isVisible(skill, { chat }));
}

/** Where skills of the owner are installed. */
export function managedPlace(stateDir: string): string {
  return join(stateDir, "skills");
}
