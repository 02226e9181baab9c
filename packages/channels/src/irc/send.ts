// Writes messages: cut into lines, at the server's pace, and confirmed by it.
import {
  type ChannelHost,
  type OutboundContent,
  type OutboundMessage,
  type SendFailure,
  type SendOutcome,
  OneAtATime,
} from "@chela/sdk";
import { RecentIds } from "@chela/sdk/channel-kit";
import type { TableMode } from "@chela/sdk/markdown";
import { stripCodes } from "./receive/codes.ts";
import type { LineListeners } from "./server/line-listeners.ts";
import type { ServerFacts } from "./server/server-facts.ts";
import { renderIrc } from "./format.ts";
import { KEY_TAG } from "./receive/history.ts";
import { writeLine, type Tags } from "./server/line.ts";
import { isSendable } from "./server/names.ts";
import type { Pace } from "./server/pace.ts";
import { readRefusal } from "./refusals.ts";
import { splitText, type Piece } from "./split.ts";

export interface Sender {
  /** Never rejects. */
  send(message: OutboundMessage, signal: AbortSignal): Promise<SendOutcome>;
  isOurMessage(id: string): boolean;
}

export interface SenderNeeds {
  readonly tables: TableMode | undefined;
  readonly facts: ServerFacts;
  readonly listeners: LineListeners;
  readonly host: ChannelHost;
  readonly pace: Pace;
  /** Writes at once. */
  write(line: string): void;
  roundTrip(timeoutMs: number): Promise<boolean>;
  /** Aborted when the connection is over. */
  readonly over: AbortSignal;
  /** Whether we try to be in this channel and are not at the moment. */
  isOut(room: string): boolean;
}

const CONFIRM_MS = 30_000;
const MOST_KNOWN = 1000;

const failed = (reason: SendFailure, why: string): SendOutcome => ({ kind: "failed", reason, why });

export function createSender(needs: SenderNeeds): Sender {
  const { facts, listeners, host, pace, write, over } = needs;
  const line = new OneAtATime();
  const ours = new RecentIds(MOST_KNOWN);

  const send = async (message: OutboundMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const { to } = message.target;
    if (!isSendable(to)) return failed("rejected", `"${to}" is neither a nick nor a channel`);
    if (needs.isOut(to)) return failed("unavailable", `not in ${to} at the moment`);
    const pieces = splitText(textOf(message.content, needs.tables), facts.roomInLine(to)).slice(0, 1000);
    if (pieces.every(({ text }) => text.trim() === "")) return failed("rejected", "nothing is left of the message");
    const groups = groupPieces(pieces, facts);
    const heard = { ids: new Set<string>(), refusal: undefined as SendOutcome | undefined };
    const deafen = listeners.listen((line) => {
      heard.refusal ??= readRefusal(line, to, facts);
      const isEcho = line.command === "PRIVMSG" && line.source !== undefined && facts.isMe(line.source.nick);
      const id = line.tags.get("msgid");
      if (isEcho && id && facts.fold(line.params[0] ?? "") === facts.fold(to)) heard.ids.add(id);
    });
    try {
      for (const [index, group] of groups.entries()) {
        const hasTurn = await takeTurns(group.length, signal);
        if (!hasTurn || heard.refusal) return heard.refusal ?? lost(index > 0);
        for (const written of writeGroup(group, to, tagsFor(message, index, groups.length), host.ids.secretHex(4))) {
          write(written);
        }
      }
      return (await confirm(signal)) ? (heard.refusal ?? sent([...heard.ids])) : lost(true);
    } finally {
      deafen();
    }
  };

  const confirm = async (signal: AbortSignal): Promise<boolean> => {
    const gaveUp = Promise.withResolvers<false>();
    const giveUp = (): void => gaveUp.resolve(false);
    signal.addEventListener("abort", giveUp);
    const isConfirmed = await Promise.race([needs.roundTrip(CONFIRM_MS), gaveUp.promise]);
    signal.removeEventListener("abort", giveUp);
    return isConfirmed;
  };
  const takeTurns = async (count: number, signal: AbortSignal): Promise<boolean> => {
    for (let taken = 0; taken < count; taken += 1) {
      if (!(await pace.turn()) || signal.aborted) return false;
    }
    return !over.aborted;
  };
  const lost = (isBegun: boolean): SendOutcome =>
    isBegun
      ? failed("uncertain", "the connection ended before the server confirmed the message")
      : failed("unavailable", "not connected");
  const sent = (ids: readonly string[]): SendOutcome => {
    for (const id of ids) ours.add(id);
    return { kind: "sent", messageId: ids.length === 0 ? host.ids.uuid() : ids.join(",") };
  };
  const tagsFor = (message: OutboundMessage, index: number, count: number): Tags => {
    if (!facts.has("message-tags")) return {};
    return {
      ...(index === 0 && message.replyTo ? { "+draft/reply": message.replyTo.split(",", 1)[0] } : {}),
      // On the last part only: where it is found, everything before it arrived, too.
      ...(index === count - 1 && facts.has("draft/chathistory") ? { [KEY_TAG]: message.key } : {}),
    };
  };
  return {
    send: (message, signal) => line.run("line", () => send(message, signal)),
    isOurMessage: (id) => ours.has(id),
  };
}

