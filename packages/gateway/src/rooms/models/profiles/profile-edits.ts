// Changes of the file that people ask for; everything else in it stays as it is.
import { withoutRest } from "./cooldown.ts";
import type { NewProfile } from "./profile.ts";
import { keepFields, type ProfilePlace, type ProfileVault } from "./profile-vault.ts";
import { openPart, partOf, readStats, withoutCredential, type ProfilesDocument } from "./stored-profile.ts";

/** In place of one of the same id, of which only what others wrote stays; whatever it had to rest for is forgotten. */
export function putProfile(document: ProfilesDocument, id: string, row: Readonly<Record<string, unknown>>): void {
  const rows = openPart(document, "profiles");
  rows[id] = { ...row, ...withoutCredential(rows[id]) };
  if (id in partOf(document, "usageStats")) delete openPart(document, "usageStats")[id];
}

export function dropProfile(document: ProfilesDocument, id: string): void {
  for (const part of ["profiles", "usageStats"]) if (id in partOf(document, part)) delete openPart(document, part)[id];
  for (const [provider, good] of Object.entries(partOf(document, "lastGood"))) {
    if (good === id) delete openPart(document, "lastGood")[provider];
  }
  for (const [provider, ids] of Object.entries(partOf(document, "order"))) {
    if (!Array.isArray(ids)) continue;
    const left = ids.filter((one) => one !== id);
    putOrder(document, provider, left);
  }
}

/** An empty list lets the gateway choose again. */
export function putOrder(document: ProfilesDocument, provider: string, ids: readonly string[]): void {
  const order = openPart(document, "order");
  if (ids.length > 0) order[provider] = [...ids];
  else delete order[provider];
}

export function wakeProfile(document: ProfilesDocument, id: string): void {
  openPart(document, "usageStats")[id] = withoutRest(readStats(partOf(document, "usageStats")[id]));
}

/** What the file says of a profile; its secrets are in the vault by then. */
export async function toRow(
  profile: NewProfile,
  place: ProfilePlace,
  vault: ProfileVault | undefined,
): Promise<Record<string, unknown>> {
  switch (profile.type) {
    case "api_key":
      return { ...profile, ...(await keepFields({ key: profile.key }, place, vault)) };
    case "token":
      return { ...profile, ...(await keepFields({ token: profile.token }, place, vault)) };
    case "oauth": {
      const { access, refresh } = profile;
      return { ...profile, ...(await keepFields({ access, refresh }, place, vault)) };
    }
  }
}
