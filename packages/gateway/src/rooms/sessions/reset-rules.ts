// Rules for starting a conversation anew: each day at an hour, after a pause, or whichever comes first.
import { defined } from "@chela/sdk/base";
import { sessionKind } from "@chela/sdk";

export interface ResetRule {
  readonly mode: "daily" | "idle";
  /** Hour of the daily new start, in local time. */
  readonly atHour: number;
  /** Absent: pauses do not matter. */
  readonly idleMinutes?: number;
}

/** As the configuration has it. */
interface WrittenRule {
  readonly mode?: ResetRule["mode"] | undefined;
  readonly atHour?: number | undefined;
  readonly idleMinutes?: number | undefined;
}

export interface ResetView {
  readonly reset?: WrittenRule | undefined;
  readonly resetByType?:
    | {
        readonly direct?: WrittenRule | undefined;
        readonly dm?: WrittenRule | undefined;
        readonly group?: WrittenRule | undefined;
        readonly thread?: WrittenRule | undefined;
      }
    | undefined;
  readonly resetByChannel?: Readonly<Record<string, WrittenRule>> | undefined;
  /** The older way to ask for a new start after a pause. */
  readonly idleMinutes?: number | undefined;
}

export type ResetType = "direct" | "group" | "thread";

export interface Staleness {
  readonly why: "daily" | "idle";
  /** When the conversation ended by the rule. */
  readonly since: number;
}

/** Minutes by which local time is ahead of UTC at an instant. */
export type OffsetAt = (at: number) => number;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DEFAULT_HOUR = 4;
const DEFAULT_IDLE_MINUTES = 60;

export function resetTypeOf(sessionKey: string): ResetType {
  if (/.:(?:thread|topic):./.test(sessionKey)) return "thread";
  return sessionKind(sessionKey) === "group" ? "group" : "direct";
}

/** A channel's own rule stands alone; a type's rule takes what it leaves open from the general one. */
export function resetRuleFor(
  session: ResetView | undefined,
  conversation: { readonly channel?: string | undefined; readonly type: ResetType },
): ResetRule {
  const ofChannel = ruleOfChannel(session?.resetByChannel ?? {}, conversation.channel);
  if (ofChannel !== undefined) return completeRule(ofChannel);
  const { reset, resetByType, idleMinutes } = session ?? {};
  if (reset === undefined && resetByType === undefined && idleMinutes !== undefined) {
    return completeRule({ mode: "idle", idleMinutes });
  }
  const ofType =
    resetByType?.[conversation.type] ?? (conversation.type === "direct" ? resetByType?.dm : undefined) ?? {};
  return completeRule({
    mode: ofType.mode ?? reset?.mode,
    atHour: ofType.atHour ?? reset?.atHour,
    idleMinutes: ofType.idleMinutes ?? reset?.idleMinutes ?? idleMinutes,
  });
}

/** Undefined: the conversation goes on. A clock that was set back ends nothing. */
export function isStale(
  entry: { readonly updatedAt: number },
  rule: ResetRule,
  now: number,
  offsetAt: OffsetAt = offsetHere,
): Staleness | undefined {
  const { updatedAt } = entry;
  const daily = rule.mode === "daily" ? nextHourAfter(updatedAt, rule.atHour, offsetAt) : Number.POSITIVE_INFINITY;
  const idle = rule.idleMinutes === undefined ? Number.POSITIVE_INFINITY : updatedAt + rule.idleMinutes * MINUTE;
  if (daily <= idle) return daily <= now ? { why: "daily", since: daily } : undefined;
  return idle < now ? { why: "idle", since: idle } : undefined;
}

function ruleOfChannel(
  rules: Readonly<Record<string, WrittenRule>>,
  channel: string | undefined,
): WrittenRule | undefined {
  const wanted = channel?.trim().toLowerCase();
  return Object.entries(rules).find(([name]) => name.trim().toLowerCase() === wanted)?.[1];
}

function completeRule({ mode = "daily", atHour = DEFAULT_HOUR, idleMinutes }: WrittenRule): ResetRule {
  const idle = idleMinutes ?? (mode === "idle" ? DEFAULT_IDLE_MINUTES : undefined);
  return { mode, atHour, ...defined({ idleMinutes: idle }) };
}

function offsetHere(at: number): number {
  return -new Date(at).getTimezoneOffset();
}

/** The next time after `at` that clocks show `hour`:00. */
function nextHourAfter(at: number, hour: number, offsetAt: OffsetAt): number {
  const local = at + offsetAt(at) * MINUTE;
  const today = Math.floor(local / DAY) * DAY + hour * 60 * MINUTE;
  const first = instantOf(today, offsetAt);
  return first > at ? first : instantOf(today + DAY, offsetAt);
}

/**
 * The instant at which clocks show `local`. When clocks are set back it comes twice, and the first one counts; when they
 * are set forward over it, the instant of the change does.
 */
function instantOf(local: number, offsetAt: OffsetAt): number {
  const before = offsetAt(local - DAY);
  const after = offsetAt(local + DAY);
  const early = local - before * MINUTE;
  const late = local - after * MINUTE;
  return offsetAt(early) !== before && offsetAt(late) === after ? late : early;
}
