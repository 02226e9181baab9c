// Carries a run out: a turn of the agent, a command, or an event for the agent's main conversation.
import type { CronAsker, CronPayload, ErrandOutcome, ErrandRecord, CarryOut, ErrandTurn } from "@chela/sdk";
import { writeJobPrompt } from "../../../base/text/job-prompt.ts";
import { timePrefix } from "../../../base/text/time-prefix.ts";
import { workOf, type CronHouse, type CronParts, type CronWork } from "../parts.ts";
import { Places } from "../places.ts";
import { isAgent } from "./build-run.ts";
import { runCommand } from "./run-command.ts";

type Run = Extract<CronWork, { kind: "run" }>;
type RunHouse = Pick<CronHouse, "agents" | "clock" | "cronSettings" | "log" | "wake">;

/** Why a run failed whose maker lost what a job takes. */
export const NO_OWNER = "no-owner";
const TURN_MS = 60 * 60_000;
/** The longest a timer can wait. */
const FOR_EVER_MS = 2 ** 31 - 1;

export function createCarrier(house: RunHouse, parts: Pick<CronParts, "isOwner" | "commandTerms">) {
  const places = new Places(() => house.cronSettings().commandsAtOnce);
  const commands = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let shown = { key: "", text: "" };

  async function carryOut(errand: ErrandRecord, how: CarryOut): Promise<ErrandOutcome> {
    const work = workOf(errand);
    if (work.kind === "alert") return { status: "ok", texts: [work.text] };
    if (work.kind === "skipped") return { status: "skipped", texts: [], reason: work.reason };
    if (!isAgent(errand.agentId, house)) {
      const error = `There is no agent "${errand.agentId}". \`chela agents list\` shows which there are.`;
      return { status: "error", texts: [], error, reason: "agent" };
    }
    const { askedBy } = work;
    if (askedBy && !(await parts.isOwner(askedBy)))
      return { status: "error", texts: [], error: sayNotTheirs(askedBy), reason: NO_OWNER };
    switch (work.payload.kind) {
      case "systemEvent":
        return wake(errand, work, work.payload.text);
      case "agentTurn":
        return how.turn(turnOf(errand, work, work.payload));
      case "exec":
        return execute(errand, work.payload, how.signal);
    }
  }

  async function wake({ agentId, owner, runId }: ErrandRecord, work: Run, text: string): Promise<ErrandOutcome> {
    const event = { agentId, text, mode: work.wakeMode, reason: `cron:${owner}`, key: runId };
    // Only owners make jobs.
    await house.wake({ ...event, standing: "owner" });
    return { status: "ok", texts: [], details: { summary: text } };
  }

  function turnOf(
    { owner }: ErrandRecord,
    work: Run,
    payload: Extract<CronPayload, { kind: "agentTurn" }>,
  ): ErrandTurn {
    const { message, model, fallbacks, tools, thinking, timeoutSeconds, lightContext } = payload;
    const now = timeIn(work.zone);
    const terms = {
      ...(model ? { model } : {}),
      ...(fallbacks ? { fallbacks } : {}),
      ...(tools
        ? { tools: { ...(tools.allow ? { allow: tools.allow } : {}), ...(tools.deny ? { deny: tools.deny } : {}) } }
        : {}),
      ...(lightContext ? { context: "light" as const } : {}),
    };
    return {
      text: writeJobPrompt({ id: owner, name: work.name }, message, now),
      timeoutMs: timeoutSeconds === undefined ? TURN_MS : Math.min(timeoutSeconds * 1000 || FOR_EVER_MS, FOR_EVER_MS),
      sender: { id: `cron:${owner}`, name: work.name, isOwner: false },
      provenance: { kind: "internal_system", sourceTool: "cron" },
      job: { id: owner, name: work.name },
      ...(thinking ? { thinking } : {}),
      ...(Object.keys(terms).length > 0 ? { terms } : {}),
    };
  }

  /** Calendars are slow, and many jobs begin in the same minute of the same zone. */
  function timeIn(zone: string | undefined): string {
    const at = house.clock.now();
    const key = `${Math.floor(at / 60_000)} ${zone}`;
    if (shown.key !== key) shown = { key, text: timePrefix(at, zone).trim().slice(1, -1) };
    return shown.text;
  }

  async function execute(
    { agentId, sessionKey }: ErrandRecord,
    payload: Extract<CronPayload, { kind: "exec" }>,
    signal: AbortSignal,
  ): Promise<ErrandOutcome> {
    const terms = await parts.commandTerms({ agentId, sessionKey, payload });
    if (terms.kind === "refused") return { status: "error", texts: [], error: terms.why, reason: "sandbox" };
    const { workspace, environment, openSandbox } = terms;
    const { clock, log } = house;
    return places.within(async () => {
      const ended = AbortSignal.any([signal, closing.signal]);
      if (ended.aborted) return { status: "killed", texts: [] };
      const running = runCommand({
        payload,
        workspace,
        environment,
        ...(openSandbox ? { openSandbox } : {}),
        signal: ended,
        clock,
        redact: (text) => log.redact(text),
      });
      commands.add(running);
      return running.finally(() => commands.delete(running));
    });
  }

  return {
    carryOut,
    /** Resolves when no command runs. */
    idle: async (): Promise<void> => void (await Promise.allSettled(commands)),
    endCommands: (): void => closing.abort(),
  };
}

function sayNotTheirs({ channel, id }: CronAsker): string {
  return `It was asked for by ${channel}:${id}, who is no owner any more, so it does not run. Remove it, or have an owner ask an agent to change it: from then on it is theirs.`;
}
