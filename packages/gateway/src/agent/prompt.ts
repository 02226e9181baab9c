// The system prompt: short, and the same bytes turn after turn, so that providers can cache it.

export interface PromptParts {
  readonly agentName: string;
  readonly workspace: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  /** Given by the caller of this turn. */
  readonly extra?: string;
}

export function systemPrompt(parts: PromptParts): string {
  const sections = [
    `You are ${parts.agentName}, a personal assistant that people talk to through Chela.`,
    "Answer in the language of the person you talk to. Be brief unless asked for more. Say so when you do not know.",
    `Messages begin with the time they were written, as in [Thu 2026-01-15 12:00 UTC].`,
    "If nothing needs to be said, answer with exactly NO_REPLY.",
    parts.tools.length > 0
      ? `Tools:\n${parts.tools.map((tool) => `- ${tool.name}: ${tool.description}`).join("\n")}`
      : "",
    `Workspace: ${parts.workspace}`,
    parts.extra ?? "",
  ];
  return sections.filter(Boolean).join("\n\n");
}
