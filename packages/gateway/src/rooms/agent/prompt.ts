// The system prompt: short, and the same bytes turn after turn, so that providers can cache it.
import type { PromptParts } from "./prompt/parts.ts";
import {
  aliasSection,
  HEARTBEATS,
  identitySection,
  MANNER,
  MESSAGES,
  ownerSection,
  placeSection,
  projectSection,
  REASONING_TAGS,
  runtimeLine,
  SAFETY,
  slotSection,
  TOOLS,
} from "./prompt/sections.ts";

/** What is the same for most conversations comes first: the more of it is alike, the more of it is cached. */
export function systemPrompt(parts: PromptParts): string {
  if (parts.mode === "none") return identitySection(parts);
  const { abilities = {}, slots = {} } = parts;
  const isFull = parts.mode === "full";
  const sections = [
    `${identitySection(parts)}\n${MANNER}`,
    TOOLS,
    SAFETY,
    isFull ? MESSAGES : "",
    isFull && abilities.heartbeats ? HEARTBEATS : "",
    abilities.reasoningTags ? REASONING_TAGS : "",
    slotSection("Skills", slots.skills),
    isFull ? slotSection("Memory", slots.memory) : "",
    isFull ? aliasSection(abilities.modelAliases) : "",
    placeSection(parts),
    isFull ? ownerSection(abilities.owners) : "",
    projectSection(parts.workspace.files),
    runtimeLine(parts.agent.id, parts.runtime),
    slots.extra?.trim() ?? "",
  ];
  return sections.filter(Boolean).join("\n\n");
}
