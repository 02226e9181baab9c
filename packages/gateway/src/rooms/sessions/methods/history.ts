// Methods about sessions of the past: what ended, bringing it back, and searching everything that was said.
import { defined } from "@chela/sdk/base";
import { GatewayError, type ArchivedSession, type TranscriptEntry, canonicalSessionKey } from "@chela/sdk";
import { type SESSION_HISTORY_METHODS, type MethodParams, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../../house/house.ts";
import { previewItems } from "./preview.ts";

type HistoryHouse = Pick<House, "clock" | "keys" | "lanes" | "ledger" | "search" | "sessions">;
type HistoryMethods = Pick<Handlers, keyof typeof SESSION_HISTORY_METHODS>;

const USUAL_ROWS = 50;
const USUAL_HITS = 20;
const PREVIEW_CHARS = 160;
/** How far back the last words of a person are looked for: behind many calls of tools nobody misses them. */
const PREVIEW_ENTRIES = 20;

export function sessionHistoryMethods(gateway: HistoryHouse): HistoryMethods {
  const { ledger, clock, sessions, lanes } = gateway;
  const keyOf = (written: string): string => {
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };

  return {
    async "sessions.deleted"({ limit = USUAL_ROWS, offset = 0, search, reason, key }) {
      const query = {
        ...(search ? { search } : {}),
        ...(reason ? { reason } : {}),
        ...(key === undefined ? {} : { sessionKey: keyOf(key) }),
      };
      const rows = [];
      for (const found of await ledger.archives({ ...query, limit, offset })) rows.push(await toRow(gateway, found));
      return { ts: clock.now(), total: await ledger.countArchives(query), sessions: rows };
    },

    async "sessions.restore"({ id, replace = false }) {
      const restored = await sessions.restore(id, {
        replaces: replace,
        isBusy: (key) => lanes.runIds(key).length > 0,
      });
      switch (restored.kind) {
        case "restored": {
          const { key, entry, lostLabel } = restored;
          return { ok: true as const, key, sessionId: entry.sessionId, ...(lostLabel ? { lostLabel } : {}) };
        }
        case "unknown":
          throw new GatewayError("SESSION_RESTORE", `nothing that was deleted or started anew has the id ${id}`);
        case "busy":
          throw new GatewayError("SESSION_RESTORE", `${restored.key} is being answered; wait for it or stop it first`);
        case "in-use":
          throw new GatewayError(
            "SESSION_RESTORE",
            `${restored.key} is in use again; restore with "replace" to archive what is there now, or delete that first`,
          );
      }
    },

    async "sessions.search"({ sessionKey, limit = USUAL_HITS, ...params }) {
      const search = await gateway.search();
      const key = sessionKey === undefined ? {} : { sessionKey: keyOf(sessionKey) };
      const answer = await search.search({ ...pickWanted(params), ...key, limit });
      const labels = new Map<string, string | undefined>();
      const hits = [];
      for (const { at, text, ranges, ...hit } of answer.hits) {
        if (!labels.has(hit.sessionKey)) labels.set(hit.sessionKey, await labelOf(gateway, hit.sessionKey));
        const label = labels.get(hit.sessionKey);
        const places = ranges.map(([start, end]): [number, number] => [start, end]);
        hits.push({ ...hit, timestamp: at, snippet: text, ranges: places, ...(label ? { label } : {}) });
      }
      const { hasMore, indexing } = answer;
      return {
        hits,
        hasMore,
        ...(hasMore ? {} : { total: hits.length }),
        ...(indexing ? { indexing: { ...indexing } } : {}),
      };
    },
  };
}

async function toRow({ ledger }: HistoryHouse, { transcript, entry, entries }: ArchivedSession) {
  const { sessionId, sessionKey, agentId, archived } = transcript;
  const last = await ledger.entries(sessionId, { newest: PREVIEW_ENTRIES });
  const said = last.flatMap(({ line }) => previewItems(JSON.parse(line) as TranscriptEntry, PREVIEW_CHARS));
  // Where no person spoke, what a job or another conversation asked says the most.
  const asked = said.findLast(({ role }) => role === "user") ?? said.findLast(({ role }) => role === "system");
  const preview = asked?.text;
  return {
    id: sessionId,
    key: sessionKey,
    agentId,
    sessionId,
    reason: archived.reason,
    deletedAt: archived.at,
    entries,
    isKeyInUse: (await ledger.session(sessionKey)) !== undefined,
    ...(entry?.label === undefined ? {} : { label: entry.label }),
    ...(entry?.displayName === undefined ? {} : { displayName: entry.displayName }),
    ...defined({ preview }),
  };
}

async function labelOf({ ledger }: HistoryHouse, key: string): Promise<string | undefined> {
  const entry = await ledger.session(key);
  return entry?.label ?? entry?.displayName ?? entry?.subject;
}

function pickWanted(params: Omit<MethodParams<"sessions.search">, "sessionKey" | "limit">) {
  const { query, agentId, role, before, after, includeDeleted } = params;
  return {
    query,
    ...(agentId ? { agentId } : {}),
    ...(role ? { role } : {}),
    ...defined({ before, after }),
    ...(includeDeleted ? { includeDeleted } : {}),
  };
}
