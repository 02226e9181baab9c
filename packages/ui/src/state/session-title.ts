// Title of a conversation.

export interface TitledSession {
  readonly key: string;
  readonly label?: string | undefined;
  readonly displayName?: string | undefined;
  readonly derivedTitle?: string | undefined;
}

/** Among the newest there are sub-agents, which are found in the conversation that started them. */
const ASKED = 24;

/** One question for all who show titles, so that it is asked once. */
export const RECENT_SESSIONS = {
  method: "sessions.list",
  params: { limit: ASKED, includeDerivedTitles: true },
  topics: ["sessions"],
} as const;

/** What people called it, what it is called where it is led, what was said first, or else the end of its key. */
export function sessionTitle(row: TitledSession): string {
  return row.label || row.displayName || row.derivedTitle || shortKey(row.key);
}

/** `agent:main:main` → `main`; `agent:home:telegram:direct:42` → `home · telegram:direct:42`. */
export function shortKey(key: string): string {
  const [, agent = "", rest = ""] = /^agent:([^:]+):(.+)$/.exec(key) ?? [];
  if (rest === "") return key;
  return agent === "main" ? rest : `${agent} · ${rest}`;
}

/** The agent a session belongs to. */
export function agentOf(key: string): string | undefined {
  return /^agent:([^:]+):/.exec(key)?.[1];
}
