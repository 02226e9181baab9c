// Tells what a system prompt is made of and how large each part is, for people who wonder where the tokens go.
import type { ModelTool } from "@chela/sdk";
import { systemPrompt } from "../prompt.ts";
import type { PromptParts } from "./parts.ts";
import { projectSection } from "./sections.ts";

export interface PromptFacts {
  /** `run`: it was sent like this. `estimate`: it would be. */
  readonly source: "run" | "estimate";
  readonly generatedAt: number;
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly limits: { readonly perFile: number; readonly total: number };
  readonly sandboxMode?: string;
  readonly tools: readonly ModelTool[];
}

/** As OpenClaw keeps it in the session's entry. */
export interface PromptReport {
  readonly source: "run" | "estimate";
  readonly generatedAt: number;
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly workspaceDir: string;
  readonly bootstrapMaxChars: number;
  readonly bootstrapTotalMaxChars: number;
  readonly sandbox: { readonly mode: string; readonly sandboxed: boolean };
  readonly systemPrompt: {
    readonly chars: number;
    readonly projectContextChars: number;
    readonly nonProjectContextChars: number;
  };
  readonly injectedWorkspaceFiles: ReadonlyArray<{
    readonly name: string;
    readonly path: string;
    readonly missing: boolean;
    readonly rawChars: number;
    readonly injectedChars: number;
    readonly truncated: boolean;
  }>;
  readonly skills: {
    readonly promptChars: number;
    readonly entries: ReadonlyArray<{ readonly name: string; readonly blockChars: number }>;
  };
  readonly tools: {
    /** Always 0: tools are described by their schemas and not once more in the prompt. */
    readonly listChars: number;
    readonly schemaChars: number;
    readonly entries: readonly ToolSize[];
  };
}

interface ToolSize {
  readonly name: string;
  readonly summaryChars: number;
  readonly schemaChars: number;
  readonly propertiesCount: number;
}

export function promptReport(parts: PromptParts, facts: PromptFacts): PromptReport {
  const { limits, tools, sandboxMode, ...origin } = facts;
  const { workspace } = parts;
  const files = parts.mode === "none" ? [] : workspace.files;
  const skills = parts.mode === "none" ? "" : (parts.slots?.skills ?? "");
  const chars = systemPrompt(parts).length;
  const projectContextChars = projectSection(files).length;
  const entries = tools.map(measureTool);
  return {
    ...origin,
    workspaceDir: workspace.path,
    bootstrapMaxChars: limits.perFile,
    bootstrapTotalMaxChars: limits.total,
    sandbox: { mode: sandboxMode ?? "off", sandboxed: workspace.sandbox !== undefined },
    systemPrompt: { chars, projectContextChars, nonProjectContextChars: chars - projectContextChars },
    injectedWorkspaceFiles: files.map(({ content, ...file }) => ({
      ...file,
      missing: false,
      injectedChars: content.length,
    })),
    skills: { promptChars: skills.length, entries: measureSkills(skills) },
    tools: { listChars: 0, schemaChars: entries.reduce((sum, one) => sum + one.schemaChars, 0), entries },
  };
}

function measureTool(tool: ModelTool): ToolSize {
  const { properties } = tool.parameters;
  return {
    name: tool.name,
    summaryChars: tool.description.length,
    schemaChars: JSON.stringify(tool.parameters).length,
    propertiesCount: typeof properties === "object" && properties !== null ? Object.keys(properties).length : 0,
  };
}

function measureSkills(prompt: string): { name: string; blockChars: number }[] {
  return [...prompt.matchAll(/<skill>[^]*?<\/skill>/g)].map(([block]) => ({
    name: /<name>([^<]*)<\/name>/.exec(block)?.[1]?.trim() ?? "",
    blockChars: block.length,
  }));
}
