// Takes away what old runs left: conversations of their own that nobody looks into any more.
import { isHiddenSession, type Clock, type Ledger, type Logger } from "@chela/sdk";
import { every } from "@chela/sdk/base";

export interface TendParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  retentionMs(): number | undefined;
  deleteSession(key: string): Promise<void>;
}

const EVERY_MS = 3_600_000;
const AT_ONCE = 500;

/** The returned function ends it. */
export function clearOldRuns(parts: TendParts): () => void {
  return every(parts.clock, EVERY_MS, () => forgetOldSessions(parts));
}

async function forgetOldSessions(parts: TendParts): Promise<void> {
  const { ledger, clock, log } = parts;
  const retentionMs = parts.retentionMs();
  if (retentionMs === undefined) return;
  try {
    for (const key of await findOld(ledger, clock.now() - retentionMs)) await parts.deleteSession(key);
  } catch (error) {
    log.warn("conversations of old runs could not be taken away", { error: String(error) });
  }
}

async function findOld(ledger: Ledger, before: number): Promise<string[]> {
  const old: string[] = [];
  for (let offset = 0; ; offset += AT_ONCE) {
    const rows = await ledger.sessions({ search: ":cron:", includeHidden: true, limit: AT_ONCE, offset });
    for (const { key, entry } of rows) if (isHiddenSession(key) && entry.updatedAt < before) old.push(key);
    if (rows.length < AT_ONCE) return old;
  }
}
