// The limits of session maintenance in numbers, from the configuration's "30d" and "10mb".
import { defined } from "@chela/sdk/base";
import { readDuration } from "../../../base/text/read-duration.ts";
import { filledSection } from "@chela/sdk/config";
import type { ChelaConfig } from "../schema/sections.ts";
import { sessionSection } from "../schema/session.ts";

export interface MaintenanceLimits {
  readonly mode: "warn" | "enforce";
  readonly pruneAfterMs: number;
  readonly maxEntries: number;
  readonly rotateBytes: number;
  readonly resetArchiveRetentionMs?: number | false;
  readonly maxDiskBytes?: number;
  readonly highWaterBytes?: number;
}

const SIZE_UNITS: Record<string, number> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 };

export function maintenanceLimits({ session }: ChelaConfig): MaintenanceLimits {
  const written = (session?.maintenance ?? {}) as Readonly<Record<string, unknown>>;
  const preset = filledSection(sessionSection, {}).maintenance;
  const time = (value: unknown): number | undefined => readDuration(value, "d");
  const archive = written["resetArchiveRetention"];
  const maxDiskBytes = bytesOf(written["maxDiskBytes"]);
  const highWaterBytes = bytesOf(written["highWaterBytes"]);
  const archiveMs = archive === false ? false : time(archive);
  return {
    mode: session?.maintenance?.mode ?? preset.mode,
    pruneAfterMs: time(written["pruneAfter"]) ?? time(written["pruneDays"]) ?? (time(preset.pruneAfter) as number),
    maxEntries: typeof written["maxEntries"] === "number" ? written["maxEntries"] : preset.maxEntries,
    rotateBytes: bytesOf(written["rotateBytes"]) ?? (bytesOf(preset.rotateBytes) as number),
    ...defined({ resetArchiveRetentionMs: archiveMs, maxDiskBytes, highWaterBytes }),
  };
}

/** "10mb"; a number alone is bytes. */
export function bytesOf(value: unknown): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(
    typeof value === "number" ? String(value) : typeof value === "string" ? value : "",
  );
  const unit = SIZE_UNITS[(match?.[2] || "b").toLowerCase()];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}
