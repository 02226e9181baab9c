// Methods about skills: what there is, what each lacks and is given, and where they come from.
import { GatewayError } from "@chela/sdk";
import { asInvalid, holdsScope, type Handlers, type SKILL_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { realFile } from "./activation/activate.ts";
import type { KnownSkill } from "./skills.ts";
import { managedPlace } from "./skills.ts";
import type { Locked } from "./sources/lock.ts";
import type { Placed } from "./sources/installed.ts";
import { scanFiles } from "./sources/scan.ts";
import { readTree } from "./reading/read-tree.ts";
import { installerCommand, type InstallerSettings } from "./sources/installer-command.ts";
import { runProgram } from "./sources/run-program.ts";

type SkillMethods = Pick<Handlers, keyof typeof SKILL_METHODS>;
type StatusRow = Awaited<ReturnType<SkillMethods["skills.status"]>>["skills"][number];
type PlacedAnswer = Awaited<ReturnType<SkillMethods["skills.add"]>>;

const INSTALL_MS = 300_000;

export function skillMethods(house: House): SkillMethods {
  const agentOf = (agentId: string | undefined): string => agentId ?? house.keys().defaultAgentId;
  const changed = async (what: string, name: string): Promise<void> => {
    (await house.skills()).skills.forget();
    house.log.info(what, { skill: name });
    house.changes.note("skills");
  };
  const tell = async (placed: Placed): Promise<PlacedAnswer> => {
    if (placed.kind === "installed") await changed("a skill was installed", placed.offer.name);
    return answerOf(placed);
  };
  return {
    async "skills.status"({ agentId }, { client }) {
      const { skills, installed } = await house.skills();
      const id = agentOf(agentId);
      const { all, blocked } = skills.look(id);
      const locked = installed.list();
      const isAdmin = holdsScope(client.scopes, "operator.admin");
      return {
        workspaceDir: house.workspaceOf(id),
        managedSkillsDir: managedPlace(house.paths.stateDir),
        skills: all.map((skill) => rowOf(skill, locked, installSettings(house))),
        // Where things of others lie is nothing for those who only read.
        blocked: isAdmin
          ? blocked.map(({ name, source, baseDir, reason, why }) => ({ name, source, baseDir, reason, why }))
          : [],
      };
    },
    async "skills.bins"() {
      const { skills } = await house.skills();
      const bins = house.agents().flatMap(({ id }) => {
        return skills.look(id).all.flatMap(({ skill: { requires } }) => [...requires.bins, ...requires.anyBins]);
      });
      return { bins: [...new Set(bins)].toSorted() };
    },
    async "skills.update"({ skillKey, enabled, apiKey, env }) {
      const place = `skills.entries.${quoted(skillKey)}`;
      writing(() => {
        if (enabled !== undefined) house.config.setPath(`${place}.enabled`, enabled);
        if (apiKey !== undefined) setOrRemove(house, `${place}.apiKey`, apiKey);
        for (const [name, value] of Object.entries(env ?? {}))
          setOrRemove(house, `${place}.env.${quoted(name)}`, value);
      });
      await changed("what a skill is given was changed", skillKey);
      const shown = house.config.getPath(place);
      const config =
        shown.kind === "found" && typeof shown.value === "object" ? (shown.value as Record<string, unknown>) : {};
      return { ok: true, skillKey, config };
    },
    async "skills.install"({ name, installId, timeoutMs = INSTALL_MS, agentId }) {
      const { skills } = await house.skills();
      const found = skills.find(agentOf(agentId), name);
      if (!found) throw new GatewayError("SKILL_UNKNOWN", name);
      const option = found.skill.install.find(({ id }) => id === installId);
      if (!option) throw new GatewayError("SKILL_REQUEST", `${found.name} has no installer ${installId}.`);
      const rules = { env: process.env, also: { CI: "1" }, timeoutMs };
      const run = await runProgram(installerCommand(option, installSettings(house)), rules);
      await changed(run.ok ? "a program for a skill was installed" : "a program for a skill was not installed", name);
      return run;
    },
    async "skills.search"({ query, limit = 20 }) {
      const results = await (await house.skills()).registry().search(query, limit);
      return {
        results: results.map(({ slug, displayName, summary, version, ownerHandle, updatedAt, score }) => {
          return { slug, displayName, summary, version, ownerHandle, updatedAt, score };
        }),
      };
    },
    async "skills.detail"({ slug }) {
      const { skill, latestVersion, owner } = await (await house.skills()).registry().detail(slug);
      const { displayName, summary } = skill;
      return { slug: skill.slug, displayName, summary, version: latestVersion?.version, ownerHandle: owner?.handle };
    },
    "skills.add": async (wanted) => tell(await (await house.skills()).installed.install(wanted)),
    "skills.upgrade": async ({ name, accept }) => tell(await (await house.skills()).installed.update(name, accept)),
    async "skills.remove"({ name }) {
      const removed = (await house.skills()).installed.remove(name);
      await changed("a skill was removed", name);
      return { removed };
    },
    async "skills.verify"({ name }) {
      const { installed } = await house.skills();
      const wanted = name === undefined ? [...installed.list().keys()] : [name];
      return {
        skills: wanted.map((one) => {
          const verified = installed.verify(one);
          const read = readTree(`${managedPlace(house.paths.stateDir)}/${one}`);
          return {
            name: one,
            state: verified.kind,
            digest: verified.digest,
            changed: verified.kind === "changed" ? [...verified.files] : [],
            findings: read.kind === "read" ? scanFiles(read.files) : [],
          };
        }),
      };
    },
    async "skills.accept"({ agentId, name }) {
      const { skills, installed } = await house.skills();
      const skill = skills.accept(agentOf(agentId), name);
      installed.accept(folderName(skill));
      await changed("a skill was accepted as it is", name);
      return { skill: rowOf(skills.find(agentOf(agentId), name) ?? skill, installed.list(), installSettings(house)) };
    },
  };
}

function answerOf(placed: Placed): PlacedAnswer {
  const { findings, files, warnings, installers, changed, ...offer } = placed.offer;
  const told = {
    ...offer,
    findings: findings.map((finding) => ({ ...finding })),
    files: [...files],
    warnings: [...warnings],
    installers: [...installers],
    changed: [...changed],
  };
  return placed.kind === "asks"
    ? { outcome: "asks", offer: told }
    : { outcome: placed.kind, offer: told, folder: placed.folder };
}

type InstallSettings = InstallerSettings & { readonly preferBrew: boolean };

function installSettings({ config }: House): InstallSettings {
  const { nodeManager = "npm", preferBrew = true } = config.current().skills?.install ?? {};
  return { nodeManager, preferBrew };
}

function rowOf(known: KnownSkill, locks: ReadonlyMap<string, Locked>, settings: InstallSettings): StatusRow {
  const { skill, verdict, source, state, why, command } = known;
  const { bins, anyBins, env, config } = skill.requires;
  const locked = source === "openclaw-managed" ? locks.get(folderName(known)) : undefined;
  const { missing } = verdict;
  return {
    name: skill.name,
    description: skill.description,
    source,
    bundled: source === "openclaw-bundled",
    filePath: realFile(known),
    baseDir: known.realDir,
    skillKey: skill.key,
    ...(skill.primaryEnv ? { primaryEnv: skill.primaryEnv } : {}),
    ...(skill.emoji ? { emoji: skill.emoji } : {}),
    ...(skill.homepage ? { homepage: skill.homepage } : {}),
    always: skill.always,
    disabled: verdict.isDisabled,
    blockedByAllowlist: verdict.isBlockedByAllowlist,
    eligible: state === "ready",
    requirements: { bins: [...bins], anyBins: [...anyBins], env: [...env], config: [...config], os: [...skill.os] },
    missing: {
      bins: [...missing.bins],
      anyBins: [...missing.anyBins],
      env: [...missing.env],
      config: [...missing.config],
      os: [...missing.os],
    },
    configChecks: verdict.configChecks.map((check) => ({ ...check })),
    install: installersOf(known, settings),
    state,
    why: [...why],
    warnings: [...skill.warnings],
    ...(command ? { command } : {}),
    userInvocable: skill.isForPeople,
    modelInvocable: skill.isForModels,
    ...(locked ? { installed: { from: locked.sourceRef, version: locked.version, at: locked.installedAt } } : {}),
  };
}

/** Those for this system, each with the command it would run. */
function installersOf({ skill: { install } }: KnownSkill, settings: InstallSettings): StatusRow["install"] {
  const place = ({ kind }: { readonly kind: string }) => ((kind === "brew") === settings.preferBrew ? 0 : 1);
  return install
    .filter(({ os }) => os.length === 0 || os.includes(process.platform))
    .toSorted((one, other) => place(one) - place(other))
    .map((option) => {
      const { id, kind, label, bins } = option;
      const told = { id, kind, label, bins: [...bins] };
      try {
        return { ...told, command: installerCommand(option, settings).join(" ") };
      } catch {
        // People do it themselves.
        return told;
      }
    });
}

function folderName({ realDir }: KnownSkill): string {
  return realDir.slice(realDir.lastIndexOf("/") + 1);
}

function setOrRemove({ config }: House, path: string, value: string): void {
  if (value === "") config.unsetPath(path);
  else config.setPath(path, value);
}

/** Keys with dots are written in brackets. */
function quoted(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** What the configuration refuses is the caller's mistake. */
function writing(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw GatewayError.is(error) && error.code.startsWith("CONFIG_") ? asInvalid(error) : error;
  }
}
