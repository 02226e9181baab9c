// The tool `sessions_list`: the sessions this one can see, newest first, on request with their last messages.
import type { SessionEntry, SessionQuery, ToolContext, ToolOutput } from "@chela/sdk";
import { readPage } from "./history-page.ts";
import type { ListParts } from "./parts.ts";
import { asJson } from "./results.ts";
import { listedChannel, listedKind, type ListedKind } from "./session-kind.ts";
import { visibleSessions, type VisibleSession } from "./visible-sessions.ts";

const DEFAULT_LIMIT = 50;
const MOST_ROWS = 200;
/** A look at many sessions at once: whoever wants whole messages reads the history of one. */
const MESSAGE_CHARS = 500;
const MOST_BYTES = 80 * 1024;
const NAME_CHARS = 200;
const MINUTE_MS = 60_000;

/** Which fields of an entry are shown, in this order. */
const SHOWN_FIELDS = [
  "label",
  "displayName",
  "deliveryContext",
  "updatedAt",
  "sessionId",
  "model",
  "contextTokens",
  "totalTokens",
  "thinkingLevel",
  "verboseLevel",
  "systemSent",
  "abortedLastRun",
  "sendPolicy",
  "lastChannel",
  "lastTo",
  "lastAccountId",
] as const satisfies readonly (keyof SessionEntry)[];

export interface ListArguments {
  readonly kinds?: readonly ListedKind[] | undefined;
  readonly limit?: number | undefined;
  readonly activeMinutes?: number | undefined;
  readonly messageLimit?: number | undefined;
}

export async function listSessions(args: ListArguments, parts: ListParts, context: ToolContext): Promise<ToolOutput> {
  const kindOf = ({ key }: VisibleSession): ListedKind => listedKind(key, isMain(parts, key));
  const visible = await visibleSessions(parts, context).list(queryFor(args, parts.now()));
  const chosen = visible
    .filter((session) => args.kinds?.includes(kindOf(session)) ?? true)
    .slice(0, Math.min(args.limit ?? DEFAULT_LIMIT, MOST_ROWS));
  const sessions: unknown[] = [];
  let bytes = 0;
  for (const session of chosen) {
    const row = {
      ...describe(session, kindOf(session), parts.mainKey(context.agentId)),
      ...(await lastMessages(parts, session, args.messageLimit ?? 0)),
    };
    bytes += Buffer.byteLength(JSON.stringify(row));
    if (bytes > MOST_BYTES) break;
    sessions.push(row);
  }
  return asJson({ count: sessions.length, sessions, ...(bytes > MOST_BYTES ? { truncated: true } : {}) });
}

function queryFor({ kinds, activeMinutes }: ListArguments, now: number): SessionQuery {
  return {
    ...(kinds?.includes("cron") ? { includeHidden: true } : {}),
    ...(activeMinutes === undefined ? {} : { updatedSince: now - activeMinutes * MINUTE_MS }),
  };
}

function isMain(parts: ListParts, key: string): boolean {
  return parts.agents().some(({ id }) => parts.mainKey(id) === key);
}

function describe({ key, entry }: VisibleSession, kind: ListedKind, ownMainKey: string): Record<string, unknown> {
  const fields = SHOWN_FIELDS.flatMap((field) => {
    const value = entry?.[field];
    return value === undefined ? [] : [[field, typeof value === "string" ? value.slice(0, NAME_CHARS) : value]];
  });
  return {
    key: key === ownMainKey ? "main" : key,
    kind,
    channel: listedChannel(key, kind, entry),
    ...Object.fromEntries(fields),
  };
}

async function lastMessages(
  parts: ListParts,
  session: VisibleSession,
  limit: number,
): Promise<Record<string, unknown>> {
  if (limit === 0) return {};
  const page = await readPage(parts, session, { limit, includeTools: false, textChars: MESSAGE_CHARS });
  return { messages: page?.messages ?? [] };
}
