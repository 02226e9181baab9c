// Filter of events: read from the address, so that a link or a step back brings the same list.
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";

export type AuditRecord = MethodAnswer<"audit.list">["records"][number];
export type AuditAction = AuditRecord["action"];

/** Without where to begin and how many. */
export type AuditQuestion = Omit<MethodParams<"audit.list">, "before" | "after" | "order" | "limit">;

type Query = Readonly<Record<string, string>>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export const ACTIONS = [
  "tool",
  "model",
  "approval",
  "config",
  "credential",
  "pairing",
  "login",
  "delivery",
  "sandbox",
  "people",
  "memory",
  "audit",
] as const satisfies readonly AuditAction[];

/** What stands out, and each kind of it. */
export const OUTCOMES = {
  bad: ["denied", "failed"],
  denied: ["denied"],
  failed: ["failed"],
  ok: ["ok"],
} as const satisfies Record<string, ReadonlyArray<AuditRecord["outcome"]>>;

/** Reaching back from now. */
export const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const;

/** "" is all of them. */
export interface AuditFilter {
  readonly text: string;
  readonly action: (typeof ACTIONS)[number] | "";
  readonly outcome: keyof typeof OUTCOMES | "";
  readonly actor: string;
  readonly agent: string;
  readonly session: string;
  readonly channel: string;
  readonly trace: string;
  /** "own" is from and to. */
  readonly span: keyof typeof SPANS | "own" | "";
  /** As a field for date and time has it, in the time of this browser. */
  readonly from: string;
  readonly to: string;
}

export const EVERYTHING: AuditFilter = {
  text: "",
  action: "",
  outcome: "",
  actor: "",
  agent: "",
  session: "",
  channel: "",
  trace: "",
  span: "",
  from: "",
  to: "",
};

const NAMES = Object.keys(EVERYTHING) as Array<keyof AuditFilter>;

export function readFilter(query: Query): AuditFilter {
  const given = { ...EVERYTHING, ...Object.fromEntries(NAMES.map((name) => [name, query[name] ?? ""])) };
  return {
    ...given,
    text: given.text.slice(0, 200),
    action: ACTIONS.find((action) => action === given.action) ?? "",
    outcome: isNameOf(OUTCOMES, given.outcome) ? given.outcome : "",
    span: given.span === "own" || isNameOf(SPANS, given.span) ? given.span : "",
    from: readTime(given.from) === undefined ? "" : given.from,
    to: readTime(given.to) === undefined ? "" : given.to,
  };
}

/** Only what narrows the list stands in the address. */
export function writeFilter({ from, to, ...filter }: AuditFilter): Query {
  const said = { ...filter, ...(filter.span === "own" ? { from, to } : {}) };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ""));
}

export function isNarrow(filter: AuditFilter): boolean {
  return Object.keys(writeFilter({ ...filter, text: filter.text.trim() })).length > 0;
}

export function questionOf(filter: AuditFilter, now: number): AuditQuestion {
  const { action, outcome, actor, agent, session, channel, trace } = filter;
  const search = filter.text.trim();
  return {
    ...(action ? { actions: [action] } : {}),
    ...(outcome ? { outcomes: [...OUTCOMES[outcome]] } : {}),
    ...(actor ? { actor } : {}),
    ...(agent ? { agentId: agent } : {}),
    ...(session ? { sessionKey: session } : {}),
    ...(channel ? { channel } : {}),
    ...(trace ? { traceId: trace } : {}),
    ...(search ? { search } : {}),
    ...timesOf(filter, now),
  };
}

function timesOf({ span, from, to }: AuditFilter, now: number): Pick<AuditQuestion, "from" | "to"> {
  if (span === "") return {};
  if (span !== "own") return { from: now - SPANS[span] };
  const [begin, end] = [readTime(from), readTime(to)];
  return {
    ...(begin === undefined ? {} : { from: begin }),
    // The whole of the minute that was named.
    ...(end === undefined ? {} : { to: end + MINUTE_MS }),
  };
}

function readTime(text: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function isNameOf<T extends object>(table: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(table, name);
}
