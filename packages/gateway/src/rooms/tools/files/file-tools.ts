// The tools `read`, `write`, `edit` and `apply_patch` as they are offered; what they do is loaded when one is used.
import { isAbsolute, resolve } from "node:path";
import * as z from "zod";
import { once, type ModelInfo, type Tool, type ToolContext } from "@chela/sdk";
import { insideRules, readingRules } from "./reading-rules.ts";
import type { Confinement } from "./written-path.ts";

export interface FileSettings {
  /** Files outside the workspace are out of reach. True unless told otherwise. */
  readonly workspaceOnly?: boolean | undefined;
  /** Trees no file tool enters, such as the state directory and other agents' workspaces; the own workspace may lie in one. */
  readonly forbidden: readonly string[];
  /** Where files that came with messages are kept, by their content. */
  readonly attached?: string | undefined;
  /** Folders of skills, which can be read wherever they lie. */
  readonly skills?: readonly string[] | undefined;
  readonly applyPatch?: ApplyPatchSettings | undefined;
}

export interface ApplyPatchSettings {
  /** True unless told otherwise. */
  readonly enabled?: boolean | undefined;
  /** True unless told otherwise. */
  readonly workspaceOnly?: boolean | undefined;
  /** Model ids, alone or as provider/id; none means all. */
  readonly allowModels?: readonly string[] | undefined;
}

/** Skills of an agent lie where it may not write, and may lie anywhere. */
export interface SkillReading {
  /** Absolute, links resolved. */
  folders(agentId: string): Promise<readonly string[]>;
  /** A file was read by this path. */
  wasRead(asked: Pick<ToolContext, "agentId" | "sessionKey">, path: string): Promise<void>;
}

/** Of the house: where each agent may read and write. */
export interface FileHouse {
  fileSettings(agentId: string): FileSettings;
  readonly skillReading?: SkillReading;
}

const Path = () => z.string().describe("Relative to the workspace, or absolute");

const ReadParameters = once(() =>
  withAliases(
    { file_path: "path" },
    z.object({
      path: Path(),
      offset: z.coerce.number().int().min(1).optional().describe("First line, from 1"),
      limit: z.coerce.number().int().min(1).optional().describe("Number of lines"),
    }),
  ),
);
const WriteParameters = once(() => withAliases({ file_path: "path" }, z.object({ path: Path(), content: z.string() })));
const EditParameters = once(() =>
  withAliases(
    { file_path: "path", old_string: "oldText", new_string: "newText" },
    z.object({
      path: Path(),
      oldText: z.string().describe("Must stand in the file exactly once"),
      newText: z.string(),
    }),
  ),
);
const PatchParameters = once(() => z.object({ input: z.string().describe("The whole patch") }));

export function readTool(house: FileHouse): Tool<ReturnType<typeof ReadParameters>> {
  return {
    name: "read",
    label: "Read",
    description: "Reads a text file or an image. Long files come in pages; continue with offset.",
    family: "fs",
    profiles: ["coding"],
    inSandbox: "allowed",
    told: 10,
    effects: ["read"],
    keepsToSandbox: true,
    parameters: ReadParameters,
    async run(args, context) {
      const { readFile } = await import("./read-file.ts");
      const settings = house.fileSettings(context.agentId);
      // Paths of the workspace are usual: nobody asks about skills for them.
      const skills = isAbsolute(args.path) ? ((await house.skillReading?.folders(context.agentId)) ?? []) : [];
      const output = await readFile(args, readingRules(args.path, { ...settings, skills }, context), context);
      if (/skill\.md$/i.test(args.path)) {
        await house.skillReading?.wasRead(context, resolve(context.workspace, args.path));
      }
      return output;
    },
  };
}

export function writeTool(house: FileHouse): Tool<ReturnType<typeof WriteParameters>> {
  return {
    name: "write",
    label: "Write",
    description: "Writes a whole file: creates it with its directories, or replaces what was there.",
    family: "fs",
    profiles: ["coding"],
    inSandbox: "allowed",
    notForGuests: true,
    told: 20,
    effects: ["write"],
    keepsToSandbox: true,
    parameters: WriteParameters,
    async run(args, context) {
      const { writeFile } = await import("./write-file.ts");
      return writeFile(args, confinementOf(house, context), context);
    },
  };
}

export function editTool(house: FileHouse): Tool<ReturnType<typeof EditParameters>> {
  return {
    name: "edit",
    label: "Edit",
    description: "Replaces one passage of a text file by another.",
    family: "fs",
    profiles: ["coding"],
    inSandbox: "allowed",
    notForGuests: true,
    told: 30,
    effects: ["read", "write"],
    keepsToSandbox: true,
    parameters: EditParameters,
    async run(args, context) {
      const { editFile } = await import("./edit-file.ts");
      return editFile(args, confinementOf(house, context), context);
    },
  };
}

export function applyPatchTool(house: FileHouse): Tool<ReturnType<typeof PatchParameters>> {
  return {
    name: "apply_patch",
    label: "Apply patch",
    description:
      "Changes several files at once, all or none. Format: *** Begin Patch, then sections *** Add File: path (lines with +), " +
      "*** Update File: path (optional *** Move to: path; changes begin with @@ or @@ <line above>, lines with space, - or +; " +
      "optional *** End of File), *** Delete File: path, then *** End Patch.",
    family: "fs",
    profiles: ["coding"],
    inSandbox: "allowed",
    notForGuests: true,
    told: 40,
    effects: ["read", "write"],
    keepsToSandbox: true,
    parameters: PatchParameters,
    unavailable: ({ agentId, model }) => whyNoPatches(house.fileSettings(agentId).applyPatch, model),
    async run(args, context) {
      const { applyPatch } = await import("./apply-patch.ts");
      const rules = confinementOf(house, context);
      const isConfined = house.fileSettings(context.agentId).applyPatch?.workspaceOnly ?? true;
      const workspaceOnly = isConfined || context.sandbox !== undefined;
      return applyPatch(args.input, { ...rules, workspaceOnly }, context);
    },
  };
}

function whyNoPatches(settings: ApplyPatchSettings | undefined, model: ModelInfo): string | undefined {
  if (settings?.enabled === false) return "apply_patch is switched off (tools.exec.applyPatch.enabled).";
  const allowed = settings?.allowModels ?? [];
  const names = [model.id, `${model.provider}/${model.id}`].map((name) => name.toLowerCase());
  if (allowed.length === 0 || allowed.some((name) => names.includes(name.trim().toLowerCase()))) return undefined;
  return `apply_patch is not enabled for ${model.provider}/${model.id} (tools.exec.applyPatch.allowModels).`;
}

function confinementOf(house: FileHouse, context: ToolContext): Confinement {
  const { workspaceOnly, forbidden } = house.fileSettings(context.agentId);
  const { workspace, sandbox, closedNotes } = context;
  const rules = sandbox
    ? insideRules(sandbox, forbidden)
    : { workspace, workspaceOnly: workspaceOnly ?? true, forbidden };
  return { ...rules, closedNotes, keepsOffControl: true };
}

/** Other names some models use are understood, but not shown to any. */
function withAliases<S extends z.ZodObject>(aliases: Readonly<Record<string, string>>, schema: S) {
  return z.preprocess((args) => {
    if (typeof args !== "object" || args === null) return args;
    const named: Record<string, unknown> = { ...args };
    for (const [alias, name] of Object.entries(aliases)) named[name] ??= named[alias];
    // Some models write null for what they leave out.
    return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
  }, schema);
}
