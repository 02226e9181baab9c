// The outbox rows of an answer: for the channel it was asked in, or for our own clients, who miss none that way either.
import type { RunRecord } from "@chela/sdk";
import type { MessageBody } from "../message-body.ts";
import type { FinishedReply, NewDelivery } from "./delivery.ts";
import type { House } from "../../house/house.ts";

export async function writeReply(
  house: Pick<House, "channels">,
  record: RunRecord,
  body: MessageBody,
  reply: FinishedReply,
): Promise<readonly NewDelivery[]> {
  const { runId, channel, account, sessionKey } = record.message;
  if (body.origin) return (await house.channels()).replies.write(record, body, reply);
  if (reply.outcome.status !== "ok") return [];
  const { texts, media: files } = reply.outcome;
  const payload = { texts, ...(files ? { media: files } : {}) };
  const own = { id: `${runId}:reply`, runId, channel, account, to: sessionKey, payload, createdAt: reply.at };
  if (!body.deliverTo) return [own];
  return [own, ...(await (await house.channels()).replies.writeTo(body.deliverTo, record, reply))];
}

/** Shows a text to those who watch the session, and to the chat it was last led in; once for each run. */
export async function announceText(
  house: Pick<House, "runEvents" | "channels">,
  sessionKey: string,
  text: string,
  runId: string,
): Promise<void> {
  house.runEvents.announceInjected(sessionKey, runId, text);
  await (await house.channels.known())?.announce(sessionKey, text, runId);
}
