// Runs every check over what was gathered. A new check is added to its list, and to nothing else.
import { COMMAND_CHECKS } from "./checks/commands.ts";
import { DOOR_CHECKS } from "./checks/doors.ts";
import { FILE_CHECKS } from "./checks/files.ts";
import { OUTSIDE_CHECKS } from "./checks/outside.ts";
import { PEOPLE_CHECKS } from "./checks/people.ts";
import { SANDBOX_CHECKS } from "./checks/sandbox.ts";
import { SIDE_DOOR_CHECKS } from "./checks/side-doors.ts";
import { UPKEEP_CHECKS } from "./checks/upkeep.ts";
import type { SecurityFacts } from "./facts.ts";
import { sortWeaknesses, type Check, type Weakness } from "./finding.ts";

const CHECKS: readonly Check[] = [
  ...DOOR_CHECKS,
  ...SIDE_DOOR_CHECKS,
  ...PEOPLE_CHECKS,
  ...COMMAND_CHECKS,
  ...SANDBOX_CHECKS,
  ...FILE_CHECKS,
  ...OUTSIDE_CHECKS,
  ...UPKEEP_CHECKS,
];

export function runChecks(facts: SecurityFacts): Weakness[] {
  return sortWeaknesses(CHECKS.flatMap((check) => check(facts)));
}
