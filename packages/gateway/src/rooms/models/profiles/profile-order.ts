// Order in which the credentials of a provider are tried. Pure.
import type { StoredProfile, UsageStats } from "./stored-profile.ts";

export interface OrderHints {
  /** The profile that the session is pinned to. */
  readonly pinned?: string | undefined;
  /** A list that somebody wrote: only what it names is used, in its order. */
  readonly listed?: readonly string[] | undefined;
  readonly lastGood?: string | undefined;
  statsOf(id: string): UsageStats;
}

export function orderProfiles(profiles: readonly StoredProfile[], hints: OrderHints): StoredProfile[] {
  const listed = (hints.listed ?? []).flatMap((id) => profiles.filter((profile) => profile.id === id));
  // A list that names nothing we have is a leftover; it must not lock everybody out.
  const ordered = listed.length > 0 ? [...new Set(listed)] : orderByMerit(profiles, hints);
  const pinned = profiles.find((profile) => profile.id === hints.pinned);
  return pinned ? [pinned, ...ordered.filter((profile) => profile !== pinned)] : ordered;
}

/** What worked last, then subscriptions before keys that are paid by use, then what rested longest. */
function orderByMerit(profiles: readonly StoredProfile[], hints: OrderHints): StoredProfile[] {
  const rank = (profile: StoredProfile): readonly [number, number, number] => [
    profile.id === hints.lastGood ? 0 : 1,
    profile.type === "api_key" ? 1 : 0,
    hints.statsOf(profile.id).lastUsed ?? 0,
  ];
  return profiles
    .map((profile) => ({ profile, rank: rank(profile) }))
    .toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2])
    .map(({ profile }) => profile);
}
