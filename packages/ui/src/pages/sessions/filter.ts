// Filter and order of the list of sessions: read from the address, so that going back brings the same list.
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";

export type SessionRow = MethodAnswer<"sessions.list">["sessions"][number];

type ListParams = MethodParams<"sessions.list">;

export const KINDS = ["direct", "group"] as const;
export const SORTS = ["updated", "created", "tokens"] as const;

export interface SessionFilter {
  readonly search: string;
  readonly agent: string;
  readonly channel: string;
  /** "" is all of them. */
  readonly kind: (typeof KINDS)[number] | "";
  readonly sort: (typeof SORTS)[number];
}

type Query = Readonly<Record<string, string>>;

export function readFilter(query: Query): SessionFilter {
  return {
    search: query["search"] ?? "",
    agent: query["agent"] ?? "",
    channel: query["channel"] ?? "",
    kind: KINDS.find((kind) => kind === query["kind"]) ?? "",
    sort: SORTS.find((sort) => sort === query["sort"]) ?? "updated",
  };
}

/** Only what is not as usual stands in the address. */
export function writeFilter({ sort, ...narrowing }: SessionFilter): Query {
  const said = { ...narrowing, sort: sort === "updated" ? "" : sort };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ""));
}

export function isNarrow({ search, agent, channel, kind }: SessionFilter): boolean {
  return [search.trim(), agent, channel, kind].some((value) => value !== "");
}

export function listParams(
  { search, agent, channel, kind, sort }: SessionFilter,
  hasGlobal: boolean,
): Omit<ListParams, "limit" | "offset"> {
  return {
    includeDerivedTitles: true,
    sort,
    ...(search.trim() ? { search: search.trim() } : {}),
    ...(agent ? { agentId: agent } : {}),
    ...(channel ? { channel } : {}),
    ...(kind ? { kind } : {}),
    // Only where all of them talk in one: otherwise there is none, and looking for it makes long lists slow.
    ...(hasGlobal ? { includeGlobal: true } : {}),
  };
}
