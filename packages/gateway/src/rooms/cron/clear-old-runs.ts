// Takes away what old runs left: conversations of their own that nobody looks into any more.
import { isHiddenSession, type Ledger } from "@chela/sdk";
import { every } from "@chela/sdk/base";
import type { CronHouse } from "./parts.ts";

type RunsHouse = Pick<CronHouse, "clock" | "cronSettings" | "ledger" | "log">;
type DeleteSession = (key: string) => Promise<void>;

const EVERY_MS = 3_600_000;
const AT_ONCE = 500;

/** The returned function ends it. */
export function clearOldRuns(house: RunsHouse, deleteSession: DeleteSession): () => void {
  return every(house.clock, EVERY_MS, () => forgetOldSessions(house, deleteSession));
}

async function forgetOldSessions(house: RunsHouse, deleteSession: DeleteSession): Promise<void> {
  const { ledger, clock, log } = house;
  const retentionMs = house.cronSettings().sessionRetentionMs;
  if (retentionMs === undefined) return;
  try {
    for (const key of await findOld(ledger, clock.now() - retentionMs)) await deleteSession(key);
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
