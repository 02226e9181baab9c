// Judge: whether a sender may speak here and with which rights; what is only heard is kept, and strangers are introduced.
import type { ChannelEvent } from "@chela/sdk";
import { grantsOf } from "@chela/sdk/protocol";
import type { House } from "../house/house.ts";
import { decideAccess } from "../rooms/access/room.ts";
import { introduceSender } from "./answer-event.ts";
import type { AdmittedRoute, Arrival, ChannelArrival, ClientArrival } from "./arrival.ts";
import { bodyOfEvent, wordsOf } from "./event-body.ts";
import type { MessageBody } from "./message-body.ts";

export type Judged =
  | { readonly kind: "allowed"; readonly body: MessageBody }
  | { readonly kind: "denied"; readonly why: string }
  /** An event that is no message for the agent: it is done with. */
  | { readonly kind: "settled"; readonly why: string };

export async function judge(arrival: Arrival, route: AdmittedRoute, receivedAt: number, house: House): Promise<Judged> {
  switch (arrival.door) {
    case "client": {
      const access = decideAccess(arrival.sender, {});
      if (access.kind === "denied") return access;
      const times = { receivedAt, decidedAt: house.clock.now() };
      return { kind: "allowed", body: { ...arrival.body, sender: operatorOf(arrival), times } };
    }
    case "node":
      return { kind: "allowed", body: arrival.body };
    case "channel":
      return judgeEvent(arrival, route, receivedAt, house);
  }
}

async function judgeEvent(
  arrival: ChannelArrival,
  route: AdmittedRoute,
  receivedAt: number,
  house: House,
): Promise<Judged> {
  const { channel, account, event } = arrival;
  const { gate } = await house.channels();
  const judgement = await gate.judge(channel, account, event, route);
  const times = { receivedAt, decidedAt: house.clock.now() };
  const facts = { channel, account, event: event.id, kind: event.content.kind, sender: event.sender.id };
  switch (judgement.kind) {
    case "allowed": {
      if (!isForAgent(event)) return keepForNextTurn(arrival, route, house);
      const verdict = { ...judgement, standing: route.standing ?? "stranger", times };
      const mayQuote = gate.mayQuote.bind(gate, channel, account, event);
      return { kind: "allowed", body: await bodyOfEvent(event, verdict, mayQuote) };
    }
    case "heard":
      house.log.debug("event heard", { ...facts, why: judgement.why });
      return keepForNextTurn(arrival, route, house);
    case "needs-pairing":
      house.log.info("event of somebody who is not known yet", facts);
      return introduceSender(arrival, house);
    default:
      house.log.info(`event ${judgement.kind}`, { ...facts, why: judgement.why });
      return { kind: "settled", why: judgement.why };
  }
}

/** Nobody is answered because of it; the agent is told of it with the next message that is for it. */
async function keepForNextTurn(
  { channel, account, event }: ChannelArrival,
  { sessionKey }: AdmittedRoute,
  house: House,
): Promise<Judged> {
  const text = wordsOf(event);
  if (text === "") return { kind: "settled", why: "it has no text" };
  const sender = event.sender.name ?? event.sender.username ?? event.sender.id;
  const key = `${channel}:${account}:${event.id}`;
  const aside = { sessionKey, kind: "heard" as const, key, at: event.at, body: { sender, text } };
  await house.ledger.commit([{ kind: "aside-add", aside }]);
  return { kind: "settled", why: "kept for the next turn" };
}

function isForAgent({ content }: ChannelEvent): boolean {
  return content.kind === "message" || content.kind === "command" || content.kind === "button";
}

function operatorOf({ sender, body }: ClientArrival): NonNullable<MessageBody["sender"]> {
  return {
    kind: "operator",
    id: body.client?.id ?? "",
    ...(body.client?.name ? { name: body.client.name } : {}),
    ...grantsOf(sender.scopes),
  };
}
