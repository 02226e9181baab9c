// A question of a worker, as people see it, and their answer in the worker's words. Pure.
import type { PermissionQuestion, ToolFacts } from "../wire/agent-frames.ts";

export type Decision = "allow-once" | "allow-always" | "deny" | null;

const LONGEST = 4_000;

/** What it wants to do, as one text: the title alone may hide what it is about. */
export function subjectOf(agent: string, { title, kind, content, rawInput }: ToolFacts): string {
  const command = commandIn(rawInput);
  const diffs = (content ?? []).flatMap((part) =>
    part.type === "diff" && "path" in part ? [`${String(part.path)}:\n${String(part["newText"])}`] : [],
  );
  const parts = [title ?? kind ?? "do something", ...(command && command !== title ? [command] : []), ...diffs];
  const text = `${agent}: ${parts.join(" – ")}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)` : text;
}

/** The option that says what the person said, and never more; undefined when there is none. */
export function optionFor(options: PermissionQuestion["options"], decision: Decision): string | undefined {
  const of = (kind: string): string | undefined => options.find((option) => option.kind === kind)?.optionId;
  if (decision === "allow-once") return of("allow_once");
  if (decision === "allow-always") return of("allow_always") ?? of("allow_once");
  return of("reject_once") ?? of("reject_always");
}

export function canLast(options: PermissionQuestion["options"]): boolean {
  return options.some(({ kind }) => kind === "allow_always");
}

function commandIn(rawInput: unknown): string | undefined {
  const input = rawInput as {
    readonly command?: unknown;
    readonly path?: unknown;
    readonly file_path?: unknown;
  } | null;
  const named = input?.command ?? input?.path ?? input?.file_path;
  if (Array.isArray(named)) return named.join(" ");
  return typeof named === "string" ? named : undefined;
}