/** IRC carries only text: what is more than that is named. */
function textOf(content: OutboundContent, tables: TableMode | undefined): string {
  switch (content.kind) {
    case "text": {
      const commands = (content.buttons ?? []).flat().filter(({ data }) => data.startsWith("/"));
      const lines = commands.map(({ text, data }) => stripCodes(`${text}: ${data}`));
      return [renderIrc(content.markdown, tables), ...lines].join("\n");
    }
    case "media": {
      const named = stripCodes(`[${content.media.name}: a file, which IRC cannot carry]`);
      return content.caption ? `${renderIrc(content.caption, tables)}\n${named}` : named;
    }
    case "poll": {
      const options = content.poll.options.map((option, index) => `${index + 1}. ${option}`);
      return stripCodes([content.poll.question, ...options].join("\n"));
    }
  }
}

/** Pieces that are sent as one message of several lines where the server has those, and one by one elsewhere. */
function groupPieces(pieces: readonly Piece[], facts: ServerFacts): Piece[][] {
  const limits = multilineLimits(facts);
  if (!limits) return pieces.filter(({ text }) => text.trim() !== "").map((piece) => [piece]);
  const groups: Piece[][] = [];
  let size = Infinity;
  for (const piece of pieces) {
    const bytes = Buffer.byteLength(piece.text) + 1;
    const current = groups.at(-1);
    if (current && size + bytes <= limits.bytes && current.length < limits.lines) {
      current.push(piece);
      size += bytes;
    } else if (piece.text.trim() !== "") {
      groups.push([piece]);
      size = bytes;
    }
  }
  return groups;
}

function multilineLimits(facts: ServerFacts): { bytes: number; lines: number } | undefined {
  if (!facts.has("draft/multiline") || !facts.has("batch")) return undefined;
  const value = facts.capabilities.get("draft/multiline") ?? "";
  const bytes = Number(/max-bytes=(\d+)/.exec(value)?.[1]);
  return bytes ? { bytes, lines: Number(/max-lines=(\d+)/.exec(value)?.[1]) || 100 } : undefined;
}

function writeGroup(group: readonly Piece[], to: string, tags: Tags, reference: string): string[] {
  const [only] = group;
  if (only && group.length === 1) return [writeLine("PRIVMSG", [to, only.text.trimEnd()], tags)];
  return [
    writeLine("BATCH", [`+${reference}`, "draft/multiline", to], tags),
    ...group.map(({ text, continues }, index) =>
      writeLine("PRIVMSG", [to, text], {
        batch: reference,
        ...(continues && index > 0 ? { "draft/multiline-concat": "" } : {}),
      }),
    ),
    writeLine("BATCH", [`-${reference}`]),
  ];
}
