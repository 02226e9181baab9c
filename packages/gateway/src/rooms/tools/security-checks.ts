// Security checks about what agents may run and touch, and who may have it run outside of the sandbox.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import {
  isSettings,
  read,
  readBlock,
  readText,
  readList,
  isForEverybody,
  formatPlace,
} from "../../base/settings/read-settings.ts";
import { setCommand, unsetCommand, withoutWildcard } from "../../base/settings/change-settings.ts";
import { isInside } from "@chela/sdk/files";

const RISKY_SAFE_BINS =
  /^(?:(?:ba|da|z|k|c|tc|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|sed|env|xargs|find|tee|ssh|curl|wget|git)$/;

const OPEN_DIRECTORIES = ["/tmp", "/var/tmp", "/dev/shm"];

const checkExec: SecurityCheck["look"] = (facts) =>
  facts.rules.flatMap(({ who, toolsAt, tools }): SecurityWeakness[] => {
    if (readText(tools, "exec.security") !== "full") return [];
    const isAsked = readText(tools, "exec.ask") === "always";
    if (isAsked) return [];
    const isOpen = facts.hasOpenPlaces;
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

const checkElevatedDefault: SecurityCheck["look"] = ({ config }) => {
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

const checkSafeBins: SecurityCheck["look"] = (facts) =>
  facts.rules.flatMap(({ toolsAt, tools }) => {
    const risky = readList(tools, "exec.safeBins").filter((name) => RISKY_SAFE_BINS.test(name));
    const open = readList(tools, "exec.safeBinTrustedDirs").filter((place) =>
      OPEN_DIRECTORIES.some((root) => isInside(root, place)),
    );
    const found: SecurityWeakness[] = [];
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

const checkFileTools: SecurityCheck["look"] = (facts) =>
  facts.rules.flatMap(({ who, toolsAt, tools }) =>
    ["fs.workspaceOnly", "exec.applyPatch.workspaceOnly"]
      .filter((key) => read(tools, key) === false)
      .map((key): SecurityWeakness => ({
        id: `files-everywhere:${toolsAt}.${key}`,
        severity: "warning",
        title: "File tools reach outside the workspace",
        risk: `What a message talks ${who} into can ${key.startsWith("fs") ? "read and change" : "change"} any file of yours.`,
        where: `${toolsAt}.${key}`,
        fix: unsetCommand(`${toolsAt}.${key}`),
      })),
  );

const MANY_PEOPLE = 25;

const checkElevated: SecurityCheck["look"] = (facts) =>
  facts.rules.flatMap(({ toolsAt, tools }) =>
    Object.entries(readBlock(tools, "elevated.allowFrom")).flatMap(([channel, value]): SecurityWeakness[] => {
      const list = isSettings(value) ? [] : readList({ value }, "value");
      const where = `${toolsAt}.${formatPlace(["elevated", "allowFrom", channel])}`;
      const isWide = isForEverybody(list);
      if (!isWide && list.length <= MANY_PEOPLE) return [];
      return [
        {
          id: `elevated-wide:${where}`,
          severity: isWide ? "critical" : "warning",
          title: isWide ? "Everybody may use elevated commands" : "Very many people may use elevated commands",
          risk: "Elevated commands leave the sandbox, so each of these people has this machine.",
          where,
          fix: "Name the few people who need it, by id.",
          ...(isWide ? withoutWildcard(where, value) : {}),
        },
      ];
    }),
  );

export const checks: readonly SecurityCheck[] = [
  { topic: "people", look: checkElevated },
  { topic: "commands", look: checkExec },
  { topic: "commands", look: checkElevatedDefault },
  { topic: "commands", look: checkSafeBins },
  { topic: "commands", look: checkFileTools },
];
