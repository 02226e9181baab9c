// Puts a new text in place of the old: checked first, backed up, written in one step, and noted in the audit file.
import { realpathSync } from "node:fs";
import { GatewayError, type Clock, type Logger } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { rotateBackups } from "./backups.ts";
import { invalidConfig, type Change } from "./change.ts";
import { auditWrite } from "../config-audit.ts";
import { setInText } from "./json5-edit.ts";
import { readConfig, type Reading, type ConfigSources } from "../read/load.ts";
import { diffPaths, formatPath } from "./path.ts";

export interface WriteOptions {
  readonly stateDir: string;
  readonly surroundings: ConfigSources;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
}

/** The new version as read back, or undefined when nothing would change. */
export function commitChange(change: Change, before: Reading, options: WriteOptions): Reading | undefined {
  const after = checkChange(change, before, options);
  if (after) write(before, after, options);
  return after;
}

/** What a change would come to; throws what `commitChange` would, and writes nothing. */
export function checkChange(
  change: Change,
  before: Reading,
  options: Pick<WriteOptions, "surroundings" | "version" | "clock">,
): Reading | undefined {
  if (change.text === (before.raw ?? "")) {
    if (change.target) refuseForeignPlaces(before, change.target);
    return undefined;
  }
  refuseNewIssues(readConfig(change.text, options.surroundings), before);
  const after = readConfig(stamp(change.text, options), options.surroundings);
  refuseNewIssues(after, before);
  if (change.target) refuseForeignPlaces(after, change.target);
  return after;
}

/** Compare and swap: whoever read an older version must read again. */
export function checkBaseHash(before: Reading, baseHash: string | undefined): void {
  if (before.kind === "missing") return;
  if (before.raw === undefined) throw new GatewayError("CONFIG_UNREADABLE", before.issues[0]?.message ?? "");
  if (!baseHash)
    throw new GatewayError(
      "CONFIG_CHANGED",
      "config base hash required; read the config and send its hash with the change",
    );
  if (baseHash !== before.hash)
    throw new GatewayError("CONFIG_CHANGED", "config changed since last load; read it again and repeat the change");
}

function stamp(text: string, { version, clock }: Pick<WriteOptions, "version" | "clock">): string {
  const versioned = setInText(text, ["meta", "lastTouchedVersion"], version);
  return setInText(versioned, ["meta", "lastTouchedAt"], new Date(clock.now()).toISOString());
}

/** What was wrong before may stay wrong, so that several mistakes can be repaired one by one. */
function refuseNewIssues(after: Reading, before: Reading): void {
  const known = new Set(before.issues.map(({ path, message }) => `${path}\n${message}`));
  const fresh = after.issues.filter(({ path, message }) => !known.has(`${path}\n${message}`));
  if (fresh.length > 0) throw invalidConfig(fresh);
}

/** The main file cannot take away or change what an included file adds to it. */
function refuseForeignPlaces(after: Reading, target: Record<string, unknown>): void {
  const withoutStamp = (value: Record<string, unknown>) => ({ ...value, meta: undefined });
  const place = diffPaths(withoutStamp(target), withoutStamp(after.source))[0];
  if (place === undefined) return;
  throw new GatewayError(
    "CONFIG_WRITE",
    `${formatPath(place)} comes from an included file (${after.includedFiles.join(", ")}); change it there`,
  );
}

function write(before: Reading, after: Reading, options: WriteOptions): void {
  const { configPath } = options.surroundings;
  const record = { configPath, before, after };
  try {
    // A config that is a link stays one: what it points to is replaced.
    const target = before.kind === "missing" ? configPath : realpathSync(configPath);
    rotateBackups(target);
    writeFileAtomic(target, after.raw ?? "");
  } catch (error) {
    auditWrite(options.stateDir, { ...record, result: "failed" }, options.clock, options.log);
    throw new GatewayError("CONFIG_WRITE", `${configPath} (${errnoOf(error) ?? String(error)})`, { cause: error });
  }
  auditWrite(options.stateDir, { ...record, result: "rename" }, options.clock, options.log);
}
