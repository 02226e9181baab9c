// The limits of session maintenance in numbers, from the configuration's "30d" and "10mb".
import { DEFAULTS } from "./default-values.ts";
import type { ChelaConfig } from "./schema/sections.ts";

export interface MaintenanceLimits {
  readonly mode: "warn" | "enforce";
  readonly pruneAfterMs: number;
  readonly maxEntries: number;
  readonly rotateBytes: number;
  readonly resetArchiveRetentionMs?: number | false;
  readonly maxDiskBytes?: number;
  readonly highWaterBytes?: number;
}

const TIME_UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const SIZE_UNITS: Record<string, number> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 };

export function maintenanceLimits({ session }: ChelaConfig): MaintenanceLimits {
  const written = (session?.maintenance ?? {}) as Readonly<Record<string, unknown>>;
  const time = (value: unknown): number | undefined => amountOf(value, TIME_UNITS, "d");
  const size = (value: unknown): number | undefined => amountOf(value, SIZE_UNITS, "b");
  const archive = written["resetArchiveRetention"];
  const maxDiskBytes = size(written["maxDiskBytes"]);
  const highWaterBytes = size(written["highWaterBytes"]);
  const archiveMs = archive === false ? false : time(archive);
  return {
    mode: session?.maintenance?.mode ?? DEFAULTS["session.maintenance.mode"],
    pruneAfterMs:
      time(written["pruneAfter"]) ??
      time(written["pruneDays"]) ??
      (time(DEFAULTS["session.maintenance.pruneAfter"]) as number),
    maxEntries:
      typeof written["maxEntries"] === "number" ? written["maxEntries"] : DEFAULTS["session.maintenance.maxEntries"],
    rotateBytes: size(written["rotateBytes"]) ?? (size(DEFAULTS["session.maintenance.rotateBytes"]) as number),
    ...(archiveMs === undefined ? {} : { resetArchiveRetentionMs: archiveMs }),
    ...(maxDiskBytes === undefined ? {} : { maxDiskBytes }),
    ...(highWaterBytes === undefined ? {} : { highWaterBytes }),
  };
}

/** A number alone is in the usual unit. */
function amountOf(value: unknown, units: Readonly<Record<string, number>>, usual: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(
    typeof value === "number" ? String(value) : typeof value === "string" ? value : "",
  );
  const unit = units[(match?.[2] || usual).toLowerCase()];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}
