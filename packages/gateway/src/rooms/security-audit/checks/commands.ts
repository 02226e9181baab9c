// Checks about what agents may run: rules for commands, the list of allowed programs, files outside the workspace.
import { rulePlaces } from "../agents.ts";
import { hasOpenPlaces } from "../channels.ts";
import type { AllowedProgram } from "../facts.ts";
import type { Check, Weakness } from "../finding.ts";
import { read, readList, readText, setCommand, unsetCommand } from "../settings.ts";
import { isInside } from "@chela/sdk/files";

const RISKY_SAFE_BINS =
  /^(?:(?:ba|da|z|k|c|tc|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|sed|env|xargs|find|tee|ssh|curl|wget|git)$/;
const OPEN_DIRECTORIES = ["/tmp", "/var/tmp", "/dev/shm"];

const checkExec: Check = (facts) =>
  rulePlaces(facts).flatMap(({ who, toolsAt, tools }): Weakness[] => {
    if (readText(tools, "exec.security") !== "full") return [];
    const isAsked = readText(tools, "exec.ask") === "always";
    if (isAsked) return [];
    const isOpen = hasOpenPlaces(facts.config);
    return [
      {
        id: `exec-full:${toolsAt}`,
        severity: isOpen ? "critical" : "warning",
        title: "Commands run without asking anybody",
        risk: isOpen
          ? "People nobody named may speak to an agent, and what they talk it into runs on this machine at once."
          : `What a web page or a mail talks ${who} into runs on this machine at once.`,
        where: `${toolsAt}.exec.security`,
        fix: setCommand(`${toolsAt}.exec.security`, "allowlist"),
      },
    ];
  });

const checkElevatedDefault: Check = ({ config }) => {
  if (readText(config, "agents.defaults.elevatedDefault") !== "full") return [];
  return [
    {
      id: "elevated-full",
      severity: "warning",
      title: "Elevated commands run without asking anybody",
      risk: "Whoever may use elevated commands has this machine without anybody being asked.",
      where: "agents.defaults.elevatedDefault",
      fix: "chela config set agents.defaults.elevatedDefault ask",
    },
  ];
};

const checkSafeBins: Check = (facts) =>
  rulePlaces(facts).flatMap(({ toolsAt, tools }) => {
    const risky = readList(tools, "exec.safeBins").filter((name) => RISKY_SAFE_BINS.test(name));
    const open = readList(tools, "exec.safeBinTrustedDirs").filter((place) =>
      OPEN_DIRECTORIES.some((root) => isInside(root, place)),
    );
    const found: Weakness[] = [];
    if (risky.length > 0) {
      found.push({
        id: `safe-bins-risky:${toolsAt}`,
        severity: "warning",
        title: "A program counts as harmless that is not",
        risk: `${risky.join(", ")} can read files or run other programs, so "harmless" means everything.`,
        where: `${toolsAt}.exec.safeBins`,
        fix: `Take ${risky.join(", ")} out of ${toolsAt}.exec.safeBins.`,
      });
    }
    if (open.length > 0) {
      found.push({
        id: `safe-bins-open:${toolsAt}`,
        severity: "critical",
        title: "Programs are trusted where everybody can put some",
        risk: `Every user of this machine can put a program into ${open.join(", ")} that then runs as you.`,
        where: `${toolsAt}.exec.safeBinTrustedDirs`,
        fix: `Take ${open.join(", ")} out of ${toolsAt}.exec.safeBinTrustedDirs.`,
      });
    }
    return found;
  });

const checkFileTools: Check = (facts) =>
  rulePlaces(facts).flatMap(({ who, toolsAt, tools }) =>
    ["fs.workspaceOnly", "exec.applyPatch.workspaceOnly"]
      .filter((key) => read(tools, key) === false)
      .map((key): Weakness => ({
        id: `files-everywhere:${toolsAt}.${key}`,
        severity: "warning",
        title: "File tools reach outside the workspace",
        risk: `What a message talks ${who} into can ${key.startsWith("fs") ? "read and change" : "change"} any file of yours.`,
        where: `${toolsAt}.${key}`,
        fix: unsetCommand(`${toolsAt}.${key}`),
      })),
  );

const checkApprovalRules: Check = ({ approvals }) => {
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
  return approvals.rules.flatMap(({ of, security, ask, askFallback }): Weakness[] => {
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

const checkAllowedPrograms: Check = ({ approvals }) =>
  (approvals?.programs ?? []).flatMap((program): Weakness[] => {
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

export const COMMAND_CHECKS: readonly Check[] = [
  checkExec,
  checkElevatedDefault,
  checkSafeBins,
  checkFileTools,
  checkApprovalRules,
  checkAllowedPrograms,
];
