// Security checks of the door: every way in, what a running gateway answers, and what it runs on.
import type { SecurityCheck } from "@chela/sdk";
import { doorChecks } from "./doors.ts";
import { sideDoorChecks } from "./side-doors.ts";
import { upkeepChecks } from "./upkeep.ts";

export const checks: readonly SecurityCheck[] = [...doorChecks, ...sideDoorChecks, ...upkeepChecks];
