// Patches as models write them, read and applied to a file.
import { applyHunks } from "../../packages/gateway/src/rooms/tools/files/apply-hunks.ts";
import { parsePatch, type Hunk } from "../../packages/gateway/src/rooms/tools/files/patch-format.ts";
import { joinParts, promise, splitParts, type Target } from "../target.ts";

const FILE = "first\nsecond\n\n  third = 1;\nfourth\nfifth\n";

export const patch: Target = {
  name: "patch",
  promises:
    "A patch is read as a whole or refused with a sentence; applied, it leaves away exactly the lines it takes out and has every line it puts in, and one that only names lines changes nothing.",
  kind: "text",
  seeds: () => [
    joinParts(
      "*** Begin Patch\n*** Update File: a.txt\n@@ first\n second\n-\n+new\n   third = 1;\n*** End Patch",
      FILE,
    ),
    joinParts("*** Begin Patch\n*** Add File: b.txt\n+one\n+\n+two\n*** Delete File: c.txt\n*** End Patch\n", FILE),
    joinParts(
      "<<EOF\n*** Begin Patch\n*** Update File: a.txt\n*** Move to: d.txt\n@@\n-fifth\n+sixth\n*** End of File\n*** End Patch\nEOF",
      FILE,
    ),
    joinParts(
      "*** Begin Patch\n*** Update File: a.txt\n@@ -1,2 +1,2 @@\n first\n second\n@@\n fourth\n+more\n*** End Patch",
      "first\r\nsecond\r\nfourth",
    ),
    joinParts("*** Begin Patch\n*** Update File: a.txt\n+only added\n*** End Patch", ""),
  ],
  words: [
    "*** Begin Patch\n",
    "*** End Patch",
    "*** Update File: x\n",
    "*** Add File: x\n",
    "*** Move to: y\n",
    "*** End of File\n",
    "@@ ",
    "\n@@\n",
    "\n+",
    "\n-",
    "\n ",
    "\r\n",
  ],
  maxLength: 4000,
  open: () => ({
    run(input) {
      const [text, file] = splitParts(input, 2);
      for (const operation of parsePatch(text)) {
        promise(operation.path.trim() !== "", "an operation names no file");
        if (operation.kind !== "update") continue;
        const { hunks, path } = operation;
        const ending = file.includes("\r\n") ? "\r\n" : "\n";
        const after = applyHunks(path, file, ending, hunks);
        checkCounts(file, after, hunks);
        const named = hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.filter(({ mark }) => mark === " ") }));
        if (hunks.every(({ lines }) => lines.every(({ mark }) => mark === " "))) {
          promise(applyHunks(path, file, ending, named) === file, "lines that were only named have changed");
        }
      }
    },
  }),
};

function checkCounts(before: string, after: string, hunks: readonly Hunk[]): void {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string): number => lines.filter((line) => line.mark === mark).length;
  const wanted = linesOf(before).length - count("-") + count("+");
  promise(linesOf(after).length === wanted, () => `there are ${linesOf(after).length} lines, not ${wanted}`);
  const there = linesOf(after);
  for (const { mark, text } of lines) {
    if (mark === "+")
      promise(there.includes(text.replace(/\r$/, "")) || text.includes("\r"), () => `a line is missing: ${text}`);
  }
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
