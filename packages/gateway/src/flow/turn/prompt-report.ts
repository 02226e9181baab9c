// Report on the parts of a conversation's last prompt, in the shape of OpenClaw's index of sessions. Pure.
import type { ModelTool } from "@chela/sdk";
import type { Stage } from "./stage.ts";

/** Undefined when nothing is known of the prompt but its text. */
export function promptReport(stage: Stage, sessionKey: string, at: number): object | undefined {
  const { model, prompt, sessionId, tools } = stage;
  const { system, sources } = prompt;
  if (!sources) return undefined;
  const { files, projectChars, skills, ...place } = sources;
  return {
    source: "run",
    generatedAt: at,
    sessionId,
    sessionKey,
    provider: model.provider,
    model: model.id,
    ...place,
    systemPrompt: {
      chars: system.length,
      projectContextChars: projectChars,
      nonProjectContextChars: system.length - projectChars,
    },
    injectedWorkspaceFiles: files.map(({ name, path, rawChars, content, truncated }) => {
      return { name, path, missing: false, rawChars, injectedChars: content.length, truncated };
    }),
    skills: { promptChars: skills.text.length, entries: skills.entries },
    tools: toolSizes(tools.described),
  };
}

const known = new WeakMap<readonly ModelTool[], object>();

/** Conversations with the same tools share one list, which is made once. */
function toolSizes(described: readonly ModelTool[]): object {
  const sizes = known.get(described) ?? measure(described);
  known.set(described, sizes);
  return sizes;
}

function measure(described: readonly ModelTool[]): object {
  const entries = described.map(({ name, description, parameters }) => {
    const { properties } = parameters;
    const propertiesCount = typeof properties === "object" && properties ? Object.keys(properties).length : 0;
    const schemaChars = JSON.stringify(parameters).length;
    return { name, summaryChars: description.length, schemaChars, propertiesCount };
  });
  // The prompt has no list of tools: they go with the request.
  return { listChars: 0, schemaChars: entries.reduce((sum, { schemaChars }) => sum + schemaChars, 0), entries };
}
