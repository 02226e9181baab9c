// The tool `apply_patch`: works everything out first, then changes all files or none.
import type { ToolContext, ToolOutput } from "@chela/sdk";
import { applyHunks } from "./apply-hunks.ts";
import { changeFiles } from "./change-files.ts";
import { Drafts, expectFile, expectNoFile } from "./drafts.ts";
import { capDiff } from "./line-diff.ts";
import { parsePatch, type PatchOperation } from "./patch-format.ts";
import { encodeText, MAX_CHANGED_BYTES, textToChange } from "./text-content.ts";
import type { Confinement } from "./written-path.ts";

interface Summary {
  readonly added: string[];
  readonly modified: string[];
  readonly deleted: string[];
}

export async function applyPatch(
  input: string,
  rules: Confinement,
  context: Pick<ToolContext, "signal">,
): Promise<ToolOutput> {
  const operations = parsePatch(input);
  using drafts = new Drafts(rules, MAX_CHANGED_BYTES, context.signal);
  const summary: Summary = { added: [], modified: [], deleted: [] };
  for (const operation of operations) await draft(operation, drafts, summary);
  const diff = capDiff(drafts.diff());
  await changeFiles(drafts.changes(), context.signal);
  return { content: [{ type: "text", text: describe(summary) }], details: { summary, diff } };
}

function describe({ added, modified, deleted }: Summary): string {
  const listed = (letter: string, paths: readonly string[]) => paths.map((path) => `\n${letter} ${path}`);
  return ["The patch was applied:", ...listed("A", added), ...listed("M", modified), ...listed("D", deleted)].join("");
}

async function draft(operation: PatchOperation, drafts: Drafts, summary: Summary): Promise<void> {
  const file = await drafts.open(operation.path);
  switch (operation.kind) {
    case "add":
      expectNoFile(file, operation.path, "Use Update File for it");
      file.bytes = Buffer.from(operation.lines.map((line) => `${line}\n`).join(""));
      return note(summary.added, operation.path);
    case "delete":
      expectFile(file, operation.path);
      file.bytes = undefined;
      return note(summary.deleted, operation.path);
    case "update": {
      const bytes = changedBytes(operation, expectFile(file, operation.path));
      const target = operation.moveTo === undefined ? file : await drafts.open(operation.moveTo);
      if (target !== file) expectNoFile(target, operation.moveTo ?? "", "Delete it first, or move to another name");
      file.bytes = undefined;
      target.bytes = bytes;
      target.mode = file.before?.mode ?? file.mode;
      return note(summary.modified, operation.moveTo ?? operation.path);
    }
  }
}

function note(paths: string[], path: string): void {
  if (!paths.includes(path)) paths.push(path);
}

function changedBytes(operation: Extract<PatchOperation, { kind: "update" }>, bytes: Buffer): Buffer {
  if (operation.hunks.length === 0) return bytes;
  const content = textToChange(bytes, operation.path);
  return encodeText(content, applyHunks(operation.path, content.text, content.ending, operation.hunks));
}
