// The ledger of a house without a gateway. What is asked of it opens it; what it may be used for is said beforehand.
import { existsSync } from "node:fs";
import { GatewayError, type Change, type CommitNote, type Ledger } from "@chela/sdk";
import { WireError, type OfflineUse } from "@chela/sdk/protocol";
import { readAuditKey, type AuditKey } from "../../rooms/audit/room.ts";
import { lazy } from "../../base/lazy.ts";
import { ledgerPath } from "../../rooms/ledger/room.ts";
import { holdLedger, openToRead, type HeldLedger, type LedgerPlace } from "./hold-ledger.ts";

export interface OfflineLedgerParts extends LedgerPlace {
  readonly use: OfflineUse;
  /** A gateway runs beside us: what it sees to have happened in files it writes down itself. */
  readonly isBeside: boolean;
  tell(text: string): void;
}

export interface OfflineLedger {
  readonly ledger: Ledger;
  /** Made when something is written for the first time. */
  readonly auditKey: AuditKey | undefined;
  /** Takes the lock now where the ledger will be written, so that nothing is decided by what is old by then. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** What is known where nobody has made a ledger yet. */
const NOTHING: Partial<Ledger> = {
  value: async () => undefined,
  session: async () => undefined,
  people: async () => [],
  errands: async () => [],
};

export function createOfflineLedger(parts: OfflineLedgerParts): OfflineLedger {
  const { use, paths } = parts;
  const listeners = new Set<(note: CommitNote) => void>();
  const held = lazy(async (): Promise<HeldLedger> => {
    const opened = await holdLedger(parts).catch((error: unknown) => Promise.reject(inWords(error)));
    madeKey = opened.auditKey;
    opened.ledger.onCommit((note) => listeners.forEach((listener) => listener(note)));
    return opened;
  });
  let madeKey: AuditKey | undefined;
  const reader = lazy(async () => openToRead(paths));

  async function source(): Promise<Partial<Ledger>> {
    const writer = use === "write" ? held() : held.known();
    if (writer) return (await writer).ledger;
    if (existsSync(ledgerPath(paths))) return reader();
    if (use === "read") throw noLedger(paths.stateDir);
    return NOTHING;
  }

  async function commit(changes: readonly Change[]): Promise<void> {
    if (use === "write") return (await held()).ledger.commit(changes);
    if (use !== "note" || parts.isBeside) return;
    try {
      await (await held()).ledger.commit(changes);
    } catch (error) {
      // It is done already: that it could not be written down is worth a note, and no failure.
      parts.tell(`This is not in the audit trail: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const own: Partial<Ledger> = {
    commit,
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const ledger = new Proxy(own as Ledger, {
    get: (_target, name) => own[name as keyof Ledger] ?? later(name as keyof Ledger),
  });
  const later =
    (name: keyof Ledger) =>
    async (...asked: unknown[]): Promise<unknown> => {
      const from = await source();
      const ask = from[name] as ((...asked: unknown[]) => unknown) | undefined;
      if (!ask) throw noLedger(paths.stateDir);
      return ask.apply(from, asked);
    };
  return {
    ledger,
    get auditKey() {
      const key = readAuditKey(paths.stateDir);
      return madeKey ?? (key ? { key, isNew: false } : undefined);
    },
    async prepare() {
      if (use === "write") await held();
    },
    async close() {
      await (await reader.known())?.close();
      await (await held.known())?.release();
    },
  };
}

function noLedger(stateDir: string): WireError {
  const details = { fix: "The first start of the gateway makes it: chela gateway run" };
  return new WireError({ code: "UNAVAILABLE", message: `There is no ledger in ${stateDir} yet.`, details });
}

function inWords(error: unknown): unknown {
  if (!GatewayError.is(error) || error.code !== "START_LOCKED") return error;
  const message = `This needs the ledger for itself, and a gateway uses it: ${error.detail}.`;
  const details = { fix: "Stop it with `chela gateway stop`, repeat this, and start it again." };
  return new WireError({ code: "UNAVAILABLE", message, details });
}
