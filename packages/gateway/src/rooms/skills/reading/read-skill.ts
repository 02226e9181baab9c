// Reads a SKILL.md leniently: what can be understood is, and what was odd about it is said.
import JSON5 from "json5";
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";
import { readFrontMatter } from "../../../base/text/front-matter.ts";
import { INSTALL_KINDS, type InstallOption, type ReadSkill } from "./skill.ts";

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MOST_NAME = 64;
const MOST_DESCRIPTION = 1024;

const words = () =>
  z
    .union([z.array(z.unknown()), z.string().transform((one) => one.split(/[,\s]+/))])
    .transform((all) => all.map((one) => String(one).trim()).filter((one) => one !== ""))
    .catch([]);
const maybeText = () => z.string().trim().min(1).optional().catch(undefined);
/** `yes` and `no` are what people write, too. */
const flag = (preset: boolean) =>
  z
    .union([z.boolean(), z.string().transform((text) => /^(true|yes|on|1)$/i.test(text))])
    .optional()
    .transform((value) => value ?? preset)
    .catch(preset);

const Requires = () =>
  z
    .object({
      bins: words().optional(),
      anyBins: words().optional(),
      env: words().optional(),
      config: words().optional(),
    })
    .catch({});

const Install = () =>
  z.object({
    id: maybeText(),
    kind: z.enum(INSTALL_KINDS),
    label: maybeText(),
    bins: words().optional(),
    os: words().optional(),
    formula: maybeText(),
    package: maybeText(),
    module: maybeText(),
    url: maybeText(),
  });

const Own = once(() =>
  z.object({
    always: flag(false),
    emoji: maybeText(),
    homepage: maybeText(),
    skillKey: maybeText(),
    primaryEnv: maybeText(),
    os: words().optional(),
    requires: Requires().optional(),
    install: z.array(z.unknown()).optional().catch(undefined),
  }),
);

const Head = once(() =>
  z.object({
    name: maybeText(),
    description: maybeText(),
    homepage: maybeText(),
    license: maybeText(),
    "user-invocable": flag(true),
    "disable-model-invocation": flag(false),
    "command-dispatch": maybeText(),
    "command-tool": maybeText(),
  }),
);

/** `folder` names a skill that does not name itself. */
export function readSkill(markdown: string, folder: string): ReadSkill {
  const { fields, body, warnings } = readHead(markdown);
  const head = Head().parse(fields);
  const { name = folder, description } = head;
  if (description === undefined) {
    const why =
      "SKILL.md has no description. Begin it with a block between two lines of ---, with name and description.";
    return { kind: "broken", why };
  }
  if (!isSafeName(name))
    return { kind: "broken", why: `Its name ${JSON.stringify(name.slice(0, 80))} cannot be used.` };
  const own = Own().parse(ownPart(fields["metadata"], warnings));
  if (!NAME.test(name) || name.length > MOST_NAME) {
    warnings.push(`The name "${name}" should be lower-case letters, digits and single hyphens, 64 at most.`);
  }
  if (name !== folder) warnings.push(`It is called ${name}, and its folder ${folder}.`);
  if (description.length > MOST_DESCRIPTION) {
    warnings.push(`The description is cut after ${MOST_DESCRIPTION} characters.`);
  }
  const homepage = head.homepage ?? own.homepage;
  const commandTool = head["command-dispatch"] === "tool" ? head["command-tool"] : undefined;
  return {
    kind: "skill",
    body,
    skill: {
      name,
      description: oneLine(description).slice(0, MOST_DESCRIPTION),
      ...(homepage ? { homepage } : {}),
      ...(own.emoji ? { emoji: own.emoji.slice(0, 16) } : {}),
      ...(head.license ? { license: oneLine(head.license) } : {}),
      isForPeople: head["user-invocable"],
      isForModels: !head["disable-model-invocation"],
      ...(commandTool ? { commandTool } : {}),
      key: own.skillKey ?? name,
      always: own.always,
      ...(own.primaryEnv ? { primaryEnv: own.primaryEnv } : {}),
      os: (own.os ?? []).map(systemName),
      requires: requirementsOf(own),
      install: (own.install ?? []).flatMap((written, index) => installOption(written, index, warnings)),
      warnings,
    },
  };
}

interface HeadRead {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly warnings: string[];
}

/** What is no YAML is read line by line, as "name: value". */
function readHead(markdown: string): HeadRead {
  const front = readFrontMatter(markdown);
  if (front.kind === "read") return { fields: front.fields, body: front.body.trim(), warnings: [] };
  const [, inside, body = ""] =
    /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(markdown) ?? [];
  if (inside === undefined) return { fields: {}, body: markdown.trim(), warnings: [] };
  const fields: Record<string, unknown> = Object.create(null);
  for (const line of inside.split(/\r?\n/)) {
    const [, key, value] = /^([A-Za-z][\w-]*):\s*(.+?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) fields[key] = value.replace(/^(["'])(.*)\1$/, "$2");
  }
  return { fields, body: body.trim(), warnings: [`The head is not YAML (${front.why}); it was read line by line.`] };
}

/** OpenClaw's own part under its name of today, and the names it had. */
function ownPart(written: unknown, warnings: string[]): object {
  const metadata = typeof written === "string" ? readLoose(written, warnings) : written;
  if (!isMap(metadata)) return {};
  const own = ["openclaw", "chela", "clawdbot", "clawdis"].map((name) => metadata[name]).find(isMap);
  return own ?? {};
}

function readLoose(text: string, warnings: string[]): unknown {
  try {
    return JSON5.parse(text);
  } catch {
    warnings.push("What stands under metadata cannot be read, and is left out.");
    return undefined;
  }
}

function installOption(written: unknown, index: number, warnings: string[]): InstallOption[] {
  const parsed = Install().safeParse(written);
  if (!parsed.success) {
    warnings.push(`Installer ${index + 1} is not understood: its kind must be one of ${INSTALL_KINDS.join(", ")}.`);
    return [];
  }
  const { id, kind, label, bins = [], os = [], ...source } = parsed.data;
  const what = source.formula ?? source.package ?? source.module ?? source.url ?? bins.join(", ");
  const given = Object.entries(source).filter(([, value]) => value !== undefined);
  return [
    {
      id: id ?? `${kind}-${index}`,
      kind,
      label: oneLine(label ?? `Install ${what} (${kind})`),
      bins,
      os: os.map(systemName),
      ...Object.fromEntries(given),
    },
  ];
}

function requirementsOf({ requires = {} }: Parsed<typeof Own>) {
  const { bins = [], anyBins = [], env = [], config = [] } = requires;
  return { bins, anyBins, env, config };
}

/** Registries write macos and windows for what Node calls darwin and win32. */
function systemName(written: string): string {
  const name = written.toLowerCase();
  return { macos: "darwin", mac: "darwin", osx: "darwin", windows: "win32" }[name] ?? name;
}

/** It stands in prompts, commands and on the screen, and names folders. */
function isSafeName(name: string): boolean {
  return name.length <= 100 && /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name) && !name.includes("..");
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Default_Ignorable_Code_Point}\s]+/gu, " ").trim();
}
