// The tool `sessions_search`: finds messages by their words, in the sessions the caller may see and in no other.
import type { ToolContext, ToolOutput } from "@chela/sdk";
import { readPastTime } from "../../../base/text/read-past-time.ts";
import { defined, redactSecrets } from "@chela/sdk/base";
import type { Caller, FoundMessage, SearchReads } from "./parts.ts";
import { asJson, failed } from "./results.ts";
import { visibleSessions, type VisibleSessions } from "./visible-sessions.ts";

const DEFAULT_LIMIT = 20;
/** The newest ones: more are not worth naming one by one. */
const MOST_SESSIONS = 500;

type Sight = Parameters<SearchReads["search"]>[0]["sight"];

export interface SearchArguments {
  readonly query: string;
  readonly limit?: number | undefined;
  readonly role?: "user" | "assistant" | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

export async function searchSessions(
  { query, limit = DEFAULT_LIMIT, role, after, before }: SearchArguments,
  reads: SearchReads,
  context: ToolContext,
): Promise<ToolOutput> {
  const times: { after?: number; before?: number } = {};
  for (const [name, written] of Object.entries({ after, before })) {
    if (written === undefined) continue;
    const time = readPastTime(written, reads.now());
    if (time === undefined)
      return failed(`${name} ${JSON.stringify(written)} is no time. Write a date (2026-01-31) or how long ago (7d).`);
    times[name as "after" | "before"] = time;
  }
  const visible = visibleSessions(reads, context);
  const { hits, hasMore, indexing } = await reads.search({
    query,
    limit,
    ...defined({ role }),
    ...times,
    sight: await sightOf(visible, reads, context),
  });
  return asJson({
    hits: hits.map(showHit),
    hasMore,
    ...(indexing ? { note: "Older messages are still being read in; ask again in a while to find those too." } : {}),
  });
}

/** The index is asked within what can be seen; each hit is then judged as every other tool judges a session. */
async function sightOf(visible: VisibleSessions, reads: SearchReads, { agentId, sessionKey }: Caller): Promise<Sight> {
  const judged = new Map<string, Promise<boolean>>();
  const tree = (await visible.tree()).map(({ key }) => key);
  const agents = [agentId, ...reads.agents().map(({ id }) => id)];
  return {
    agentIds: [...new Set(agents)].filter((id) => visible.scope.reachesAgent(id)),
    sessionKeys: [...new Set([sessionKey, ...tree])].slice(0, MOST_SESSIONS),
    sees(key) {
      const known = judged.get(key) ?? visible.find(key).then((session) => session?.key === key);
      judged.set(key, known);
      return known;
    },
    clean: redactSecrets,
  };
}

function showHit({ sessionKey, entryId, role, at, text, archived }: FoundMessage): object {
  return {
    sessionKey,
    entryId,
    role,
    time: new Date(at).toISOString(),
    text,
    // Its entries are not those of the conversation that has the key now.
    ...(archived ? { isEnded: true } : {}),
  };
}
