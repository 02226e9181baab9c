// Identity of an agent as people see it: what the configuration says, else what it wrote into its IDENTITY.md.
import type { AgentSettings } from "../../rooms/config/room.ts";
import { agentFiles, readIdentity } from "../../rooms/workspace/room.ts";
import { openAvatar, readAvatar } from "./avatar.ts";

export type ShownIdentity = {
  readonly name?: string;
  readonly theme?: string;
  readonly emoji?: string;
  /** As it was written. */
  readonly avatar?: string;
  /** For an img element: an address of somebody, of the gateway, or a data URL. */
  readonly avatarUrl?: string;
};

export async function identityOf(agent: AgentSettings, basePath: string): Promise<ShownIdentity> {
  const written = { ...(await identityInWorkspace(agent.workspace)), ...agent.identity };
  const avatarUrl = written.avatar ? urlOf(written.avatar, agent, basePath) : undefined;
  return { ...written, ...(avatarUrl ? { avatarUrl } : {}) };
}

/** What can stand where a picture is shown: an address, or else a few characters. */
export function avatarOf(identity: ShownIdentity, name: string): string {
  const written = identity.avatar ? readAvatar(identity.avatar) : undefined;
  if (written?.kind === "text") return written.text;
  return identity.avatarUrl ?? identity.emoji ?? ([...name][0] ?? "A").toUpperCase();
}

function urlOf(written: string, { id, workspace }: AgentSettings, basePath: string): string | undefined {
  const avatar = readAvatar(written);
  if (avatar.kind === "url") return avatar.url;
  using image = avatar.kind === "file" ? openAvatar(workspace, avatar.path) : undefined;
  if (!image) return undefined;
  return `${basePath}/avatar/${id}`;
}

/** A file that cannot be read says nothing: who looks at an agent cannot help that. */
async function identityInWorkspace(workspace: string): Promise<ShownIdentity> {
  try {
    const { content } = await agentFiles(workspace).get("IDENTITY.md");
    return content === undefined ? {} : readIdentity(content);
  } catch {
    return {};
  }
}
