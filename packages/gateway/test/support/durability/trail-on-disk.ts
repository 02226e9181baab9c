// A trail in a real SQLite file that tests may tamper with, as somebody with access to the disk would.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AuditEvent, Change } from "@chela/sdk";
import { openDatabase, SqliteLedger } from "../../../src/rooms/ledger/room.ts";

import { loadAuditCheck, readAuditKey, readHead, type AuditReport } from "../../../src/rooms/audit/room.ts";

export const AT = Date.UTC(2026, 0, 15, 12);

export const event = (target: string, over: Partial<AuditEvent> = {}): Change => ({
  kind: "audit-add",
  event: {
    at: AT,
    action: "tool",
    actor: "telegram:default:7",
    target,
    outcome: "ok",
    agentId: "main",
    sessionKey: "agent:main:main",
    channel: "telegram",
    traceId: "r1",
    detail: { args: { path: "a" }, cost: 0.25 },
    ...over,
  },
});

export interface TrailOnDisk extends Disposable {
  readonly stateDir: string;
  readonly path: string;
  write(...changes: Change[]): Promise<void>;
  /** Runs while nobody else has the file open. */
  tamper(...sql: string[]): void;
  verify(): Promise<AuditReport>;
  use<T>(work: (ledger: SqliteLedger) => Promise<T>): Promise<T>;
}

/** Without a key, as trails of older versions are. */
export function createTrailOnDisk(): TrailOnDisk {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-audit-"));
  const path = join(stateDir, "ledger.sqlite");
  const use = async <T>(work: (ledger: SqliteLedger) => Promise<T>): Promise<T> => {
    const ledger = new SqliteLedger(openDatabase(path), { auditKey: readAuditKey(stateDir) });
    try {
      return await work(ledger);
    } finally {
      await ledger.close();
    }
  };
  return {
    stateDir,
    path,
    use,
    write: (...changes) => use((ledger) => ledger.commit(changes)),
    tamper(...sql) {
      const database = new DatabaseSync(path);
      for (const one of sql) database.exec(one);
      database.close();
    },
    verify: () =>
      use(async (ledger) => {
        const { verifyTrail } = await loadAuditCheck();
        const key = readAuditKey(stateDir);
        return verifyTrail(ledger, readHead(stateDir, key), { key, known: await ledger.auditHead() });
      }),
    [Symbol.dispose]: () => rmSync(stateDir, { recursive: true, force: true }),
  };
}
