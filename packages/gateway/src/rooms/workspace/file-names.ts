// Names of a workspace's known files, and which of them an agent gets to see in which kind of conversation.

/** In the order in which they stand in the prompt. */
export const WORKSPACE_FILES = [
  "AGENTS.md",
  "SOUL.md",
  "TOOLS.md",
  "IDENTITY.md",
  "USER.md",
  "HEARTBEAT.md",
  "BOOTSTRAP.md",
  "MEMORY.md",
  "memory.md",
] as const;
export type WorkspaceFileName = (typeof WORKSPACE_FILES)[number];

/** The first meeting: gone once it was held. */
export const FIRST_MEETING = "BOOTSTRAP.md";

/**
 * `minimal` is for sub-agents and jobs: they know who they are, but not what is remembered of people.
 * `guest` is for direct chats with somebody who is not the owner: all but what is remembered of the owner and others.
 * `group` is for conversations that others take part in: who the agent is, and not who its owner is.
 * `light` is for what is asked often and should cost little: who the agent is.
 */
export type FileSet = "full" | "guest" | "group" | "minimal" | "light";

const NAMES: Readonly<Record<FileSet, readonly WorkspaceFileName[]>> = {
  full: WORKSPACE_FILES,
  guest: ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md"],
  group: ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md"],
  minimal: ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md"],
  light: ["SOUL.md", "IDENTITY.md"],
};

export function namesOf(set: FileSet): readonly WorkspaceFileName[] {
  return NAMES[set];
}

export function isWorkspaceFile(name: string): name is WorkspaceFileName {
  return (WORKSPACE_FILES as readonly string[]).includes(name);
}
