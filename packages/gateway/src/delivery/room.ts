// The delivery room owns what leaves the gateway: committed replies, their attempts and their receipts.
export { Outbox, type DeliveryOutcome, type SendReply } from "./outbox.ts";
