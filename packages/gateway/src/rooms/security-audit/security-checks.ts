// Security checks about the state directory: its files, and code of others in it.
import type { SecurityCheck } from "@chela/sdk";
import { extensionChecks } from "./checks/extensions.ts";
import { fileChecks } from "./checks/files.ts";

export const checks: readonly SecurityCheck[] = [...fileChecks, ...extensionChecks];
