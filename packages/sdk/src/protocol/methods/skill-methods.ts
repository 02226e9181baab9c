// Skills: which there are and why one cannot be used, what each is given, and where they are installed from.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, flag, nullable, text, type MethodSpec } from "./method-spec.ts";

const names = () => z.array(z.string());
const Requirements = () => z.object({ bins: names(), anyBins: names(), env: names(), config: names(), os: names() });

const SkillStatus = () =>
  z.object({
    name: z.string(),
    description: z.string(),
    source: z.string(),
    bundled: z.boolean(),
    filePath: z.string(),
    baseDir: z.string(),
    skillKey: z.string(),
    primaryEnv: text(),
    emoji: text(),
    homepage: text(),
    always: z.boolean(),
    disabled: z.boolean(),
    blockedByAllowlist: z.boolean(),
    eligible: z.boolean(),
    requirements: Requirements(),
    missing: Requirements(),
    configChecks: z.array(z.object({ path: z.string(), satisfied: z.boolean() })),
    install: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        label: z.string(),
        bins: names(),
        /** What would be run; absent for one that people carry out. */
        command: text(),
      }),
    ),
    state: z.enum(["ready", "off", "missing", "shadowed", "waiting", "changed"]),
    /** In sentences that say what to do. */
    why: names(),
    /** What was odd about its SKILL.md. */
    warnings: names(),
    /** The word people call it by, behind a slash. */
    command: text(),
    userInvocable: z.boolean(),
    modelInvocable: z.boolean(),
    /** Where it was installed from, and in which version. */
    installed: z.object({ from: text(), version: nullable(z.string()), at: z.number() }).optional(),
  });

const Finding = () =>
  z.object({
    rule: z.string(),
    severity: z.enum(["critical", "warning", "info"]),
    says: z.string(),
    file: z.string(),
    line: z.number(),
    text: z.string(),
  });

const Offer = () =>
  z.object({
    name: z.string(),
    description: z.string(),
    version: z.string().nullable(),
    digest: z.string(),
    files: names(),
    findings: z.array(Finding()),
    warnings: names(),
    installers: names(),
    changed: names(),
  });

/** `asks`: nothing was changed; call again with `accept`, the digest that was looked at. */
const placed = once(() =>
  z.object({ outcome: z.enum(["installed", "current", "asks"]), offer: Offer(), folder: text() }),
);

const Name = () => NonEmpty().max(100);
const named = once(() => z.strictObject({ name: Name() }));
const ofAgent = once(() => z.strictObject({ agentId: text(), name: Name() }));

export const SKILL_METHODS = {
  "skills.status": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "All skills of an agent: which can be used, and what the others lack",
    params: once(() => z.strictObject({ agentId: text() })),
    result: once(() =>
      z.object({
        workspaceDir: z.string(),
        managedSkillsDir: z.string(),
        skills: z.array(SkillStatus()),
        /** What lies in a place of skills and is not read. */
        blocked: z.array(
          z.object({ name: z.string(), source: z.string(), baseDir: z.string(), reason: z.string(), why: z.string() }),
        ),
      }),
    ),
  },
  "skills.bins": {
    role: "node",
    scope: "none",
    says: "The programs that skills of all agents ask for",
    params: empty,
    result: once(() => z.object({ bins: names() })),
  },
  "skills.update": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Switches a skill on or off, and sets what it is given; an empty text takes it away",
    params: once(() =>
      z.strictObject({
        skillKey: Name(),
        enabled: flag(),
        apiKey: text(),
        env: z.record(z.string(), z.string()).optional(),
      }),
    ),
    result: once(() =>
      z.object({ ok: z.literal(true), skillKey: z.string(), config: z.record(z.string(), z.unknown()) }),
    ),
    controlPlane: true,
  },
  "skills.install": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Runs one installer of a skill, which brings a program it needs",
    params: once(() =>
      z.strictObject({ name: Name(), installId: NonEmpty(), timeoutMs: z.int().min(1000).optional(), agentId: text() }),
    ),
    result: once(() =>
      z.object({
        ok: z.boolean(),
        message: z.string(),
        stdout: z.string(),
        stderr: z.string(),
        code: z.number().nullable(),
        warnings: names().optional(),
      }),
    ),
    controlPlane: true,
  },
  "skills.search": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "Skills of the registry that fit these words",
    params: once(() => z.strictObject({ query: z.string().max(500), limit: z.int().min(1).max(100).optional() })),
    result: once(() =>
      z.object({
        results: z.array(
          z.object({
            slug: z.string(),
            displayName: nullable(z.string()),
            summary: nullable(z.string()),
            version: nullable(z.string()),
            ownerHandle: nullable(z.string()),
            updatedAt: nullable(z.number()),
            score: nullable(z.number()),
          }),
        ),
      }),
    ),
  },
  "skills.detail": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "What the registry knows of one skill",
    params: once(() => z.strictObject({ slug: Name() })),
    result: once(() =>
      z.object({
        slug: z.string(),
        displayName: nullable(z.string()),
        summary: nullable(z.string()),
        version: nullable(z.string()),
        ownerHandle: nullable(z.string()),
      }),
    ),
  },
  "skills.add": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Installs a skill from a registry, a folder, an archive or a git repository, or shows what has to be looked at first",
    params: once(() => z.strictObject({ spec: NonEmpty().max(2000), version: text(), as: text(), accept: text() })),
    result: placed,
    controlPlane: true,
  },
  "skills.upgrade": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Brings a newer version of an installed skill, once its changes were looked at",
    params: once(() => z.strictObject({ name: Name(), accept: text() })),
    result: placed,
    controlPlane: true,
  },
  "skills.remove": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Takes an installed skill away",
    params: named,
    result: once(() => z.object({ removed: z.string() })),
    controlPlane: true,
  },
  "skills.verify": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "Whether the files of installed skills are those that were installed, and what a look through them finds",
    params: once(() => z.strictObject({ name: text() })),
    result: once(() =>
      z.object({
        skills: z.array(
          z.object({
            name: z.string(),
            state: z.enum(["unchanged", "changed", "unknown"]),
            digest: z.string(),
            changed: names(),
            findings: z.array(Finding()),
          }),
        ),
      }),
    ),
  },
  "skills.accept": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Takes the files of a skill as they are now for what they should be",
    params: ofAgent,
    result: once(() => z.object({ skill: SkillStatus() })),
    controlPlane: true,
  },
} as const satisfies Record<string, MethodSpec>;
