// The tool `edit`: one passage of a file is replaced, everything else stays to the byte.
import { GatewayError, type ToolContext, type ToolOutput } from "@chela/sdk";
import { changeFiles } from "./change-files.ts";
import { findPassage, type FoundPassage } from "./find-passage.ts";
import { capDiff, diffTexts } from "./line-diff.ts";
import { locate } from "./locate.ts";
import { readWhole } from "./open-file.ts";
import { encodeText, MAX_CHANGED_BYTES, textToChange, type TextContent } from "./text-content.ts";
import type { Confinement } from "./written-path.ts";

export interface EditArguments {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

export async function editFile(
  args: EditArguments,
  rules: Confinement,
  context: Pick<ToolContext, "signal">,
): Promise<ToolOutput> {
  if (args.oldText === "") {
    throw new GatewayError("TOOL_EDIT", "oldText is empty. Give the text to replace, or use write for a whole file.");
  }
  using place = locate(args.path, rules);
  const before = await readWhole(place, MAX_CHANGED_BYTES, context.signal);
  const content = textToChange(before.bytes, args.path);
  const { text, how } = replacePassage(content, args);
  await changeFiles([{ kind: "write", place, before, after: encodeText(content, text) }], context.signal);

  const { diff, firstChangedLine } = diffTexts(args.path, content.text, text);
  const note =
    how === "typography" ? " It matched apart from spaces at line ends, quotes, dashes or kinds of space." : "";
  return {
    content: [{ type: "text", text: `${args.path} was edited at line ${firstChangedLine}.${note}` }],
    details: { path: args.path, diff: capDiff(diff), firstChangedLine },
  };
}

function replacePassage(content: TextContent, args: EditArguments): { text: string; how: string } {
  const found = findPassage(content.text, args.oldText);
  if (found.kind !== "one") throw new GatewayError("TOOL_EDIT", explainNotOne(found, args.path));
  const { start, end, how } = found;
  // Whoever quotes line endings to the letter also means those of the new text.
  const endingsAreMeant = how === "exact" && args.oldText.includes("\r\n");
  const replacement = endingsAreMeant ? args.newText : args.newText.replace(/\r?\n/g, content.ending);
  const text = content.text.slice(0, start) + replacement + content.text.slice(end);
  if (text === content.text) {
    throw new GatewayError("TOOL_EDIT", `Nothing would change in "${args.path}": the new text is what stands there.`);
  }
  return { text, how };
}

function explainNotOne(found: Exclude<FoundPassage, { kind: "one" }>, path: string): string {
  if (found.kind === "several") {
    const lines = `${found.lines.join(", ")}${found.more ? " and more" : ""}`;
    return `oldText stands in "${path}" more than once (lines ${lines}). Add lines around it until it is unique.`;
  }
  const near =
    found.line === undefined ? "" : ` Its first line stands at line ${found.line}, but what follows differs.`;
  return `oldText does not stand in "${path}".${near} Read the file again and copy the text exactly, with its spaces.`;
}
