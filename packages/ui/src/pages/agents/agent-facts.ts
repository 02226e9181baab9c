// Names of an agent, what stands for it, and where a new one could live.
import type { MethodAnswer } from "@chela/sdk/protocol";

export type Agents = MethodAnswer<"agents.list">;
export type Agent = Agents["agents"][number];

export type Face =
  | { readonly kind: "picture"; readonly url: string }
  | { readonly kind: "text"; readonly text: string };

const MOST_CHARACTERS = 4;

export function agentName({ id, name, identity }: Pick<Agent, "id" | "name" | "identity">): string {
  return identity?.name || name || id;
}

/** A few characters it chose, its picture, its emoji, or the first letter of its name. */
export function faceOf(agent: Pick<Agent, "id" | "name" | "identity">): Face {
  const { avatar = "", avatarUrl = "", emoji } = agent.identity ?? {};
  if (isShort(avatar)) return { kind: "text", text: avatar.trim() };
  if (avatarUrl.startsWith("data:image/")) return { kind: "picture", url: avatarUrl };
  // The address stays when the picture changes, so the picture's name goes with it.
  if (/^\/(?!\/)/.test(avatarUrl)) return { kind: "picture", url: `${avatarUrl}?v=${encodeURIComponent(avatar)}` };
  return { kind: "text", text: emoji || ([...agentName(agent)][0] ?? "?").toUpperCase() };
}

/** Its picture lies on another site, which this page does not ask. */
export function isPictureElsewhere({ identity }: Pick<Agent, "identity">): boolean {
  return /^https?:/i.test(identity?.avatarUrl ?? "");
}

function isShort(avatar: string): boolean {
  const text = avatar.trim();
  if (text === "" || /[/\\:]|\.\w/.test(text)) return false;
  return [...new Intl.Segmenter().segment(text)].length <= MOST_CHARACTERS;
}

/** The id that an agent of this name gets; "" when the name gives none. */
export function idOfName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 64);
}

/** Beside the workspaces of the others, where the gateway may move it to the trash some day. */
export function workspaceFor({ agents }: Pick<Agents, "agents">, id: string): string {
  const found = agents.flatMap(({ agentDir = "" }) => /^(.*)([/\\])agents[/\\][^/\\]+[/\\]agent$/.exec(agentDir) ?? []);
  const [, stateDir = "~/.openclaw", slash = "/"] = found;
  return [stateDir, "workspaces", id || "…"].join(slash);
}

/** The end of a path, which is what tells one from another. */
export function endOfPath(path: string): string {
  const parts = path.split(/[/\\]/);
  return parts.length > 4 ? ["…", ...parts.slice(-2)].join("/") : path;
}
