// Words the index adds of its own, so that a search within one session, agent, role or time need not look at the others.
import { createHash } from "node:crypto";

type Role = "user" | "assistant";

/** More months than this are not worth naming one by one. */
const MOST_MONTHS = 36;

export function tagsOf(of: {
  readonly sessionKey: string;
  readonly agentId: string;
  readonly role: Role;
  readonly at: number;
}): string {
  return [sessionTag(of.sessionKey), agentTag(of.agentId), roleTag(of.role), monthTag(of.at)].join(" ");
}

/** Each inner list is "one of these"; all of the lists have to hold. */
export function wantedTags(wanted: {
  readonly sessionKey?: string;
  readonly agentId?: string;
  readonly sight?: { readonly agentIds: readonly string[]; readonly sessionKeys: readonly string[] };
  readonly role?: Role;
  readonly after?: number;
  readonly before?: number;
  readonly now: number;
}): string[][] {
  const { sessionKey, agentId, sight, role } = wanted;
  const months = wanted.after === undefined ? undefined : monthsBetween(wanted.after, wanted.before ?? wanted.now);
  return [
    ...(sessionKey === undefined ? [] : [[sessionTag(sessionKey)]]),
    ...(agentId === undefined ? [] : [[agentTag(agentId)]]),
    // Never an empty list, which would be no list at all: a session nobody has is in none.
    ...(sight === undefined ? [] : [[...sight.agentIds.map(agentTag), ...["", ...sight.sessionKeys].map(sessionTag)]]),
    ...(role === undefined ? [] : [[roleTag(role)]]),
    ...(months === undefined ? [] : [months]),
  ];
}

const sessionTag = (key: string): string => `s${hash(key)}`;
const agentTag = (id: string): string => `a${hash(id)}`;
const roleTag = (role: Role): string => `r${role}`;
const monthTag = (at: number): string => `m${new Date(at).toISOString().slice(0, 7).replace("-", "")}`;

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function monthsBetween(after: number, before: number): string[] | undefined {
  const months: string[] = [];
  const from = new Date(after);
  for (let month = 0; months.length <= MOST_MONTHS; month++) {
    const begins = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month);
    if (begins > before && months.length > 0) return months;
    months.push(monthTag(begins));
  }
  return undefined;
}
