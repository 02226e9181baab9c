// Finds the job somebody means, and makes a job of flags.
import { defined } from "@chela/sdk/base";
import { type FlagValues, usageFailure } from "@chela/sdk/command-line";
import type { Ask, MethodAnswer } from "@chela/sdk/protocol";
import { count } from "../../../base/terminal/layout.ts";

export type ToldJob = MethodAnswer<"cron.get">;

const AT_ONCE = 200;

/** By its id, the beginning of it, or its name. */
export async function findJob(ask: Ask, written: string): Promise<ToldJob> {
  const job = theOne(written, await fittingJobs(ask, written));
  if (!job) throw noSuchJob(written);
  return job;
}

/** The same for one that may be gone: what ran of it is still known by its id. */
export async function findJobId(ask: Ask, written: string): Promise<string> {
  const job = theOne(written, await fittingJobs(ask, written));
  if (job) return job.id;
  const params = { query: written, limit: AT_ONCE, includeRunning: true };
  const { entries } = await ask("cron.runs", params);
  const ids = new Set(entries.map(({ jobId }) => jobId).filter((id) => id.startsWith(written)));
  const id = theOne(written, [...ids]);
  if (!id) throw noSuchJob(written);
  return id;
}

async function fittingJobs(ask: Ask, written: string): Promise<ToldJob[]> {
  // An empty word is the beginning of every id: a script whose variable is not set means none of them.
  if (written.trim() === "") throw usageFailure("Which job? Write its id, the first characters of it, or its name.");
  const fitting: ToldJob[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page: MethodAnswer<"cron.list"> = await ask("cron.list", {
      enabled: "all",
      query: written,
      limit: AT_ONCE,
      offset,
    });
    const { jobs, nextOffset } = page;
    const exact = jobs.find(({ id }) => id === written);
    if (exact) return [exact];
    fitting.push(...jobs.filter(({ id, name }) => id.startsWith(written) || name === written));
    offset = nextOffset;
  }
  return fitting;
}

function theOne<T>(written: string, fitting: readonly T[]): T | undefined {
  if (fitting.length < 2) return fitting[0];
  throw usageFailure(`"${written}" fits ${count(fitting.length, "job")}: write more of the id.`);
}

function noSuchJob(written: string): Error {
  return usageFailure(`There is no job "${written}". \`chela cron list --all\` shows them.`);
}

/** Only what was said; the gateway infers the rest and checks it. */
export function wishesOf(flags: FlagValues): Record<string, unknown> {
  const wishes: Record<string, unknown> = {
    name: flags.text("name"),
    description: flags.text("description"),
    agentId: flags.text("agent"),
    sessionKey: flags.text("session-key"),
    sessionTarget: flags.text("session") ?? usualTarget(flags),
    wakeMode: flags.text("wake"),
    catchUp: flags.text("catch-up"),
    onCrash: flags.text("on-crash"),
    deleteAfterRun: flags.has("delete-after-run") ? true : flags.has("keep-after-run") ? false : undefined,
    schedule: scheduleOf(flags),
    payload: payloadOf(flags),
    delivery: deliveryOf(flags),
  };
  return defined(wishes);
}

/** Where a new payload belongs; a change of anything else leaves the job where it is. */
function usualTarget(flags: FlagValues): "main" | "isolated" | undefined {
  if (flags.text("system-event") !== undefined) return "main";
  return flags.text("message") !== undefined || flags.text("exec") !== undefined ? "isolated" : undefined;
}

function scheduleOf(flags: FlagValues): Record<string, unknown> | undefined {
  const ways = (["at", "every", "cron"] as const).filter((name) => flags.text(name) !== undefined);
  if (ways.length > 1) throw usageFailure(`When? --${ways.join(" and --")} cannot go together; write one of them.`);
  const schedule = defined({
    kind: ways[0],
    at: flags.text("at"),
    every: flags.text("every"),
    expr: flags.text("cron"),
    tz: flags.text("tz"),
    stagger: flags.has("exact") ? 0 : flags.text("stagger"),
  });
  return Object.keys(schedule).length > 0 ? schedule : undefined;
}

function payloadOf(flags: FlagValues): Record<string, unknown> | undefined {
  const ways = (["message", "system-event", "exec"] as const).filter((name) => flags.text(name) !== undefined);
  if (ways.length > 1) throw usageFailure(`What? --${ways.join(" and --")} cannot go together; write one of them.`);
  const [way] = ways;
  const kind = way && { message: "agentTurn", "system-event": "systemEvent", exec: "exec" }[way];
  const payload = defined({
    kind,
    message: flags.text("message"),
    text: flags.text("system-event"),
    command: flags.text("exec"),
    cwd: flags.text("cwd"),
    model: flags.text("model"),
    thinking: flags.text("thinking"),
    timeoutSeconds: flags.number("timeout-seconds"),
    lightContext: flags.has("light-context") ? true : undefined,
  });
  return Object.keys(payload).length > 0 ? payload : undefined;
}

function deliveryOf(flags: FlagValues): Record<string, unknown> | undefined {
  const url = flags.text("webhook");
  if (url !== undefined) return defined({ mode: "webhook", to: url, bestEffort: bestEffort(flags) });
  if (flags.has("no-deliver")) return { mode: "none" };
  const place = defined({ channel: flags.text("channel"), to: flags.text("to"), accountId: flags.text("account") });
  const isAnnounced = flags.has("announce") || flags.has("deliver") || Object.keys(place).length > 0;
  if (isAnnounced) return defined({ mode: "announce", ...place, bestEffort: bestEffort(flags) });
  return flags.has("best-effort-deliver") ? { bestEffort: true } : undefined;
}

function bestEffort(flags: FlagValues): true | undefined {
  return flags.has("best-effort-deliver") ? true : undefined;
}
