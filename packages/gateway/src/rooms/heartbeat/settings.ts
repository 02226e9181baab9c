// Settings of an agent's heartbeat from the configuration. Light: it is read at every start.
import { normalizeAgentId } from "@chela/sdk";
import { isZone, readTimeOfDay, type ActiveHours } from "./active-hours.ts";
import { readDuration } from "../../base/text/read-duration.ts";

interface WrittenHeartbeat {
  readonly every?: string | undefined;
  readonly activeHours?:
    | {
        readonly start?: string | undefined;
        readonly end?: string | undefined;
        readonly timezone?: string | undefined;
      }
    | undefined;
  readonly model?: string | undefined;
  readonly session?: string | undefined;
  readonly includeReasoning?: boolean | undefined;
  readonly target?: string | undefined;
  readonly directPolicy?: "allow" | "block" | undefined;
  readonly to?: string | undefined;
  readonly accountId?: string | undefined;
  readonly prompt?: string | undefined;
  readonly ackMaxChars?: number | undefined;
  readonly lightContext?: boolean | undefined;
  readonly always?: boolean | undefined;
}

/** The part of the configuration this room reads. */
export interface HeartbeatView {
  readonly agents?:
    | {
        readonly defaults?:
          | { readonly heartbeat?: WrittenHeartbeat | undefined; readonly userTimezone?: string | undefined }
          | undefined;
        readonly list?:
          | ReadonlyArray<{ readonly id: string; readonly heartbeat?: WrittenHeartbeat | undefined }>
          | undefined;
      }
    | undefined;
}

export interface BeatSettings {
  /** Whether it beats by itself. */
  readonly enabled: boolean;
  readonly every: string;
  readonly everyMs: number | null;
  readonly hours: ActiveHours | undefined;
  /** As it is shown to people. */
  readonly activeHours: { readonly start: string; readonly end: string; readonly timezone: string } | undefined;
  readonly model: string | undefined;
  /** The conversation it is for, as somebody wrote it; the agent's main one when absent. */
  readonly session: string | undefined;
  readonly includeReasoning: boolean;
  /** "none", "last", or a channel; undefined when nobody said. */
  readonly target: string | undefined;
  readonly directPolicy: "allow" | "block";
  readonly to: string | undefined;
  readonly accountId: string | undefined;
  readonly prompt: string;
  readonly ackMaxChars: number;
  readonly lightContext: boolean;
  readonly always: boolean;
  /** What cannot be used as it was written. */
  readonly problems: readonly string[];
}

const DEFAULT_EVERY = "30m";
const SHORTEST_EVERY_MS = 1000;
const ACK_MAX_CHARS = 300;
const DEFAULT_PROMPT = `This is a heartbeat: a moment to look after things, without anybody having written. Do what HEARTBEAT.md below asks for, and nothing that is not in it. What was done or said before is over: do not take it up or repeat it.
If there is something the person should know, write it to them, briefly, as you would write a message.
If there is nothing they need to know, your whole answer is HEARTBEAT_OK.`;

export function beatSettings({ agents }: HeartbeatView, agentId: string): BeatSettings {
  const list = agents?.list ?? [];
  const shared = agents?.defaults?.heartbeat;
  const own = list.find(({ id }) => normalizeAgentId(id) === agentId)?.heartbeat;
  // Where agents have a heartbeat of their own, the others have none.
  const hasOne = own !== undefined || list.every(({ heartbeat }) => heartbeat === undefined);
  const written: WrittenHeartbeat = { ...shared, ...own };
  const problems: string[] = [];
  const { every, everyMs } = readEvery(written.every, problems);
  const enabled = hasOne && everyMs > 0;
  return {
    enabled,
    every: enabled ? every : "0m",
    everyMs: enabled ? everyMs : null,
    ...readHours(written.activeHours, agents?.defaults?.userTimezone, problems),
    model: written.model || undefined,
    session: written.session || undefined,
    includeReasoning: written.includeReasoning ?? false,
    target: written.target?.trim().toLowerCase() || undefined,
    directPolicy: written.directPolicy ?? "allow",
    to: written.to || undefined,
    accountId: written.accountId || undefined,
    prompt: written.prompt?.trim() || DEFAULT_PROMPT,
    ackMaxChars: written.ackMaxChars ?? ACK_MAX_CHARS,
    lightContext: written.lightContext ?? true,
    always: written.always ?? false,
    problems,
  };
}

function readEvery(written = DEFAULT_EVERY, problems: string[]): { readonly every: string; readonly everyMs: number } {
  const everyMs = readDuration(written, "m");
  if (everyMs === 0 || (everyMs ?? 0) >= SHORTEST_EVERY_MS) return { every: written, everyMs: everyMs ?? 0 };
  const why = everyMs === undefined ? "no duration" : "too short";
  problems.push(`heartbeat.every is "${written}", which is ${why}; it is ${DEFAULT_EVERY} now. Write 30m, 1h or 0m.`);
  return { every: DEFAULT_EVERY, everyMs: readDuration(DEFAULT_EVERY, "m") ?? 0 };
}

function readHours(
  written: WrittenHeartbeat["activeHours"],
  userZone: string | undefined,
  problems: string[],
): Pick<BeatSettings, "hours" | "activeHours"> {
  if (!written) return { hours: undefined, activeHours: undefined };
  const time = (key: "start" | "end", usual: string): { minutes: number; text: string } => {
    const text = written[key] ?? usual;
    const minutes = readTimeOfDay(text);
    if (minutes !== undefined) return { minutes, text };
    problems.push(
      `heartbeat.activeHours.${key} is "${text}", which is no time of day; it is ${usual} now. Write HH:MM.`,
    );
    return { minutes: readTimeOfDay(usual) ?? 0, text: usual };
  };
  const [start, end] = [time("start", "00:00"), time("end", "24:00")];
  const zone = readZone(written.timezone, userZone, problems);
  return {
    hours: { start: start.minutes, end: end.minutes, zone },
    activeHours: { start: start.text, end: end.text, timezone: zone ?? "local" },
  };
}

function readZone(written = "user", userZone: string | undefined, problems: string[]): string | undefined {
  if (written === "local") return undefined;
  const zone = written === "user" ? userZone : written;
  if (zone === undefined || isZone(zone)) return zone;
  problems.push(`heartbeat.activeHours.timezone is "${zone}", which is no time zone; the gateway's own is used.`);
  return undefined;
}
