// The tool `write`: the whole file is new, or it is as it was.
import type { ToolContext, ToolOutput } from "@chela/sdk";
import { capDiff, diffTexts } from "./line-diff.ts";
import { locate, type LocatedPath } from "./locate.ts";
import { readWhole } from "./open-file.ts";
import { stageFile } from "./stage-file.ts";
import { decodeText } from "./text-content.ts";
import type { Confinement } from "./written-path.ts";

export interface WriteArguments {
  readonly path: string;
  readonly content: string;
}

/** Larger files are replaced without showing what was in them. */
const MAX_COMPARED_BYTES = 1024 * 1024;

export async function writeFile(
  args: WriteArguments,
  rules: Confinement,
  context: Pick<ToolContext, "signal">,
): Promise<ToolOutput> {
  using place = locate(args.path, rules);
  const bytes = Buffer.from(args.content);
  const before = await textBefore(place, context.signal);
  const staged = await stageFile(place, bytes, context.signal);
  try {
    staged.commit(undefined);
  } finally {
    staged.settle();
  }
  const outcome = place.kind === "missing" ? "created" : "overwritten";
  const diff = before === undefined ? undefined : diffTexts(args.path, before, args.content).diff;
  return {
    content: [{ type: "text", text: `${args.path} was ${outcome} (${bytes.length} bytes).` }],
    details: {
      path: args.path,
      outcome,
      bytes: bytes.length,
      ...(diff === undefined ? {} : { diff: capDiff(diff) }),
    },
  };
}

/** Only to show what changed: a file that cannot be read can still be replaced. */
async function textBefore(place: LocatedPath, signal: AbortSignal): Promise<string | undefined> {
  if (place.kind !== "file") return undefined;
  try {
    return decodeText((await readWhole(place, MAX_COMPARED_BYTES, signal)).bytes)?.text;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
