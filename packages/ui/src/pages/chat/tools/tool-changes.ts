// Changes of a tool in files, from what it told about them or, before that, from what it was asked to do.
import type { ShownMessage } from "@chela/sdk/protocol";
import { readDiff, readPatch, type ChangeLine } from "./change-lines.ts";
import { fieldsOf, textField, type ToolCall } from "../../../conversations/tool-call.ts";

export type ToolChanges =
  | { readonly kind: "lines"; readonly lines: readonly ChangeLine[] }
  /** One passage is put in the place of another. */
  | { readonly kind: "passages"; readonly before: string; readonly after: string }
  /** The whole of a file; what was there before is not known, or there was nothing. */
  | { readonly kind: "file"; readonly path: string; readonly text: string };

const TOOLS: ReadonlySet<string> = new Set(["write", "edit", "apply_patch"]);

export function changesOf({ name, arguments: given }: ToolCall, result?: ShownMessage): ToolChanges | undefined {
  if (!TOOLS.has(name)) return undefined;
  const told = textField(fieldsOf(result?.details), "diff");
  if (told !== undefined) return { kind: "lines", lines: readDiff(told) };
  const fields = fieldsOf(given);
  const path = textField(fields, "path", "file_path") ?? "";
  const patch = textField(fields, "input");
  const after = textOf(fields, "newText", "new_string");
  const content = textOf(fields, "content");
  if (name === "apply_patch" && patch !== undefined) return { kind: "lines", lines: readPatch(patch) };
  if (name === "edit" && after !== undefined) {
    return { kind: "passages", before: textOf(fields, "oldText", "old_string") ?? "", after };
  }
  return name === "write" && content !== undefined ? { kind: "file", path, text: content } : undefined;
}

/** Unlike a telling argument, an empty text counts here: a passage may be taken out, a file emptied. */
function textOf(fields: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : undefined;
}
