// Gathers what the security audit wants to know of skills: what changed by itself, and what looks malicious.
import type { SkillFact } from "@chela/sdk";
import { readTree } from "./reading/read-tree.ts";
import type { Skills } from "./skills.ts";
import type { InstalledSkills } from "./sources/installed.ts";
import { scanFiles } from "./sources/scan.ts";

export function skillFacts(skills: Skills, installed: InstalledSkills, agentIds: readonly string[]): SkillFact[] {
  const all = agentIds.flatMap((id) => skills.look(id).all);
  const own = all.filter(({ source, state }) => source !== "openclaw-bundled" && ["ready", "changed"].includes(state));
  const byFolder = new Map(own.map((skill) => [skill.realDir, skill]));
  return [...byFolder.values()].flatMap(({ name, realDir, state }): SkillFact[] => {
    const read = readTree(realDir);
    if (read.kind === "refused") return [];
    const critical = scanFiles(read.files).filter(({ severity }) => severity === "critical");
    const isOther = installed.whyNot(realDir, read.digest) !== undefined;
    return [
      {
        name,
        path: realDir,
        isChanged: state === "changed" || isOther,
        isInstalled: !isOther && installed.isLocked(realDir),
        critical: critical.map(({ file, line, says }) => `${file}:${line}, ${says}`),
      },
    ];
  });
}
