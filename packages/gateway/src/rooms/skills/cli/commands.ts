// Commands about skills: what agents were taught, what it lacks, and where it comes from.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const skills = () => import("./skills.ts");
const sources = () => import("./sources.ts");
const NAME = { name: "name", help: "Of the skill" } as const;
const AGENT: FlagSpec = {
  name: "agent",
  value: "id",
  help: "The agent whose skills are meant; the default one unless told",
};
const YES: FlagSpec = { name: "yes", short: "y", help: "Install what was found to be worth a look as well" };

export const commands: readonly CommandSpec[] = [
  { path: ["skills"], summary: "What agents were taught: folders with a SKILL.md" },
  {
    path: ["skills", "list"],
    summary: "Which skills there are, and whether they can be used",
    flags: [
      { name: "eligible", help: "Only those that can be used" },
      { name: "verbose", short: "v", help: "Also why one cannot be used" },
      AGENT,
      ...RPC_FLAGS,
    ],
    load: async () => (await skills()).list,
  },
  {
    path: ["skills", "info"],
    summary: "One skill: what it needs, what it lacks, where it lies",
    args: [NAME],
    flags: [AGENT, ...RPC_FLAGS],
    load: async () => (await skills()).info,
  },
  {
    path: ["skills", "check"],
    summary: "How many skills can be used, and what the others lack",
    flags: [AGENT, ...RPC_FLAGS],
    load: async () => (await skills()).check,
  },
  {
    path: ["skills", "search"],
    summary: "Look for skills in the registry",
    args: [{ name: "words", repeats: true, help: "What they should be about" }],
    flags: [{ name: "limit", value: "count", kind: "number", preset: "20", help: "How many" }, ...RPC_FLAGS],
    load: async () => (await sources()).search,
  },
  {
    path: ["skills", "install"],
    summary: "Install a skill from the registry, a folder, an archive or a git repository; or a program a skill needs",
    args: [
      {
        name: "spec",
        help: "slug, @owner/slug, ./folder, ./file.zip, git:host/owner/repo#folder; with --program the name of a skill",
      },
    ],
    flags: [
      { name: "version", value: "version", help: "This version, branch or tag" },
      { name: "as", value: "name", help: "The folder it gets" },
      { name: "program", value: "id", help: "Run this installer of the skill" },
      YES,
      AGENT,
      ...RPC_FLAGS,
    ],
    load: async () => (await sources()).install,
  },
  {
    path: ["skills", "update"],
    summary: "Bring newer versions of installed skills",
    args: [{ ...NAME, isOptional: true }],
    flags: [{ name: "all", help: "All of them" }, YES, ...RPC_FLAGS],
    load: async () => (await sources()).update,
  },
  {
    path: ["skills", "remove"],
    summary: "Take an installed skill away",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await sources()).remove,
  },
  {
    path: ["skills", "verify"],
    summary: "Whether files are those that were installed, and what a look through them finds",
    args: [{ ...NAME, isOptional: true }],
    flags: RPC_FLAGS,
    load: async () => (await sources()).verify,
  },
  {
    path: ["skills", "accept"],
    summary: "Take the files of a skill as they are now, after you looked at them",
    args: [NAME],
    flags: [AGENT, ...RPC_FLAGS],
    load: async () => (await sources()).accept,
  },
  {
    path: ["skills", "new"],
    summary: "Write the beginning of a new skill into the workspace",
    args: [NAME],
    flags: [AGENT, ...RPC_FLAGS],
    load: async () => (await sources()).create,
  },
];
