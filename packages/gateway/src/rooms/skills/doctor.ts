// Check by `chela doctor` of skills: files that are not those that were installed, and skills that wait for a look.
import type { DoctorCheck, DoctorLine } from "@chela/sdk";
import type { House } from "../../house/house.ts";

type CheckedServices = Pick<House, "agents" | "skills">;

export const checks: ReadonlyArray<DoctorCheck<House>> = [{ name: "Skills", look: checkSkills }];

async function checkSkills({ agents, skills: open }: CheckedServices): Promise<DoctorLine[]> {
  const { skills, installed } = await open();
  const changed = [...installed.list().keys()].filter((name) => {
    try {
      return installed.verify(name).kind === "changed";
    } catch {
      return true;
    }
  });
  const lines = changed.map((name): DoctorLine => {
    const says = `files of the skill ${name} are not those that were installed, so it is not used`;
    return { state: "warn", says, fix: `chela skills verify ${name}` };
  });
  const all = agents().flatMap(({ id }) => skills.look(id).all.map((skill) => ({ id, ...skill })));
  const waiting = all.filter(({ state }) => state === "waiting" || state === "changed");
  lines.push(
    ...waiting.map(({ id, name }): DoctorLine => {
      const says = `the skill ${name} in the workspace of ${id} waits for you, since others may write there`;
      return { state: "warn", says, fix: `chela skills accept ${name} --agent ${id}` };
    }),
  );
  if (lines.length > 0) return lines;
  const ready = new Set(all.filter(({ state }) => state === "ready").map(({ realDir }) => realDir));
  return [{ state: "ok", says: `${ready.size} can be used` }];
}
