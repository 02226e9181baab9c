// The delivery room owns what leaves the gateway: how a reply is cut for its channel, its attempts and its receipts.
export { composeReply, responsePrefix, type Reply, type ReplyShape } from "./compose.ts";
export { Outbox } from "./outbox.ts";
export { ChannelPayload, toOutboundMessage } from "./payload.ts";
export { DeliveryQueue, type AttemptOutcome, type Pace } from "./delivery-queue.ts";
