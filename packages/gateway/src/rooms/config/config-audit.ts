// One line per write of the config: who, when, what size before and after. Values are never in it.
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock, Logger } from "@chela/sdk";
import type { Reading } from "./read/load.ts";
import { diffPaths, isObject, valueAt } from "./edit/path.ts";
import { REDACTED, secretsOf } from "./secret-rules.ts";

export interface WriteRecord {
  readonly configPath: string;
  readonly before: Reading;
  readonly after: Reading;
  readonly result: "rename" | "failed";
}

export function auditWrite(stateDir: string, record: WriteRecord, clock: Clock, log: Logger): void {
  const path = join(stateDir, "logs", "config-audit.jsonl");
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, `${JSON.stringify(auditLine(record, clock))}\n`, { mode: 0o600 });
  } catch (error) {
    log.warn("The audit line of a configuration write could not be written.", { path, error: String(error) });
  }
}

function auditLine({ configPath, before, after, result }: WriteRecord, clock: Clock): Record<string, unknown> {
  return {
    ts: new Date(clock.now()).toISOString(),
    source: "config-io",
    event: "config.write",
    result,
    configPath,
    pid: process.pid,
    ppid: process.ppid,
    cwd: process.cwd(),
    argv: withoutSecrets(process.argv, [...secretsOf(before.source), ...secretsOf(after.source)]),
    existsBefore: before.kind !== "missing",
    previousHash: before.raw === undefined ? null : before.hash,
    nextHash: after.hash,
    previousBytes: before.raw === undefined ? null : Buffer.byteLength(before.raw),
    nextBytes: Buffer.byteLength(after.raw ?? ""),
    changedPathCount: diffPaths(before.source, after.source).length,
    hasMetaBefore: isObject(before.source["meta"]),
    hasMetaAfter: isObject(after.source["meta"]),
    gatewayModeBefore: gatewayMode(before),
    gatewayModeAfter: gatewayMode(after),
    suspicious: suspicions(before, after),
  };
}

function gatewayMode(reading: Reading): unknown {
  return valueAt(reading.resolved, ["gateway", "mode"]) ?? null;
}

/** `config set gateway.auth.token …` carries the secret on the command line. */
function withoutSecrets(argv: readonly string[], secrets: readonly string[]): string[] {
  return argv.map((argument) => secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), argument));
}

function suspicions(before: Reading, after: Reading): string[] {
  const found: string[] = [];
  const previous = Buffer.byteLength(before.raw ?? "");
  if (previous > 512 && Buffer.byteLength(after.raw ?? "") < previous / 2) found.push("size-drop");
  if (gatewayMode(before) !== null && gatewayMode(after) === null) found.push("gateway-mode-removed");
  if (before.kind === "broken") found.push("broken-before");
  return found;
}
