// Checks the arguments of a call against the tool's schema, after repairing harmless slips.
import type { ModelTool, Tool } from "@chela/sdk";
import { repairArguments } from "./repair-arguments.ts";
import { signatureOf, wordIssues } from "./word-issues.ts";

export type CheckedArguments =
  | { readonly kind: "fine"; readonly args: unknown }
  /** Says for the model what is wrong and what is allowed. */
  | { readonly kind: "wrong"; readonly detail: string };

export function checkArguments(tool: Tool, described: ModelTool, args: unknown): CheckedArguments {
  const schema = tool.parameters();
  const parsed = schema.safeParse(args);
  if (parsed.success) return { kind: "fine", args: parsed.data };
  const repaired = repairArguments(schema, args, parsed.error.issues);
  if (repaired) return { kind: "fine", args: repaired.data };
  return { kind: "wrong", detail: `${wordIssues(parsed.error.issues, args)}. ${signatureOf(described)}` };
}
