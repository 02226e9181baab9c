// The way in and the way out of the house: what comes in is admitted, what goes out is written into the outbox.
import { auditChange, deliveryEvent } from "../rooms/audit/room.ts";
import { commandSettings, firstWaitMs } from "../rooms/config/room.ts";
import { Outbox } from "../rooms/delivery/room.ts";
import { createInbound, type InboundFlow } from "../flow/receive.ts";
import type { MessageBody } from "../flow/message-body.ts";
import { queueSettings } from "../rooms/sessions/room.ts";
import { sendPolicyOf } from "./send-policy-of.ts";
import type { House } from "./house.ts";
import { writeReply } from "../flow/reply/write-reply.ts";

const WEBCHAT = "webchat";

export function openOutbox(house: Pick<House, "ledger" | "clock" | "log" | "runEvents" | "channels">): Outbox {
  return new Outbox({
    ledger: house.ledger,
    clock: house.clock,
    log: house.log,
    isOwn: ({ channel }) => channel === WEBCHAT,
    tell: (item) => house.runEvents.announceReply(item),
    toldChanges: (item, attempts, at) => [auditChange(deliveryEvent(item, { state: "delivered", attempts }, true), at)],
    post: async (item, mayHaveArrived) => (await house.channels()).post.take(item, mayHaveArrived),
  });
}

type InboundNeeds = Pick<
  House,
  | "ledger"
  | "clock"
  | "log"
  | "config"
  | "models"
  | "sessions"
  | "lanes"
  | "runs"
  | "bus"
  | "people"
  | "outbox"
  | "hookStarter"
  | "subagents"
  | "channels"
  | "turnServices"
  | "keys"
>;

export function openInbound(house: InboundNeeds): InboundFlow {
  const { ledger, clock, log, config, models, sessions, lanes, runs, keys } = house;
  return createInbound({
    ledger,
    clock,
    log,
    sessions,
    lanes,
    runs,
    keys,
    workshop: house.turnServices,
    hooks: house.hookStarter,
    endHelpers: (sessionKey, why, only) => house.subagents.conversationEnds(sessionKey, why, only),
    commandSettings: () => commandSettings(config.current()),
    takeQuota: (runId, person) => house.people.takeQuota(runId, person),
    async chooseModel(sessionKey, ref) {
      const { provider, id } = models.resolve(ref);
      await sessions.update(sessionKey, (entry) => ({ ...entry, providerOverride: provider, modelOverride: id }));
    },
    agents: () => config.current(),
    queueSettings: (channel, entry) => {
      const { queue } = config.current().messages ?? {};
      if (channel !== WEBCHAT) return queueSettings(queue, entry, channel, "collect");
      // Whoever writes through our own door expects an answer to each message, unless told otherwise.
      const settings = queueSettings(queue, entry, channel, "followup");
      return { ...settings, cap: entry?.queueCap ?? queue?.cap ?? Infinity };
    },
    firstWaitMs: (channel) => firstWaitMs(config.current(), channel),
    sendPolicy: (key, channel, entry, chatType) => sendPolicyOf(config, key, channel, entry, chatType),
    errorReply: async (record, outcome, at) =>
      writeReply(house, record, record.message.body as MessageBody, { outcome, at, directives: [], media: [] }),
    deliver: (item) => house.outbox.send(item),
    emit: (event) => house.bus.emit(event),
  });
}
