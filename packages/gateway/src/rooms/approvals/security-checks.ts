// Security checks about approvals: who gives them, and what is allowed for good.
import type { AllowedProgram, SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { readList, isForEverybody } from "../../base/settings/read-settings.ts";

const checkApprovalRules: SecurityCheck["look"] = ({ approvals }) => {
  if (!approvals) return [];
  const { path, problem } = approvals;
  if (problem !== undefined) {
    return [
      {
        id: "approvals-broken",
        severity: "warning",
        title: "The list of allowed programs cannot be read",
        risk: `Nothing in it counts, so every command has to be approved: ${problem}.`,
        where: path,
        fix: `Correct ${path}, or move it away.`,
      },
    ];
  }
  return approvals.rules.flatMap(({ of, security, ask, askFallback }): SecurityWeakness[] => {
    const isLoose = (security === "full" && ask !== "always") || askFallback === "full";
    if (!isLoose) return [];
    return [
      {
        id: `approvals-loose:${of}`,
        severity: "warning",
        title: "The approvals file asks for no approval",
        risk: "It only narrows what the configuration allows, but nothing is left of it once that is loosened too.",
        where: `${path} (${of})`,
        fix: "chela approvals get shows it; set security to allowlist and ask to on-miss.",
      },
    ];
  });
};

const checkAllowedPrograms: SecurityCheck["look"] = ({ approvals }) =>
  (approvals?.programs ?? []).flatMap((program): SecurityWeakness[] => {
    const risk = riskOf(program);
    if (risk === undefined) return [];
    const { agentId, pattern } = program;
    return [
      {
        id: `allowlist-wide:${agentId}:${pattern}`,
        severity: "warning",
        title: "An allowed program is more than one program",
        risk,
        where: `${approvals?.path} (${agentId})`,
        fix: `chela approvals allowlist remove '${pattern.replaceAll("'", `'\\''`)}', and allow single commands when you are asked.`,
      },
    ];
  });

/** What the entry allows in truth; undefined when that is what it says. */
function riskOf({ pattern, argPattern, isNarrow, runsOthers }: AllowedProgram): string | undefined {
  const name = pattern.split("/").at(-1) ?? pattern;
  if (/^[*?/~.]*\*[*?/]*$/.test(pattern) || pattern.endsWith("/**"))
    return `"${pattern}" allows nearly every program without asking.`;
  if (/[*?]/.test(pattern) && !isNarrow) return `"${pattern}" also allows programs that are put there later.`;
  if (runsOthers === undefined) return undefined;
  if (argPattern !== undefined && /^\^?\.[*+]\$?$/.test(argPattern))
    return `${name} ${runsOthers}, and any arguments are allowed.`;
  return isNarrow ? undefined : `${name} ${runsOthers}, so by its path alone it is never run without asking.`;
}

const checkApprovers: SecurityCheck["look"] = ({ channels }) =>
  channels
    .filter(({ own }) => isForEverybody(readList(own, "execApprovals.approvers")))
    .map(({ at }) => ({
      id: `approvers-wildcard:${at}`,
      severity: "critical",
      title: "Everybody is named as somebody who approves commands",
      risk: "A stranger who asks for a command could be taken for somebody who may allow it.",
      where: `${at}.execApprovals.approvers`,
      fix: "Name the people who may approve, by id.",
    }));

export const checks: readonly SecurityCheck[] = [
  { topic: "people", look: checkApprovers },
  { topic: "commands", look: checkApprovalRules },
  { topic: "commands", look: checkAllowedPrograms },
];
