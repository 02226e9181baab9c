// Brings the files of a skill here, from a folder, an archive, a git repository or a registry. Nothing of it is run.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { readTree } from "../reading/read-tree.ts";
import { readArchive, type Files } from "./archive.ts";
import type { Registry } from "./registry.ts";
import { runProgram } from "./run-program.ts";

export interface Fetched {
  /** With a SKILL.md at the top. */
  readonly files: Files;
  /** What it is called there; its head may say otherwise. */
  readonly name: string;
  readonly version: string | null;
  /** By which it is fetched again: `clawhub:tea`, `git:https://…#path`, `path:/…`. */
  readonly ref: string;
}

const ARCHIVE = /\.(?:zip|tgz|tar|tar\.gz|skill)$/i;
const MOST_ARCHIVE = 60 * 1024 * 1024;
const GIT_MS = 120_000;

/** `spec#folder` means a folder inside. */
export async function fetchSource(spec: string, version: string | undefined, registry: Registry): Promise<Fetched> {
  const [where = "", path] = spec.trim().split(/#(?=[^#]*$)/);
  const written = where.replace(/^path:/, "");
  if (where.startsWith("path:") || isAbsolute(where)) return fromDisk(written, path);
  if (/^(?:git:|git@|ssh:\/\/|https?:\/\/)/.test(where)) return fromGit(where.replace(/^git:/, ""), version, path);
  const [slug = "", at] = where.replace(/^clawhub:/, "").split(/(?<=.)@/);
  const wanted = version ?? at;
  const files = pick(await registry.download(slug, wanted), path);
  const known = wanted ?? (await registry.detail(slug)).latestVersion?.version ?? null;
  return { files, name: basename(slug), version: known, ref: `clawhub:${slug}` };
}

function fromDisk(place: string, path: string | undefined): Fetched {
  const facts = statSync(place, { throwIfNoEntry: false });
  if (!facts) throw new GatewayError("SKILL_REQUEST", `There is nothing at ${place}.`);
  const ref = `path:${place}${path ? `#${path}` : ""}`;
  if (facts.isDirectory())
    return { files: pick(treeOf(place), path), name: basename(path ?? place), version: null, ref };
  if (facts.size > MOST_ARCHIVE) throw new GatewayError("SKILL_REQUEST", `${place} is larger than a skill can be.`);
  const name = basename(path ?? basename(place).replace(ARCHIVE, ""));
  return { files: pick(readArchive(readFileSync(place)), path), name, version: null, ref };
}

/** Hooks, links and helpers that somebody else's repository could bring along are nothing here. */
const QUIET = ["core.hooksPath=/dev/null", "protocol.ext.allow=never", "core.symlinks=false"].map((one) =>
  one.split("="),
);
const GIT = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_COUNT: String(QUIET.length),
  ...Object.fromEntries(
    QUIET.flatMap(([name = "", value = ""], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
};

async function fromGit(written: string, version: string | undefined, path: string | undefined): Promise<Fetched> {
  const url = /^[\w.-]+\.[a-z]+\/|^[\w-]+\/[\w.-]+$/i.test(written) ? `https://${written}` : written;
  if (!/^(?:https?:\/\/|ssh:\/\/|git@|file:\/\/)\S+$/.test(url)) {
    throw new GatewayError("SKILL_REQUEST", `${JSON.stringify(written)} is no address of a git repository.`);
  }
  const folder = mkdtempSync(join(tmpdir(), "chela-skill-"));
  const git = async (...args: string[]): Promise<string> => {
    const run = await runProgram(["git", ...args], { env: process.env, also: GIT, timeoutMs: GIT_MS });
    if (run.ok) return run.stdout.trim();
    const said = run.code === null ? run.message : (run.stderr.trim().split("\n").at(-1) ?? "");
    throw new GatewayError("SKILL_REQUEST", `${url} cannot be fetched by git. ${said.slice(0, 300)}`.trim());
  };
  try {
    const branch = version ? [`--branch=${version}`] : [];
    await git("clone", "--quiet", "--depth=1", ...branch, "--", url, folder);
    const commit = await git("-C", folder, "rev-parse", "HEAD");
    const name = basename(path ?? url.replace(/\.git$/, ""));
    const ref = `git:${url}${path ? `#${path}` : ""}`;
    return { files: pick(treeOf(folder), path), name, version: version ?? commit.slice(0, 12), ref };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function treeOf(folder: string): Files {
  const read = readTree(folder);
  if (read.kind === "read") return new Map(read.files);
  throw new GatewayError("SKILL_REQUEST", `${folder} cannot be installed. ${read.why}`);
}

/** The one skill that is meant, with its SKILL.md at the top. */
function pick(files: Files, path: string | undefined): Files {
  const heads = [...files.keys()]
    .filter((name) => /(?:^|\/)skills?\.md$/i.test(name))
    .map((name) => name.split("/").slice(0, -1).join("/"));
  const wanted = path?.replace(/^\/+|\/+$/g, "");
  const top = wanted ?? (heads.includes("") ? "" : heads.length === 1 ? heads[0] : undefined);
  if (top === undefined) {
    const which = heads.length > 0 ? ` Name one of its folders behind a #: ${heads.slice(0, 20).join(", ")}.` : "";
    throw new GatewayError(
      "SKILL_REQUEST",
      `There is ${heads.length > 0 ? "more than one" : "no"} SKILL.md in it.${which}`,
    );
  }
  const begin = top === "" ? "" : `${top}/`;
  const inside = [...files]
    .filter(([name]) => name.startsWith(begin))
    .map(([name, file]) => [name.slice(begin.length), file] as const);
  const named = inside.map(([name, file]) => [/^skills?\.md$/i.test(name) ? "SKILL.md" : name, file] as const);
  if (!named.some(([name]) => name === "SKILL.md"))
    throw new GatewayError("SKILL_REQUEST", `There is no SKILL.md in ${wanted ?? "it"}.`);
  return new Map(named);
}
