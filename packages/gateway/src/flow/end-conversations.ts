// Stops what runs in a conversation, and begins conversations anew.
import { GatewayError, type InboxMessage } from "@chela/sdk";
import type { House } from "../house/house.ts";
import type { InboundOutcome } from "./arrival.ts";
import { requesterOf, type MessageBody } from "./message-body.ts";
import { askerOf, mayEnd } from "./queue-places.ts";
import type { JudgedMessage } from "./receive.ts";
import { ownReplyId } from "./reply/delivery.ts";

/** Who gave a command, and where. */
export interface Commander {
  readonly source: string;
  readonly senderId: string;
  readonly text?: string;
}

const RESET_WAIT_MS = 15_000;

export class EndConversations {
  readonly #house: House;

  constructor(house: House) {
    this.#house = house;
  }

  /** Somebody says /stop: what they may end there ends at once. */
  async stopAsked(message: JudgedMessage): Promise<InboundOutcome> {
    const { route, body, channel, runId } = message;
    const { sessionKey } = route;
    const { ledger, lanes, hookTeller, endHelpers } = this.#house;
    // One that comes again must not stop what was asked for since.
    const isOld = await ledger.delivery(ownReplyId(runId));
    if (isOld) return { kind: "ignored", sessionKey };
    const asked = { ...message, sessionKey, body };
    const only = mayEnd(asked) === "own" ? requesterOf(message, body) : undefined;
    const runIds = only ? lanes.stopOf(sessionKey, "stop", askerOf(asked)) : lanes.stop(sessionKey, "stop");
    void hookTeller.command("stop", sessionKey, commanderOf(channel, body));
    const helpers = await endHelpers(sessionKey, "stop", only);
    const isLeft = only !== undefined && lanes.runIds(sessionKey).some((id) => !runIds.includes(id));
    return { kind: "stopped", sessionKey, runIds, helpers, ...(isLeft ? { isLeft } : {}) };
  }

  /** Stops what was asked for before this message. What came behind it is none of its business. */
  async stopEarlier({ sessionKey, admittedAt }: InboxMessage): Promise<void> {
    const { lanes, ledger } = this.#house;
    for (const runId of lanes.runIds(sessionKey)) {
      const run = await ledger.run(runId);
      if (run && run.message.admittedAt < admittedAt) lanes.stop(sessionKey, "stop", runId);
    }
  }

  /** Stops what runs in the session, waits for it, and starts the session anew. */
  async reset(sessionKey: string, action: "new" | "reset", by: Commander) {
    const { endHelpers, lanes, clock, hookTeller, sessions } = this.#house;
    await endHelpers(sessionKey, "session-reset");
    lanes.stop(sessionKey, "rpc");
    const waited = await Promise.race([
      lanes.settled(sessionKey).then(() => true),
      new Promise<boolean>((resolve) => clock.after(RESET_WAIT_MS, () => resolve(false))),
    ]);
    if (!waited) throw new GatewayError("PROTOCOL_UNAVAILABLE", `session ${sessionKey} is still active`);
    // Before it is over: what a handler keeps of it is not lost when this process ends here, but kept once more.
    await hookTeller.command(action, sessionKey, by);
    return sessions.reset(sessionKey);
  }
}

export function commanderOf(source: string, { sender, text }: MessageBody): Commander {
  return { source, senderId: sender?.id ?? "", ...(text ? { text } : {}) };
}
