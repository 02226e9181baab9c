// Checks by `chela doctor` of the configuration: the directory it lies in, and what is wrong with the file.
import { chmodSync, statSync } from "node:fs";
import type { DoctorCall, DoctorCheck, DoctorLine } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { issueSentence, unusedSentence } from "./read/issue.ts";

type CheckedServices = Pick<House, "config" | "paths">;

export const checks: ReadonlyArray<DoctorCheck<House>> = [
  { name: "State", look: (house, doctor) => [checkStateDirectory(house, doctor)] },
  { name: "Config", look: checkConfig },
];

function checkStateDirectory(
  { paths: { stateDir } }: CheckedServices,
  { repairs }: Pick<DoctorCall, "repairs">,
): DoctorLine {
  const stat = statSync(stateDir, { throwIfNoEntry: false });
  if (!stat) return { state: "warn", says: `${stateDir} does not exist yet`, fix: "chela gateway run" };
  const open = stat.mode & 0o077;
  if (open === 0 || process.platform === "win32") return { state: "ok", says: `${stateDir}, for this user only` };
  if (repairs) {
    chmodSync(stateDir, 0o700);
    return { state: "ok", says: `${stateDir} is closed to other users now` };
  }
  return { state: "warn", says: `${stateDir} can be entered by other users`, fix: `chmod 700 ${stateDir}` };
}

function checkConfig({ config, paths: { configPath } }: CheckedServices): DoctorLine[] {
  const { issues, warnings, notUsedYet } = config.check();
  const unused = unusedSentence(notUsedYet);
  const fix = `edit ${configPath}, then chela config validate`;
  return [
    ...describeFile({ config, configPath }),
    ...issues.map((issue): DoctorLine => ({ state: "fail", says: issueSentence(issue), fix })),
    ...warnings.map((issue): DoctorLine => ({ state: "warn", says: issueSentence(issue), fix })),
    ...(unused ? [{ state: "warn" as const, says: unused, fix: "chela config validate names them all" }] : []),
  ];
}

function describeFile({ config, configPath }: Pick<House, "config"> & { readonly configPath: string }): DoctorLine[] {
  const { exists, source } = config.snapshot();
  if (!exists) return [{ state: "ok", says: `${configPath} does not exist; built-in settings are used` }];
  if (config.check().valid) return [{ state: "ok", says: configPath }];
  const used = source === "last-good" ? "the last version that worked is used" : "built-in settings are used";
  return [{ state: "fail", says: `${configPath} is broken, so ${used}`, fix: "the lines below say where" }];
}
