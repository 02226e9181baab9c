// Line about a tool call: its icon, the argument that says most, and how it stands with it.
import type { ShownMessage, WatchedRun } from "@chela/sdk/protocol";
import type { IconName } from "../parts/icon.ts";
import { entryOf } from "../state/entry-of.ts";

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export type RunningTool = Pick<WatchedRun["tools"][number], "partial" | "details" | "startedAt">;

export type Fields = Readonly<Record<string, unknown>>;

export type ToolState =
  | { readonly kind: "running"; readonly startedAt: number }
  | { readonly kind: "asks" }
  | { readonly kind: "done"; readonly durationMs?: number }
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "background" }
  | { readonly kind: "failed" }
  | { readonly kind: "denied" }
  /** Its result is not on this page, or never came. */
  | { readonly kind: "unknown" };

const ICONS: Readonly<Record<string, IconName>> = {
  exec: "logs",
  process: "logs",
  read: "file",
  write: "edit",
  edit: "edit",
  apply_patch: "edit",
  web_search: "search",
  web_fetch: "link",
  image: "image",
  attach: "attach",
  message: "send",
  sessions_list: "sessions",
  sessions_history: "sessions",
  sessions_search: "search",
  sessions_send: "chat",
  agents_list: "agents",
  memory_search: "memory",
  memory_get: "memory",
  cron: "cron",
};

/** Which arguments say most, the best first; whatever tool it is. */
const TELLING = [
  "command",
  "path",
  "file_path",
  "query",
  "url",
  "message",
  "prompt",
  "pollQuestion",
  "image",
  "sessionKey",
  "label",
  "action",
  "name",
] as const;

const MOST_CHARS = 200;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textField(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function iconOf(toolName: string): IconName {
  return entryOf(ICONS, toolName) ?? "tool";
}

/** The argument to show beside the tool's name, on one line. */
export function tellingArgument({ name, arguments: given }: ToolCall): string {
  const fields = fieldsOf(given);
  if (name === "apply_patch") return patchedPaths(textField(fields, "input") ?? "").join(", ");
  if (name === "process") return oneLine([fields["action"], fields["sessionId"]].filter(Boolean).join(" "));
  const telling = textField(fields, ...TELLING) ?? Object.values(fields).find((value) => typeof value === "string");
  return oneLine(typeof telling === "string" ? telling : "");
}

/** Paths named in a patch, in their order. */
function patchedPaths(patch: string): string[] {
  return Array.from(patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm), ([, path = ""]) => path.trim());
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS - 1)}…` : line;
}

export function stateOf(running: RunningTool | undefined, result: ShownMessage | undefined): ToolState {
  if (result) return endOf(result);
  if (!running) return { kind: "unknown" };
  if (fieldsOf(running.details)["status"] === "approval-pending") return { kind: "asks" };
  return { kind: "running", startedAt: running.startedAt };
}

function endOf(result: ShownMessage): ToolState {
  const { status, exitCode, durationMs, tookMs } = fieldsOf(result.details);
  if (status === "denied") return { kind: "denied" };
  if (result.isError) return { kind: "failed" };
  if (status === "running" && result.toolName === "exec") return { kind: "background" };
  if (typeof exitCode === "number" && exitCode !== 0) return { kind: "exited", code: exitCode };
  const took = durationMs ?? tookMs;
  return { kind: "done", ...(typeof took === "number" ? { durationMs: took } : {}) };
}

/** What a result says in words. */
export function resultText(result: ShownMessage): string {
  return (result.content ?? []).flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
