// Events waiting for a conversation that are still a beat's to tell. Pure.
import type { Aside } from "@chela/sdk";

/** A beat has told of it, or seen that there is nothing to tell; it still waits to become part of the conversation. */
const WAS_SEEN = "wasSeen";

export function isWaitingEvent({ kind, body }: Pick<Aside, "kind" | "body">): boolean {
  return kind === "note" && body[WAS_SEEN] !== true;
}

/** What the conversation is told of an event that a beat has looked at, so that it is known there and not told twice. */
export function seenBody(body: Aside["body"], wasTold: boolean): Aside["body"] {
  const what = wasTold ? "the person was told" : "a heartbeat looked at it; nothing was said";
  return { ...body, text: `${String(body["text"])} (${what})`, [WAS_SEEN]: true };
}
