// Brings the result of a helper to the agent that wants it: a turn in its conversation, tried again when it fails, once whatever happens.
import {
  OPEN_ERRANDS,
  type Errand,
  type ErrandDelivered,
  type ErrandRecord,
  type CarryOut,
  type ErrandHandler,
} from "@chela/sdk";
import { announcement, missedNote, runtimeOf, type Ended } from "./announce-text.ts";
import { HANDED_OVER, type Barriers } from "./barriers.ts";
import type { SubagentsParts, SubagentWorkHouse } from "./parts.ts";
import { stopTurn } from "./stop-turn.ts";
import { subagentPrompt } from "./prompt.ts";
import { atMost, workOf } from "./work.ts";

export interface Announcer {
  /** Undefined when the gateway stops before it is known. */
  announce(errand: ErrandRecord, sessionKey: string): Promise<ErrandDelivered | undefined>;
  /** After a start, before anything goes on: news that a call had taken when the process died, or for one that has ended. */
  withdrawIdle(): Promise<void>;
  readonly handler: ErrandHandler;
}

const TRIES = 3;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
const EXPIRY_MS = 5 * 60_000;
const MOST_OPEN = 10_000;
const NOBODY: ErrandDelivered = { status: "not-delivered", error: "Its conversation was deleted." };

