// Retention of the audit trail, in milliseconds.
import { filledSection } from "@chela/sdk/config";
import { auditSection } from "../schema/audit.ts";
import type { ChelaConfig } from "../schema/sections.ts";

const DAY_MS = 86_400_000;

export function auditRetentionMs({ audit }: ChelaConfig): number {
  return filledSection(auditSection, audit).retentionDays * DAY_MS;
}
