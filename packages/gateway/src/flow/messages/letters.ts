// Brings one message to one chat: composed, committed, handed to the post, and waited for. The same name never goes out twice.
import { defined } from "@chela/sdk/base";
import { type Change, type OutboxItem, type Poll, OneAtATime } from "@chela/sdk";
import type { ChannelPayload, Reply } from "../../rooms/delivery/room.ts";
import type { NewDelivery } from "../reply/delivery.ts";
import type { ChannelServices } from "../../house/open-channels.ts";
import { commitMirrored, type Mirror } from "./note-sent.ts";
import type { SenderParts } from "./parts.ts";
import type { Spot } from "./reach.ts";
import type { Delivered, MessageRequest } from "./request.ts";
import { waitForReceipts } from "./wait-for-receipts.ts";

export interface Letter {
  /** Begins the ids of its rows. */
  readonly name: string;
  /** The run its rows belong to. */
  readonly runId: string;
  readonly agentId: string;
  readonly spot: Spot;
  readonly content: { readonly kind: "reply"; readonly reply: Reply } | { readonly kind: "poll"; readonly poll: Poll };
  readonly buttons?: MessageRequest["buttons"];
  readonly isSilent?: boolean;
  readonly mirror?: Omit<Mirror, "key">;
}

export interface Letters {
  /** What became of a letter of this name that was sent before; undefined when there is none. */
  known(name: string, signal?: AbortSignal): Promise<Delivered | undefined>;
  send(letter: Letter, signal?: AbortSignal): Promise<Delivered>;
}

type LetterParts = Pick<
  SenderParts,
  "clock" | "ledger" | "sessions" | "transcripts" | "outbox" | "isBusy" | "announce"
>;

export function createLetters(side: ChannelServices, parts: LetterParts): Letters {
  const { ledger, clock } = parts;
  /** Two letters of one name: the second must see the rows of the first. */
  const names = new OneAtATime();

  async function rowsOf(name: string): Promise<OutboxItem[]> {
    const rows: OutboxItem[] = [];
    for (;;) {
      const row = await ledger.delivery(rowId(name, rows.length));
      if (!row) return rows;
      rows.push(row);
    }
  }

  async function dispatch(letter: Letter): Promise<readonly string[]> {
    const before = await rowsOf(letter.name);
    // An earlier call, or an earlier process, has put them into the outbox: whoever sends them is at it.
    if (before.length > 0) return before.map(({ id }) => id);
    const rows = await compose(letter);
    const changes = rows.map((item): Change => ({ kind: "outbox-add", item }));
    if (letter.mirror) await commitMirrored(changes, { ...letter.mirror, key: `mirror:${letter.name}` }, parts);
    else await ledger.commit(changes);
    for (const item of rows) parts.outbox.send({ ...item, attempts: 0, state: "pending" });
    return rows.map(({ id }) => id);
  }

  async function compose(letter: Letter): Promise<NewDelivery[]> {
    const { name, runId, agentId, spot, content } = letter;
    const { channel, account, target } = spot;
    const address = { runId: name, channel, account, agentId, at: clock.now(), ...target };
    const composed: readonly Pick<NewDelivery, "payload">[] =
      content.kind === "reply"
        ? await side.replies.compose(address, content.reply)
        : [{ payload: { content, ...(target.threadId === undefined ? {} : { threadId: target.threadId }) } }];
    const last = composed.findLastIndex(({ payload }) => (payload as ChannelPayload).content.kind === "text");
    return composed.map(({ payload }, index) => ({
      id: rowId(name, index),
      runId,
      channel,
      account,
      to: target.to,
      payload: finish(payload as ChannelPayload, letter, index === last),
      createdAt: address.at,
    }));
  }

  async function report(ids: readonly string[], signal: AbortSignal | undefined): Promise<Delivered> {
    return deliveredOf(await waitForReceipts(ids, { ledger, clock, queue: parts.outbox.queue }, signal));
  }

  /** The conversation there believes that it was said. */
  async function takeBack(sessionKey: string, name: string): Promise<void> {
    const body = { text: "The last message you sent to this chat from another conversation did not arrive." };
    const aside = { sessionKey, kind: "note" as const, key: `undeliverable:${name}`, at: clock.now(), body };
    await ledger.commit([{ kind: "aside-add", aside }]);
  }

  return {
    async known(name, signal) {
      const rows = await rowsOf(name);
      return rows.length === 0
        ? undefined
        : report(
            rows.map(({ id }) => id),
            signal,
          );
    },
    async send(letter, signal) {
      const delivered = await report(await names.run(letter.name, () => dispatch(letter)), signal);
      if (delivered.state === "undeliverable" && letter.mirror) await takeBack(letter.mirror.sessionKey, letter.name);
      return delivered;
    },
  };
}

function finish(payload: ChannelPayload, { buttons, isSilent }: Letter, isLastText: boolean): ChannelPayload {
  const { content } = payload;
  const pressable = isLastText && buttons && content.kind === "text";
  return {
    ...payload,
    ...(pressable ? { content: { ...content, buttons: buttons.map((row) => row.map((one) => ({ ...one }))) } } : {}),
    ...(isSilent ? { isSilent } : {}),
  };
}

function rowId(name: string, index: number): string {
  return `${name}:${String(index).padStart(3, "0")}`;
}

/** The message is there when all of its parts are. */
function deliveredOf(rows: readonly OutboxItem[]): Delivered {
  const [first] = rows;
  if (!first) throw new TypeError("a message without parts was sent");
  const { channel, account, to, payload, receipt } = first;
  const threadId = payload["threadId"];
  const lost = rows.find(({ state }) => state === "undeliverable");
  const waiting = rows.find(({ state }) => state === "pending");
  const error = (lost ?? waiting)?.error;
  return {
    channel,
    accountId: account,
    to,
    ...(typeof threadId === "string" ? { threadId } : {}),
    state: lost ? "undeliverable" : waiting ? "queued" : "delivered",
    ...(receipt ? { messageId: receipt.messageId } : {}),
    ...(receipt?.chatId === undefined ? {} : { chatId: receipt.chatId }),
    ...defined({ error }),
  };
}
