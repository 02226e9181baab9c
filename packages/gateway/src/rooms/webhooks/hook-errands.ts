// Carries out errands of webhooks: a turn in the errand's conversation, or a word to the agent.
import * as z from "zod";
import { once, type Change, type ErrandOutcome, type ErrandRecord, type Ids, type Parsed } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { externalLine, wrapExternalContent } from "../../base/text/external-content.ts";

const Lists = () => z.object({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() });

/** What an errand of a webhook is about; the text is marked already. */
const HookWork = once(() =>
  z.object({
    action: z.enum(["agent", "wake"]),
    name: z.string(),
    text: z.string(),
    /** The operator said that its text need not be marked. */
    isTrusted: z.boolean(),
    wakeMode: z.enum(["now", "next-heartbeat"]),
    model: z.string().optional(),
    thinking: z.string().optional(),
    timeoutSeconds: z.number().optional(),
    tools: Lists().optional(),
  }),
);
type HookWork = Parsed<typeof HookWork>;

/** A turn in the name of the webhook: it owns nothing, and its lists only take away. */
export interface HookTurn {
  readonly text: string;
  readonly thinking?: string;
  readonly timeoutMs?: number;
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly sender: { readonly id: string; readonly name: string; readonly isOwner: false };
  readonly terms: {
    readonly model?: string;
    readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  };
}

export interface HookErrands {
  carryOut(errand: ErrandRecord, how: { turn(turn: HookTurn): Promise<ErrandOutcome> }): Promise<ErrandOutcome>;
  afterCrash(errand: ErrandRecord): Promise<"again">;
  settling(errand: ErrandRecord): Promise<readonly Change[]>;
}

/** Of so many of each mapping it can be seen what they said. */
const SHOWN = 5_000;
/** How long an event is known when it comes again, however many came since: not every sender signs the time. */
const KNOWN_FOR_MS = 90 * 24 * 60 * 60_000;
/** How many of a mapping come between two times that its old ones are forgotten. */
const TIDY_EVERY = 100;
const LONGEST_SUMMARY = 2_000;

export function createHookErrands({ clock, ids, wake }: Pick<House, "clock" | "ids" | "wake">): HookErrands {
  const settledOf = new Map<string, number>();

  /** Counted for each mapping: numbers of rows have a rhythm of their own, which may pass over a mapping for ever. */
  function forgetOld(owner: string): Change[] {
    const count = settledOf.get(owner) ?? 0;
    settledOf.set(owner, count + 1);
    if (count % TIDY_EVERY !== 0) return [];
    const knownSince = clock.now() - KNOWN_FOR_MS;
    return [{ kind: "errands-forget", errandKind: "hook", owner, keep: SHOWN, knownSince }];
  }

  return {
    async carryOut(errand, how) {
      const work = HookWork().parse(errand.work);
      if (work.action === "agent") return how.turn(turnOf(errand, work));
      const { agentId, owner, runId } = errand;
      // One with the same key is told once, so that a crash behind this line repeats nothing.
      const event = { agentId, text: work.text, mode: work.wakeMode, reason: `hook:${owner}`, key: runId };
      await wake({ ...event, standing: "webhook" });
      return { status: "ok", texts: [] };
    },
    // Its turn goes on where it was, and a word to an agent is told once.
    afterCrash: async () => "again",
    async settling(errand) {
      const work = HookWork().parse(errand.work);
      if (work.action === "agent" && errand.delivered?.status !== "delivered") {
        const { agentId, owner, runId } = errand;
        const text = noteOf(errand, work, ids);
        const event = { agentId, text, mode: work.wakeMode, reason: `hook:${owner}`, key: `${runId}:note` };
        await wake({ ...event, standing: "webhook" });
      }
      return forgetOld(errand.owner);
    },
  };
}

function turnOf({ owner }: ErrandRecord, { text, name, model, thinking, timeoutSeconds, tools }: HookWork): HookTurn {
  const lists = tools && {
    ...(tools.allow ? { allow: tools.allow } : {}),
    ...(tools.deny ? { deny: tools.deny } : {}),
  };
  return {
    text,
    sender: { id: `hook:${owner}`, name: externalLine(name), isOwner: false },
    provenance: { kind: "hook", hook: owner },
    ...(thinking ? { thinking } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: Math.ceil(timeoutSeconds * 1000) }),
    terms: { ...(model ? { model } : {}), ...(lists ? { tools: lists } : {}) },
  };
}

/** What came of it, for the agent's main conversation. It was written under the eyes of strangers, so it is marked like their words. */
function noteOf({ outcome }: ErrandRecord, { name, isTrusted }: HookWork, ids: Ids): string {
  const { status = "error", texts = [], error } = outcome ?? {};
  const summary = texts.join("\n\n").trim() || error?.trim() || status;
  const cut = summary.length > LONGEST_SUMMARY ? `${summary.slice(0, LONGEST_SUMMARY).toWellFormed()}…` : summary;
  const title = status === "ok" ? externalLine(name) : `${externalLine(name)} (${status})`;
  return `Hook ${title}: ${isTrusted ? cut : wrapExternalContent(cut, { source: "Answer to a webhook" }, ids)}`;
}
