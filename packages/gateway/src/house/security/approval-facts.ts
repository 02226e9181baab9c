// Reads what the security audit wants to know of exec-approvals.json: rules, and which programs are allowed for good.
import { defined } from "@chela/sdk/base";
import { readFileSync } from "node:fs";
import type { AllowedProgram, ApprovalsFacts } from "@chela/sdk";
import { allowEntrySchema, approvalsToReadSchema } from "../../rooms/approvals/approvals-schema.ts";
import { findRunsOthers } from "../../rooms/approvals/plan/programs-that-run-others.ts";
import { errnoOf } from "@chela/sdk/files";

/** Undefined when there is no file. */
export function readApprovals(path: string): ApprovalsFacts | undefined {
  const broken = (problem: string): ApprovalsFacts => ({ path, problem, rules: [], programs: [] });
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT") return undefined;
    return broken(errno ? `it cannot be read (${errno})` : "it is not valid JSON");
  }
  const parsed = approvalsToReadSchema().safeParse(document);
  if (!parsed.success) return broken("it has another shape than expected");
  const { defaults, agents = {} } = parsed.data;
  const places = [["defaults", defaults ?? {}] as const, ...Object.entries(agents)];
  return {
    path,
    rules: places.map(([of, { security, ask, askFallback }]) => ({
      of,
      ...(security ? { security } : {}),
      ...(ask ? { ask } : {}),
      ...(askFallback ? { askFallback } : {}),
    })),
    programs: Object.entries(agents).flatMap(([agentId, { allowlist = [] }]) =>
      allowlist.flatMap((entry) => programOf(agentId, entry)),
    ),
  };
}

function programOf(agentId: string, written: unknown): AllowedProgram[] {
  const parsed = allowEntrySchema().safeParse(written);
  if (!parsed.success) return [];
  const { pattern, argv, argPattern } = parsed.data;
  const runsOthers = findRunsOthers({ file: pattern, foundAt: pattern, argv: [pattern] })?.reason;
  return [
    {
      agentId,
      pattern,
      isNarrow: argv !== undefined || argPattern !== undefined,
      ...defined({ argPattern, runsOthers }),
    },
  ];
}
