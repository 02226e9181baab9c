// Describes a tool call in a few words, for lists of what an agent did.
import type { ToolCallBlock } from "@chela/sdk";

const MOST_CHARS = 160;
/** Where a file tool works; others do something with what they are given. */
const BEFORE_PATH: Readonly<Record<string, string>> = { read: "from ", write: "to ", edit: "in ", apply_patch: "in " };
const PATHS = ["path", "file_path", "file"];
const SUBJECTS = ["query", "url", "action", "target", "to", "sessionKey", "agentId", "prompt"];

export function toolMeta({ name, arguments: given }: Pick<ToolCallBlock, "name" | "arguments">): string | undefined {
  const of = (keys: readonly string[]): string | undefined =>
    keys.map((key) => given[key]).find((value): value is string => typeof value === "string" && value.trim() !== "");
  const command = of(["command"]);
  if (command !== undefined) return `\`${cut(command)}\``;
  const path = of(PATHS);
  if (path !== undefined) return `${BEFORE_PATH[name] ?? ""}${cut(path)}`;
  const subject = of(SUBJECTS);
  return subject === undefined ? undefined : cut(subject);
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MOST_CHARS ? line : `${line.slice(0, MOST_CHARS - 1)}…`;
}
