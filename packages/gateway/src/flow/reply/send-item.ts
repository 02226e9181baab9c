// Sends one delivery: what its row says, in the words of its channel.
import { GatewayError, isBug, toGatewayError, type Logger, type OutboundMessage, type OutboxItem } from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import type { House } from "../../house/house.ts";
import { askBeforeSending } from "../hooks/turn-hooks.ts";
import type { ChannelServices } from "../../house/open-channels.ts";
import type { Channels } from "../../rooms/channels/room.ts";
import { ChannelPayload, toOutboundMessage, type AttemptOutcome } from "../../rooms/delivery/room.ts";

const SEND_PATIENCE_MS = 120_000;
/** For channels that do not listen to their signal. */
const SEND_GRACE_MS = 10_000;

/** One attempt. Never rejects, and ends also when the platform says nothing. */
export async function sendItem(
  item: OutboxItem,
  mayHaveArrived: boolean,
  { clock, log, channels, typedHooks }: Pick<House, "clock" | "log" | "channels" | "typedHooks">,
): Promise<AttemptOutcome> {
  const patience = new AbortController();
  const cancel = clock.after(SEND_PATIENCE_MS, () => patience.abort());
  const attempt = attemptIn({ open: channels, log, typedHooks }, item, mayHaveArrived, patience.signal);
  const outcome = await waitAtMost(SEND_PATIENCE_MS + SEND_GRACE_MS, attempt, clock);
  cancel();
  if (outcome === "late") return { kind: "failed", reason: "uncertain", why: "the platform did not answer" };
  // Why it failed is told to people and to the agent.
  return outcome.kind === "sent" ? outcome : { ...outcome, why: log.redact(outcome.why) };
}

async function attemptIn(
  {
    open,
    log,
    typedHooks,
  }: { readonly open: () => Promise<ChannelServices>; readonly log: Logger } & Pick<House, "typedHooks">,
  item: OutboxItem,
  mayHaveArrived: boolean,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { channel, account } = item;
  const payload = ChannelPayload().safeParse(item.payload);
  if (!payload.success) return { kind: "failed", reason: "rejected", why: "the message is not readable any more" };
  const { asks, edits } = payload.data;
  try {
    const { channels, approvals } = await open();
    if (asks !== undefined && !approvals.isOpen(asks))
      return { kind: "failed", reason: "rejected", why: "nobody waits for the answer to this question any more" };
    const code = await channels.channel(channel);
    const connection = channels.connection({ channel, account });
    if (!connection) return offline(channels, channel, account);
    const said = await asPluginsLet(toOutboundMessage(item, payload.data, mayHaveArrived), item, typedHooks);
    if (said.kind === "cancel")
      return { kind: "failed", reason: "rejected", why: `the plugin ${said.from} held the message back` };
    const { message } = said;
    if (mayHaveArrived && code.traits.dedupe === "receipt") {
      const found = await connection.findSent?.(message);
      if (found?.kind === "sent") return found;
    }
    if (edits !== undefined && connection.edit && message.content.kind === "text") {
      const edited = await connection.edit(message.target, edits, message.content.markdown);
      // A preview that is gone is no reason to keep the answer back.
      if (edited.kind === "sent" || edited.reason !== "rejected") return edited;
    }
    const outcome = await connection.send(message, signal);
    if (outcome.kind === "sent") channels.noteOutbound({ channel, account });
    return outcome;
  } catch (error) {
    if (error instanceof GatewayError && error.code === "CHANNEL_UNKNOWN")
      return { kind: "failed", reason: "rejected", why: error.detail };
    const { detail: why, stack } = toGatewayError(error, "CHANNEL_OFFLINE");
    if (isBug(error)) log.error("a channel failed in a way nobody foresaw", { channel, account, error: stack });
    return { kind: "failed", reason: "unavailable", why };
  }
}

type Let =
  | { readonly kind: "send"; readonly message: OutboundMessage }
  | { readonly kind: "cancel"; readonly from: string };

/** Only texts are changed. One that may have arrived already is what it was. */
async function asPluginsLet(
  message: OutboundMessage,
  { channel, account, to }: OutboxItem,
  hooks: House["typedHooks"],
): Promise<Let> {
  const { content } = message;
  if (!hooks.has("message_sending") || content.kind !== "text") return { kind: "send", message };
  const context = { channelId: channel, accountId: account, conversationId: to };
  const said = await askBeforeSending(hooks, { to, content: content.markdown }, context);
  if (said.kind === "cancel") return said;
  return { kind: "send", message: { ...message, content: { ...content, markdown: said.text } } };
}

function offline(channels: Channels, channel: string, account: string): AttemptOutcome {
  if (channels.settings({ channel, account }))
    return { kind: "offline", why: `${channel} (${account}) is not connected` };
  return { kind: "offline", why: `${channel} has no account "${account}" in the configuration` };
}
