// Decides whether a call may go on: is there such a tool, may it be used here, are its arguments right.
import type { ModelTool, Tool, ToolCallBlock } from "@chela/sdk";
import { checkArguments } from "./check-arguments.ts";
import { refuse, type Ending, type Gate } from "./gate.ts";
import { nearNames } from "./near-names.ts";
import { signatureOf } from "./word-issues.ts";

type Refused = Extract<Ending, { kind: "refused" }>;

export type Admitted = { readonly kind: "admitted"; readonly tool: Tool; readonly args: unknown } | Refused;

/** The watch comes first: a model that repeats a refused call goes in circles as well. */
export function admitCall(call: ToolCallBlock, gate: Gate): Admitted {
  const watched = gate.watch.before(call);
  if (watched.kind === "block") return refuse("loop", "TOOL_LOOP", watched.message);
  const tool = gate.find(call.name);
  if (!tool) return unknownTool(call.name, gate.allowedNames());
  const denied = checkPolicy(tool, gate);
  if (denied) return denied;
  if (call.unreadable !== undefined) return unreadable(call.unreadable, gate.describe(tool));
  const checked = checkArguments(tool, gate.describe(tool), call.arguments);
  if (checked.kind === "wrong")
    return refuse("arguments", "TOOL_ARGUMENTS", `${checked.detail}. Correct them and call again`);
  return { kind: "admitted", tool, args: checked.args };
}

/** A model that sees what it wrote corrects it; a turn that fails teaches it nothing. */
function unreadable(written: string, described: ModelTool): Refused {
  const detail = `they are not a JSON object, so nothing was done. They begin with: ${written}\n${signatureOf(described)}. Call again with a JSON object`;
  return refuse("arguments", "TOOL_ARGUMENTS", detail);
}

function unknownTool(name: string, names: readonly string[]): Refused {
  const near = nearNames(name, names);
  const hint = near.length > 0 ? ` Perhaps you mean ${near.join(" or ")}.` : "";
  const exist = names.length > 0 ? `Tools that exist: ${names.join(", ")}` : "There are none to be used here";
  return refuse("exists", "TOOL_UNKNOWN", `${name}.${hint} ${exist}`);
}

function checkPolicy(tool: Tool, gate: Gate): Refused | undefined {
  const removal = gate.removal(tool);
  if (!removal) return undefined;
  const detail = `${tool.name} was taken away by the layer "${removal.layer}" of the tool policy: ${removal.why}. Do it another way, or tell the person`;
  return refuse(removal.layer, "TOOL_DENIED", detail);
}
