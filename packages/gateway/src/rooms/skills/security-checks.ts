// Security checks about skills: texts and programs that agents follow.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";

const checkSkills: SecurityCheck["look"] = ({ skills = [] }) =>
  skills.flatMap(({ name, path, isChanged, isInstalled, critical }): SecurityWeakness[] => {
    const weaknesses: SecurityWeakness[] = [];
    if (isChanged) {
      weaknesses.push({
        id: `skill-changed:${name}`,
        severity: "warning",
        title: `The skill "${name}" is not what you installed or accepted`,
        risk: "Somebody changed its files; agents do not use it until you have looked at it.",
        where: path,
        fix: `chela skills verify ${name}, then chela skills accept ${name} or chela skills remove ${name}`,
      });
    }
    // What was installed was shown, and somebody said yes to it.
    if (critical.length > 0 && !isInstalled) {
      weaknesses.push({
        id: `skill-content:${name}`,
        severity: "warning",
        title: `The skill "${name}" does what malicious skills do (${critical.slice(0, 3).join("; ")})`,
        risk: "Agents do what a skill says, with all they may do in their conversations.",
        where: path,
        fix: `Read it. If you do not want it: set skills.entries.${name}.enabled to false`,
      });
    }
    return weaknesses;
  });

export const checks: readonly SecurityCheck[] = [{ topic: "outside", look: checkSkills }];
