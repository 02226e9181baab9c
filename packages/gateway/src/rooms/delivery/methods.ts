// Methods about messages on their way to channels.
import { defined } from "@chela/sdk/base";
import type { OutboxItem } from "@chela/sdk";
import { ChannelPayload } from "./room.ts";
import { type DELIVERY_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

const DEFAULT_LIMIT = 50;
const PREVIEW_LENGTH = 80;

export function deliveryMethods(gateway: House): Pick<Handlers, keyof typeof DELIVERY_METHODS> {
  const { ledger } = gateway;
  return {
    async "deliveries.list"({ state, channel, limit = DEFAULT_LIMIT }) {
      const found = await ledger.deliveries({ limit, ...(state ? { state } : {}), ...(channel ? { channel } : {}) });
      return { deliveries: found.map(rowOf) };
    },

    async "deliveries.resend"({ id }) {
      const item = await ledger.delivery(id);
      if (!item) throw invalid(`There is no delivery "${id}". \`chela deliveries\` shows them.`);
      if (item.state !== "undeliverable")
        throw invalid(`The delivery "${id}" is ${item.state}; it need not be sent again.`);
      const again = await gateway.outbox.queue.resend(id);
      if (!again) throw invalid(`The delivery "${id}" is on its way already.`);
      const { channel, account, to } = again;
      return { id, channel, accountId: account, to };
    },
  };
}

function rowOf({ id, runId, channel, account, to, state, attempts, createdAt, error, receipt, payload }: OutboxItem) {
  return {
    id,
    runId,
    channel,
    accountId: account,
    to,
    state,
    attempts,
    createdAt,
    ...defined({ error }),
    ...(receipt ? { messageId: receipt.messageId } : {}),
    preview: previewOf(payload),
  };
}

/** Rows for our own clients hold texts; those for channels one thing to send. */
function previewOf(payload: OutboxItem["payload"]): string {
  const read = ChannelPayload().safeParse(payload);
  if (!read.success) return cut(String((payload["texts"] as unknown[] | undefined)?.[0] ?? ""));
  const { content } = read.data;
  if (content.kind === "text") return cut(content.markdown);
  return content.kind === "poll" ? cut(content.poll.question) : cut(content.caption ?? content.media.name);
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > PREVIEW_LENGTH ? `${line.slice(0, PREVIEW_LENGTH - 1)}…` : line;
}
