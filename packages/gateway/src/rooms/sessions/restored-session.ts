// Restores a session that ended: what of it survives, and what it is then.
import type { ArchivedSession, SessionEntry } from "@chela/sdk";

/** What survives when a person starts a conversation anew. */
const KEPT_ON_RESET = [
  "thinkingLevel",
  "verboseLevel",
  "reasoningLevel",
  "responseUsage",
  "model",
  "modelProvider",
  "modelOverride",
  "providerOverride",
  "contextTokens",
  "sendPolicy",
  "label",
  "displayName",
  "chatType",
  "origin",
  "deliveryContext",
  "lastChannel",
  "lastTo",
  "lastAccountId",
  "lastThreadId",
  "skillsSnapshot",
  "spawnedBy",
  "spawnDepth",
  "ttsAuto",
] as const satisfies ReadonlyArray<keyof SessionEntry>;

export interface RestoreOptions {
  /** Whether a deleted session may take the place of the one that has its key now. */
  readonly replaces: boolean;
  /** Somebody is being answered in the session. */
  isBusy(key: string): boolean;
}

export type Restored =
  | { readonly kind: "restored"; readonly key: string; readonly entry: SessionEntry; readonly lostLabel?: string }
  /** Nothing ended under this id. */
  | { readonly kind: "unknown" }
  | { readonly kind: "in-use"; readonly key: string; readonly entry: SessionEntry }
  | { readonly kind: "busy"; readonly key: string };

/** A conversation that was started anew comes back into the session as it is set up now; a deleted one as it was. */
export function restoredEntry(
  { entry: old, transcript }: ArchivedSession,
  present: SessionEntry | undefined,
  now: number,
): SessionEntry {
  const settings = pickKept(transcript.archived.reason === "reset" && present ? present : old);
  // Used now: with its old time the next message would find it stale and start it anew.
  return { ...withoutKept(old), ...settings, sessionId: transcript.sessionId, updatedAt: now };
}

/** The name the file had before its end. */
export function liveFile({ file, archived }: ArchivedSession["transcript"]): string {
  const end = file.lastIndexOf(`.jsonl.${archived.reason}.`);
  return end < 0 ? file : file.slice(0, end + ".jsonl".length);
}

export function pickKept(from: SessionEntry | undefined): Partial<SessionEntry> {
  return Object.fromEntries(KEPT_ON_RESET.flatMap((key) => (from?.[key] === undefined ? [] : [[key, from[key]]])));
}

function withoutKept(from: SessionEntry | undefined): Partial<SessionEntry> {
  const kept: ReadonlySet<string> = new Set(KEPT_ON_RESET);
  return Object.fromEntries(Object.entries(from ?? {}).filter(([key]) => !kept.has(key)));
}
