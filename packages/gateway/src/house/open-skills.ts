// Opens the skills: their places, what a machine and the configuration give them, and what conversations do with them.
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { existsSync } from "node:fs";
import type { Requester, SkillFact } from "@chela/sdk";
import { createGuardedFetch } from "../base/http/guarded-fetch.ts";
import { hasProgram, valueAt } from "../base/requirements.ts";
import { expandHome } from "../rooms/config/state/state-paths.ts";
import { agentSkills, sandboxSettings, skillSettings } from "../rooms/config/room.ts";
import { listAgents } from "../rooms/routing/room.ts";
import { accessOf } from "../rooms/sandbox/room.ts";
import {
  Activation,
  createRegistry,
  InstalledSkills,
  managedPlace,
  SandboxCopies,
  skillFacts,
  Skills,
  type GivenToSkill,
  type Registry,
  type SkillCaller,
  type SkillPlace,
  type Surroundings,
} from "../rooms/skills/room.ts";
import type { House } from "./house.ts";

/** A skill in a menu of commands. */
export interface SkillCommand {
  readonly name: string;
  readonly help: string;
  readonly who: "authorised";
}

export interface SkillServices {
  readonly skills: Skills;
  readonly activation: Activation;
  readonly copies: SandboxCopies;
  readonly installed: InstalledSkills;
  registry(): Registry;
  /** Those that people call by a word of their own. */
  commands(agentId: string): readonly SkillCommand[];
  /** For the security audit. */
  facts(): readonly SkillFact[];
}

type SkillsHouse = Pick<
  House,
  "clock" | "log" | "config" | "paths" | "ledger" | "sessions" | "audit" | "workspaceOf" | "keys"
>;

export function openSkills(house: SkillsHouse): SkillServices {
  const { clock, log, config, paths, ledger, sessions } = house;
  const settings = () => skillSettings(config.current());
  const agentIds = () => listAgents(config.current()).map(({ id }) => id);
  const skills = new Skills({
    stateDir: paths.stateDir,
    clock,
    agentIds,
    config: () => config.current(),
    limits: () => settings().limits,
    surroundings: () => surroundingsOf(house),
    places: (agentId) => placesOf(agentId, house),
    isExposed: (agentId) => isExposed(agentId, house),
    namesOf: (agentId) => agentSkills(config.current(), agentId),
  });
  const registry = () => {
    const { url } = settings().registry;
    const trusted = () => [new URL(url).origin];
    return createRegistry(url, createGuardedFetch({ clock, trusted }));
  };
  const installed = new InstalledSkills({ workdir: paths.stateDir, clock, registry });
  const activation = new Activation({
    skills,
    ledger,
    sessions,
    log,
    whyChanged: (realDir, digest) => installed.whyNot(realDir, digest),
    given: (key) => givenTo(key, house),
    used: (skill, names, whose) => noteUse(skill, names, whose, house),
  });
  const commands = (agentId: string) =>
    skills.look(agentId).ready.flatMap(({ command, skill }): SkillCommand[] => {
      return command === undefined ? [] : [{ name: command, help: skill.description.slice(0, 100), who: "authorised" }];
    });
  return {
    skills,
    activation,
    installed,
    registry,
    commands,
    facts: () => skillFacts(skills, installed, agentIds()),
    copies: new SandboxCopies(join(paths.stateDir, "sandbox-skills"), log),
  };
}

/** Those before the others win. */
function placesOf(agentId: string, { config, paths, workspaceOf }: SkillsHouse): SkillPlace[] {
  const workspace = workspaceOf(agentId);
  const extra = config.current().skills?.load?.extraDirs ?? [];
  return [
    { path: join(workspace, "skills"), source: "openclaw-workspace" },
    { path: join(workspace, ".agents", "skills"), source: "agents-skills-project" },
    { path: join(paths.home, ".agents", "skills"), source: "agents-skills-personal" },
    { path: managedPlace(paths.stateDir), source: "openclaw-managed" },
    { path: bundledPlace(), source: "openclaw-bundled" },
    ...extra.map((written): SkillPlace => {
      const path = expandHome(written, paths.home);
      return { path: isAbsolute(path) ? path : resolve(dirname(paths.configPath), path), source: "openclaw-extra" };
    }),
  ];
}

/** Beside the built program, or where it lies in the repository. */
function bundledPlace(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const built = join(here, "skills");
  return existsSync(built) ? built : join(here, "..", "rooms", "skills", "bundled");
}

function surroundingsOf({ config }: SkillsHouse): Surroundings {
  const current = config.current();
  const env = config.effectiveEnv();
  const { entries = {}, allowBundled } = current.skills ?? {};
  const programs = { PATH: [env["PATH"] ?? "", "/usr/local/bin:/usr/bin:/bin"].join(delimiter) };
  return {
    platform: process.platform,
    hasProgram: (name) => hasProgram(name, programs),
    hasVariable: (name) => Boolean(env[name]),
    isConfigured: (path) => Boolean(valueAt(current, path)),
    settingsOf(key) {
      const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
      const given = Object.entries(entry?.env ?? {}).filter(([, value]) => value !== "");
      return {
        enabled: entry?.enabled,
        env: given.map(([name]) => name),
        hasApiKey: keyText(entry?.apiKey, env) !== undefined,
      };
    },
    allowBundled,
  };
}

/** A pointer to a variable is followed here; files, programs and the vault were asked when the configuration was read. */
function keyText(written: unknown, env: Readonly<Record<string, string>>): string | undefined {
  if (typeof written === "string") return written === "" ? undefined : written;
  const { source, id } = (written ?? {}) as { readonly source?: unknown; readonly id?: unknown };
  return source === "env" && typeof id === "string" ? env[id] : undefined;
}

function givenTo(key: string, { config }: SkillsHouse): GivenToSkill {
  const entries = config.current().skills?.entries ?? {};
  const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
  const apiKey = keyText(entry?.apiKey, config.effectiveEnv());
  return { env: entry?.env ?? {}, ...(apiKey === undefined ? {} : { apiKey }) };
}

/** Somebody who is written down as a member is as much as anybody but the owner may be. */
const OTHERS: Pick<Requester, "standing" | "isOwner"> = { standing: "member", isOwner: false };

/** Whether conversations of others, or what is kept in a sandbox for them, write into the agent's workspace. */
function isExposed(agentId: string, { config, paths, keys }: SkillsHouse): boolean {
  const settings = sandboxSettings(config.current(), agentId, paths);
  const { mainKey } = keys();
  const question = { requester: OTHERS, sessionKey: `agent:${agentId}:other:direct:somebody`, mainKey };
  return accessOf(settings, question) === "rw";
}

function noteUse(skill: string, names: readonly string[], whose: SkillCaller, { audit }: SkillsHouse): void {
  const { agentId, sessionKey, requester, runId } = whose;
  const { channel, account, id } = requester;
  audit.note({
    action: "credential",
    actor: `${channel}:${account}:${id}`,
    target: `skills.entries.${skill}`,
    outcome: "ok",
    agentId,
    sessionKey,
    channel,
    ...(runId === undefined ? {} : { traceId: runId }),
    detail: { step: "used", variables: [...names] },
  });
}
