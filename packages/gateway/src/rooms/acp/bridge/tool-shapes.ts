// How a call of one of our tools looks in an editor: its kind, a title, the files it is about, and a diff where it changes one. Pure.
import { isAbsolute, resolve } from "node:path";
import type { ToolKind } from "../wire/session-blocks.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface ToolShape {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: ReadonlyArray<{ readonly path: string; readonly line?: number }>;
  readonly content: readonly object[];
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: "read",
  editor_read: "read",
  image: "read",
  memory_get: "read",
  sessions_history: "read",
  write: "edit",
  edit: "edit",
  apply_patch: "edit",
  editor_write: "edit",
  editor_edit: "edit",
  exec: "execute",
  process: "execute",
  editor_run: "execute",
  web_fetch: "fetch",
  web_search: "search",
  memory_search: "search",
  sessions_search: "search",
  editor_plan: "think",
};
const VERBS: Readonly<Record<string, string>> = {
  read: "Read",
  editor_read: "Read",
  write: "Write",
  editor_write: "Write",
  edit: "Edit",
  editor_edit: "Edit",
};
const SUBJECTS = ["command", "path", "file_path", "query", "url", "action", "target", "task"];
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 100_000;
const SHOWN_INPUT_CHARS = 200_000;

export function shapeOf(name: string, given: unknown, workspace: string | undefined): ToolShape {
  const args = argumentsOf(given);
  const path = absolute(textOf(args, "path", "file_path"), workspace);
  const line = typeof args["offset"] === "number" ? args["offset"] : undefined;
  const locations = path === undefined ? [] : [{ path, ...(line === undefined ? {} : { line }) }];
  return { title: titleOf(name, args), kind: KINDS[name] ?? "other", locations, content: diffOf(name, args, path) };
}

/** What a tool gave, as blocks of content. */
export function outputOf(result: unknown): object[] {
  const blocks = Array.isArray(result) ? (result as ReadonlyArray<Readonly<Record<string, unknown>>>) : [];
  return blocks.flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" && text !== ""
      ? [{ type: "content", content: { type: "text", text: shortened(text) } }]
      : [],
  );
}

/** The arguments as they are shown; very large ones are left out, because a diff holds them already. */
export function inputOf(given: unknown): Arguments | undefined {
  const args = argumentsOf(given);
  return JSON.stringify(args).length > SHOWN_INPUT_CHARS ? undefined : args;
}

function diffOf(name: string, args: Arguments, path: string | undefined): object[] {
  if (path === undefined || KINDS[name] !== "edit") return [];
  const newText = textOf(args, "content", "newText", "new_string");
  if (newText === undefined) return [];
  const oldText = textOf(args, "oldText", "old_string");
  return [{ type: "diff", path, ...(oldText === undefined ? {} : { oldText }), newText }];
}

function titleOf(name: string, args: Arguments): string {
  const subject = textOf(args, ...SUBJECTS)
    ?.replace(/\s+/g, " ")
    .trim();
  const verb = VERBS[name] ?? (KINDS[name] === "execute" && subject ? "" : name);
  const title = [verb, subject].filter(Boolean).join(" ") || name;
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE)}…` : title;
}

function argumentsOf(given: unknown): Arguments {
  return typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Arguments) : {};
}

function textOf(args: Arguments, ...names: readonly string[]): string | undefined {
  return names.map((name) => args[name]).find((value): value is string => typeof value === "string");
}

/** The protocol knows absolute paths alone. */
function absolute(path: string | undefined, workspace: string | undefined): string | undefined {
  if (path === undefined || path === "") return undefined;
  if (isAbsolute(path)) return path;
  return workspace === undefined ? undefined : resolve(workspace, path);
}

function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… (cut)` : text;
}
