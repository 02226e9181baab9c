// Profiles as lines for people, free of secrets. Pure.
import { restOf } from "./cooldown.ts";
import type { ProfileState, ProfileView } from "./profile.ts";
import type { StoredProfile, UsageStats } from "./stored-profile.ts";

export function viewStored(
  profile: StoredProfile,
  about: { stats: UsageStats; label: string | undefined; isExpired: boolean; now: number },
): ProfileView {
  const { id, provider, type } = profile;
  return {
    id,
    provider,
    type,
    origin: "file",
    ...(about.label ? { label: about.label } : {}),
    state: stateOf(profile, about),
    ...usedAt(about.stats),
  };
}

export function viewGiven(given: {
  id: string;
  provider: string;
  origin: "config" | "env";
  source: string;
  stats: UsageStats;
  now: number;
}): ProfileView {
  const { id, provider, origin, source, stats, now } = given;
  return { id, provider, type: "api_key", origin, label: source, state: restState(stats, now), ...usedAt(stats) };
}

function stateOf(profile: StoredProfile, about: { stats: UsageStats; isExpired: boolean; now: number }): ProfileState {
  if (about.isExpired) return { kind: "expired", at: profile.expires ?? 0 };
  if (!profile.secret && !profile.refresh) return { kind: "empty" };
  return restState(about.stats, about.now);
}

function restState(stats: UsageStats, now: number): ProfileState {
  const rest = restOf(stats, now);
  if (!rest) return { kind: "ok" };
  return { kind: rest.isDisabled ? "disabled" : "cooling", until: rest.until, reason: rest.reason };
}

function usedAt(stats: UsageStats): { lastUsed?: number } {
  return stats.lastUsed === undefined ? {} : { lastUsed: stats.lastUsed };
}
