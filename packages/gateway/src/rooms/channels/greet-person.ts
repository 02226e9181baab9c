// Tells somebody in a channel that they were let in.
import { defined } from "@chela/sdk/base";
import { GatewayError, type Address, type Channel, type Target } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import type { Channels } from "./channels.ts";

export type Greeted = { readonly kind: "told" } | { readonly kind: "not-told"; readonly why: string };

const WELCOME = "You are let in. Write to me, and I will answer.";

/** Committed like every other message, so that it arrives although the account may not be connected now. */
export async function greetPerson(
  channels: Channels,
  { ledger, clock, ids, outbox }: Pick<House, "ledger" | "clock" | "ids" | "outbox">,
  { channel, account }: Address,
  id: string,
): Promise<Greeted> {
  try {
    const target = directTarget(await channels.channel(channel), id);
    if (!target) return { kind: "not-told", why: `Nothing can be sent to "${id}" by its id alone.` };
    const runId = `pairing-welcome-${ids.uuid()}`;
    const { to, threadId } = target;
    const payload = {
      content: { kind: "text", markdown: WELCOME },
      ...defined({ threadId }),
    };
    const item = { id: `${runId}:reply`, runId, channel, account, to, payload, createdAt: clock.now() };
    await ledger.commit([{ kind: "outbox-add", item }]);
    outbox.send({ ...item, attempts: 0, state: "pending" });
    return { kind: "told" };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { kind: "not-told", why: error.explain() };
  }
}

/** A bare id may also be that of a room. */
function directTarget(code: Channel, id: string): Target | undefined {
  for (const written of [`user:${id}`, id]) {
    const read = code.readTarget(written);
    if (read.kind === "target" && read.chat.kind === "direct" && read.chat.id === id) return read.target;
  }
  return undefined;
}
