// A workspace with an outside that must not be touched, and a way to call the file tools as a model does.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ModelInfo, Tool, ToolContext, ToolOutput } from "@chela/sdk";
import { applyPatchTool, editTool, readTool, writeTool, type FileHouse, type FileSettings } from "./file-tools.ts";

export const SECRET = "the secret of somebody else\n";

export const MODEL: ModelInfo = {
  provider: "demo",
  id: "demo",
  name: "Demo",
  api: "demo",
  reasoning: false,
  input: ["text", "image"],
  contextWindow: 8_000,
  maxTokens: 1_000,
};

type Result =
  | { readonly kind: "done"; readonly text: string; readonly output: ToolOutput; readonly details: Details }
  | { readonly kind: "failed"; readonly text: string };

interface Details {
  readonly diff?: string;
  readonly firstChangedLine?: number;
  readonly outcome?: string;
  readonly bytes?: number;
  readonly nextOffset?: number;
  readonly summary?: { added: string[]; modified: string[]; deleted: string[] };
}

export interface Yard extends Disposable {
  /** Holds the workspace `ws` and the directory `outside`. */
  readonly root: string;
  readonly workspace: string;
  readonly outside: string;
  put(path: string, content: string | Uint8Array): string;
  text(path: string): string;
  /** Everything below a directory: names, kinds and contents. */
  picture(directory?: string): Record<string, string>;
  call(tool: ToolName, args: unknown, options?: CallOptions): Promise<Result>;
}

export type ToolName = "read" | "write" | "edit" | "apply_patch";

interface CallOptions {
  readonly settings?: FileSettings;
  readonly workspace?: string;
  readonly signal?: AbortSignal;
  readonly model?: ModelInfo;
}

const TOOLS: Record<ToolName, (parts: FileHouse) => Tool> = {
  read: readTool,
  write: writeTool,
  edit: editTool,
  apply_patch: applyPatchTool,
};

export function createYard(): Yard {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "chela-files-")));
  const [workspace, outside] = [join(root, "ws"), join(root, "outside")];
  mkdirSync(join(outside, "deep"), { recursive: true });
  mkdirSync(workspace);
  writeFileSync(join(outside, "secret.txt"), SECRET);
  writeFileSync(join(outside, "deep", "secret.txt"), SECRET);
  return {
    root,
    workspace,
    outside,
    put(path, content) {
      const full = join(workspace, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    text: (path) => readFileSync(join(workspace, path), "utf8"),
    picture: (directory = workspace) => pictureOf(directory),
    call: (tool, args, options = {}) => call(tool, args, { workspace, ...options }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function call(name: ToolName, args: unknown, options: CallOptions): Promise<Result> {
  const tool = TOOLS[name]({ fileSettings: () => options.settings ?? { forbidden: [] } });
  const context: ToolContext = {
    agentId: "main",
    sessionKey: "agent:main:main",
    runId: "run",
    toolCallId: "call",
    requester: { channel: "", account: "", id: "", isOwner: false, standing: "stranger" },
    workspace: options.workspace ?? "",
    model: options.model ?? MODEL,
    signal: options.signal ?? new AbortController().signal,
    update() {},
  };
  try {
    const output = await tool.run(tool.parameters().parse(args), context);
    const text = output.content.map((block) => ("text" in block ? block.text : "")).join("\n");
    return { kind: "done", text, output, details: (output.details ?? {}) as Details };
  } catch (error) {
    return { kind: "failed", text: error instanceof Error ? error.message : String(error) };
  }
}

/** A call of each tool that would read or change the file at `path`. */
export function callsOn(path: string): [ToolName, unknown][] {
  return [
    ["read", { path }],
    ["write", { path, content: "overwritten\n" }],
    ["edit", { path, oldText: "secret", newText: "overwritten" }],
    ["apply_patch", { input: patch(`*** Update File: ${path}`, "@@", `-${SECRET.trim()}`, "+overwritten") }],
    ["apply_patch", { input: patch(`*** Delete File: ${path}`) }],
    ["apply_patch", { input: patch("*** Update File: own.txt", `*** Move to: ${path}`) }],
    ["apply_patch", { input: patch(`*** Add File: ${path}`, "+overwritten") }],
  ];
}

export function patch(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function pictureOf(directory: string, prefix = ""): Record<string, string> {
  const picture: Record<string, string> = {};
  for (const name of existsSync(directory) ? readdirSync(directory).sort() : []) {
    const path = join(directory, name);
    const stats = lstatSync(path);
    if (stats.isDirectory())
      Object.assign(picture, { [`${prefix}${name}/`]: "" }, pictureOf(path, `${prefix}${name}/`));
    else if (stats.isSymbolicLink()) picture[prefix + name] = `-> ${readlinkSync(path)}`;
    else picture[prefix + name] = stats.isFile() ? readFileSync(path, "utf8") : "special";
  }
  return picture;
}