export function createAnnouncer(
  house: SubagentWorkHouse,
  parts: Pick<SubagentsParts, "settings" | "isClosing">,
  barriers: Barriers,
): Announcer {
  const { ledger, clock, errands } = house;

  async function announce(errand: ErrandRecord, sessionKey: string): Promise<ErrandDelivered | undefined> {
    if (await barriers.handedOver(errand.runId, sessionKey)) return told(sessionKey);
    const ended = await endOf(errand);
    let firstFailedAt: number | undefined;
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const runId = announceId(errand.runId, attempt);
      if (!(await ledger.errand(runId))) {
        if (firstFailedAt !== undefined && clock.steady() >= firstFailedAt + EXPIRY_MS) break;
        if (attempt > 1) await rest(attempt);
        if (parts.isClosing()) return undefined;
        // A turn would bring back what somebody deleted.
        if (!(await ledger.session(sessionKey))) return NOBODY;
        if (await isOver(sessionKey, errand)) return missed(ended, sessionKey, errand.runId, "it came after your end.");
        const begin = () => errands.begin(announceErrand(runId, errand, sessionKey, announcement(ended)));
        if (!(await barriers.beginUnlessTaken(errand.runId, sessionKey, begin))) return told(sessionKey);
      }
      const end = await errands.settled(runId);
      if (end?.state !== "settled") return undefined;
      if (end.outcome?.status === "ok") return toDelivered(end, sessionKey);
      firstFailedAt ??= clock.steady();
      if (end.outcome?.status !== "killed") continue;
      if (await barriers.handedOver(errand.runId, sessionKey)) return told(sessionKey);
      return missed(ended, sessionKey, errand.runId, "it was stopped.");
    }
    return missed(ended, sessionKey, errand.runId, `${TRIES} attempts failed.`);
  }

  /** A sub-agent that has ended is not set to work again by what comes late. Whom people talk to there has not. */
  async function isOver(sessionKey: string, { createdAt }: Errand): Promise<boolean> {
    const [newest] = await ledger.errands({ kind: "subagent", sessionKey, limit: 1 });
    return newest?.outcome !== undefined && createdAt <= (newest.endedAt ?? 0);
  }

  function rest(attempt: number): Promise<void> {
    const ms = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 2));
    return new Promise((resolve) => void clock.after(ms, resolve));
  }

  async function endOf(errand: ErrandRecord): Promise<Ended> {
    const { sessionKey, outcome = { status: "error", texts: [] } } = errand;
    const isHelper = errand.kind === "subagent";
    const { label, task } = isHelper ? workOf(errand) : { label: errand.owner, task: "" };
    const entry = await ledger.session(sessionKey);
    return {
      what: isHelper ? "sub-agent task" : `${errand.kind} run`,
      sessionKey,
      sessionId: entry?.sessionId,
      label: label ?? task.slice(0, LABEL_CHARS),
      outcome,
      runtimeMs: runtimeOf(errand, clock.now()),
    };
  }

  /** Never nothing: the next turn says that something was missed, and people can see it. */
  async function missed(ended: Ended, sessionKey: string, runId: string, why: string): Promise<ErrandDelivered> {
    const text = missedNote(ended, why);
    const aside = { sessionKey, kind: "note", key: `announce:${runId}`, at: clock.now(), body: { text } } as const;
    await ledger.commit([{ kind: "aside-add", aside }]);
    return { status: "not-delivered", error: `The result was not announced: ${why}` };
  }

  function announceErrand(runId: string, of: ErrandRecord, sessionKey: string, text: string): Errand {
    const now = clock.now();
    const { parent, tools, place } = of.kind === "subagent" ? workOf(of) : {};
    return {
      runId,
      kind: "announce",
      owner: of.runId,
      agentId: parent?.agentId ?? of.agentId,
      sessionKey,
      dueAt: now,
      createdAt: now,
      work: { text, from: of.sessionKey, ...(tools ? { tools } : {}) },
      ...(place ? { delivery: place } : {}),
    };
  }

  async function carryOut({ owner, agentId, sessionKey, work }: ErrandRecord, { turn }: CarryOut) {
    // Its end may have been written while this was begun.
    const of = await ledger.errand(owner);
    if (of && (await isOver(sessionKey, of))) return { status: "killed", texts: [], reason: "killed" } as const;
    const { announceTimeoutMs } = parts.settings(agentId);
    const { spawnDepth } = (await ledger.session(sessionKey)) ?? {};
    const tools = work["tools"] as readonly string[] | undefined;
    return turn({
      text: String(work["text"]),
      sender: { id: `subagent:${owner}`, isOwner: false },
      provenance: { kind: "inter_session", sourceSessionKey: String(work["from"]), sourceTool: "sessions_spawn" },
      // One that is a sub-agent itself is told so in each of its turns.
      ...(spawnDepth ? { extraSystemPrompt: subagentPrompt(spawnDepth) } : {}),
      ...(tools ? { terms: { tools: atMost(tools) } } : {}),
      ...(announceTimeoutMs ? { timeoutMs: announceTimeoutMs } : {}),
    });
  }

  async function withdrawIdle(): Promise<void> {
    const open = await ledger.errands({ kind: "announce", states: OPEN_ERRANDS, limit: MOST_OPEN });
    for (const { runId, owner, sessionKey } of open) {
      const of = await ledger.errand(owner);
      const isTaken = await barriers.handedOver(owner, sessionKey);
      if (!isTaken && !(of && (await isOver(sessionKey, of)))) continue;
      stopTurn(house, sessionKey, runId);
      const outcome = { status: "killed", texts: [], reason: isTaken ? HANDED_OVER : "killed" } as const;
      const delivered = { status: "not-requested" } as const;
      await ledger.commit([{ kind: "errand-state", runId, state: "settled", at: clock.now(), outcome, delivered }]);
    }
  }

  return {
    announce,
    withdrawIdle,
    handler: {
      carryOut,
      afterCrash: async () => "again",
      settling: async () => [{ kind: "errands-forget", errandKind: "announce", keep: KEPT }],
    },
  };
}

const LABEL_CHARS = 80;
/** Of all conversations: many of them give work once and are never heard of again. */
const KEPT = 1_000;

/** Names the turn in which a result is announced. */
function announceId(runId: string, attempt: number): string {
  return `${runId}:announce:${attempt}`;
}

export function announceIds(runId: string): string[] {
  return Array.from({ length: TRIES }, (_, at) => announceId(runId, at + 1));
}

function told(sessionKey: string): ErrandDelivered {
  return { status: "delivered", receipts: [{ channel: "session", to: sessionKey }] };
}

/** Where its agent had nothing to say, or nobody to say it to, it knows all the same. */
function toDelivered({ delivered }: ErrandRecord, sessionKey: string): ErrandDelivered {
  return !delivered || delivered.status === "not-requested" ? told(sessionKey) : delivered;
}
