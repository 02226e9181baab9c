// State of the beats of one conversation: one value in the ledger, however often it beats.
import * as z from "zod";
import { once, type Change, type Ledger, type Parsed } from "@chela/sdk";
import { HeartbeatEvent } from "@chela/sdk/protocol";

/** The conversation a beat is for. */
export interface BeatHome {
  readonly agentId: string;
  readonly sessionKey: string;
}

const BeatState = once(() =>
  z.object({
    last: HeartbeatEvent().optional(),
    /** When a model was last asked, and what there was to look at then. */
    askedAt: z.number().optional(),
    seen: z.string().optional(),
    /** Failures in a row, and until when no model is asked because of them. */
    failures: z.number().optional(),
    restsUntil: z.number().optional(),
    /** What somebody was told last. */
    said: z.object({ text: z.string(), at: z.number() }).optional(),
  }),
);
export type BeatState = Parsed<typeof BeatState>;

/** What the last beat of all did. */
const LAST = "heartbeat.last";

function keyOf({ agentId, sessionKey }: BeatHome): string {
  return `heartbeat:${agentId}:${sessionKey}`;
}

export async function readState(ledger: Ledger, home: BeatHome): Promise<BeatState> {
  return parsed(await ledger.value(keyOf(home)), BeatState()) ?? {};
}

export function putState(home: BeatHome, state: BeatState): Change {
  return { kind: "value-put", key: keyOf(home), value: JSON.stringify(state) };
}

export function putLast(event: HeartbeatEvent): Change {
  return { kind: "value-put", key: LAST, value: JSON.stringify(event) };
}

export async function readLast(ledger: Ledger): Promise<HeartbeatEvent | undefined> {
  return parsed(await ledger.value(LAST), HeartbeatEvent());
}

/** What cannot be read any more is as if it had never been. */
export function parsed<T>(value: string | undefined, schema: z.ZodType<T>): T | undefined {
  if (value === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
