// How long the audit trail is kept, in milliseconds.
import { DEFAULTS } from "./default-values.ts";
import type { ChelaConfig } from "./schema/sections.ts";

const DAY_MS = 86_400_000;

export function auditRetentionMs({ audit }: ChelaConfig): number {
  return (audit?.retentionDays ?? DEFAULTS["audit.retentionDays"]) * DAY_MS;
}
