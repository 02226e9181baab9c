// Methods that let people in who wrote to the bot.
import type { PairingApproved, PairingRejected } from "./room.ts";
import { type PAIRING_METHODS, actorOf, invalid, type Handlers, type Client, holdsScope } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type PairingMethods = Pick<Handlers, keyof typeof PAIRING_METHODS>;
type NoSuchCode = Exclude<PairingApproved | PairingRejected, { kind: "approved" | "rejected" }>;

export function pairingMethods(gateway: Pick<House, "audit" | "channels" | "hasChannels">): PairingMethods {
  function noteSender(
    step: "approved" | "rejected",
    channel: string,
    { account, id }: { readonly account: string; readonly id: string },
    client: Client,
    detail?: object,
  ): void {
    const target = `${channel}:${account}:${id}`;
    gateway.audit.notePairing({ step, target, actor: actorOf(client), channel, detail: { ...detail } });
  }
  return {
    async "pairing.list"({ channel, accountId }) {
      // Without channels nobody can have written, and their code need not be loaded to say so.
      if (!gateway.hasChannels()) return { requests: [] };
      const { gate } = await gateway.channels();
      const waiting = gate.pairing.list(channel).filter(({ account }) => !accountId || account === accountId);
      return {
        requests: waiting.map(({ account, meta, ...request }) => ({
          ...request,
          accountId: account,
          meta: { ...meta },
        })),
      };
    },

    async "pairing.approve"({ channel, code, accountId, notify = false }, { client }) {
      const side = await gateway.channels();
      const { pairing } = side.gate;
      const wanted = code.replace(/\s+/g, "").toUpperCase();
      const asked = pairing.list(channel).find((request) => request.code === wanted)?.account;
      const of = accountId ?? asked ?? side.channels.defaultAccount(channel);
      const isOwned = await side.gate.hasOwner(channel, of);
      // Nobody makes others more than they are themselves.
      if (!isOwned && pairing.isEmpty && !holdsScope(client.scopes, "operator.admin"))
        throw invalid("missing scope: operator.admin (the first person who is approved becomes an owner)");
      const owner = isOwned ? {} : { owner: "if-first" as const };
      const outcome = await pairing.approve(channel, code, { ...(accountId ? { account: accountId } : {}), ...owner });
      if (outcome.kind !== "approved") throw refusal(outcome, code);
      const { id, account, isOwner } = outcome;
      noteSender("approved", channel, outcome, client, { isOwner });
      const approved = { channel, accountId: account, id, isOwner, notified: false };
      if (!notify) return approved;
      // They are let in already: that they cannot be told is worth a note, and no failure.
      const told = await side.greet({ channel, account }, id);
      return told.kind === "told" ? { ...approved, notified: true } : { ...approved, note: told.why };
    },

    async "pairing.reject"({ channel, code, accountId }, { client }) {
      const side = await gateway.channels();
      const outcome = await side.gate.pairing.reject(channel, code, accountId);
      if (outcome.kind !== "rejected") throw refusal(outcome, code);
      noteSender("rejected", channel, outcome, client);
      return { channel, accountId: outcome.account, id: outcome.id };
    },
  };
}

function refusal(outcome: NoSuchCode, code: string) {
  switch (outcome.kind) {
    case "unknown":
      return invalid(`No pending pairing request has the code ${code}. \`chela pairing list\` shows those that wait.`);
    case "expired":
      return invalid("This code is older than an hour. Let the person write again, to get a new one.");
    case "too-many":
      return invalid(`Too many wrong codes. Try again in ${Math.ceil(outcome.retryAfterMs / 1000)} seconds.`);
  }
}
