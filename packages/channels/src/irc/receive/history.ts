// History kept by the server: messages written while we were away, earlier ones on request, and our own.
import {
  GatewayError,
  type ChatMessage,
  type Clock,
  type Logger,
  type OutboundMessage,
  type SendOutcome,
} from "@chela/sdk";
import type { HistoryBatch } from "./batches.ts";
import { stripCodes } from "./codes.ts";
import { timeOf, type ServerFacts } from "../server/server-facts.ts";
import { senderFrom } from "../identity.ts";
import { writeLine, type Line } from "../server/line.ts";
import { isOurs } from "./parse.ts";

export interface History {
  /** Gives on every message after this time, the oldest first in each chat; false when the server did not answer. */
  catchUp(since: number, giveOn: (line: Line) => void): Promise<boolean>;
  read(target: string, range: { limit: number; before?: string; after?: string }): Promise<ChatMessage[]>;
  /** A message of ours that carries this key. */
  findSent(message: OutboundMessage): Promise<SendOutcome | undefined>;
  takeBatch(batch: HistoryBatch): void;
  hear(line: Line): void;
}

export interface HistoryNeeds {
  readonly facts: ServerFacts;
  readonly clock: Clock;
  readonly log: Logger;
  write(line: string): Promise<boolean>;
}

/** The tag our messages carry where the server keeps a history, so that they are found again. */
export const KEY_TAG = "+chela/key";
const ANSWER_MS = 15_000;
const PAGE = 100;
const MOST_PAGES = 10;
const MOST_TARGETS = 100;
/** How far back a message may be that was sent a moment ago. */
const RECENT = 50;

/** Undefined when none came. */
type Answer = readonly Line[] | "refused" | undefined;

interface Question {
  readonly type: string;
  readonly target: string;
  resolve(answer: Answer): void;
}

export function createHistory({ facts, clock, log, write }: HistoryNeeds): History {
  const questions = new Set<Question>();

  const ask = async (type: string, target: string, params: readonly string[]): Promise<Answer> => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const question = { type, target: facts.fold(target), resolve };
    questions.add(question);
    const cancel = clock.after(ANSWER_MS, () => resolve(undefined));
    if (!(await write(writeLine("CHATHISTORY", params)))) resolve(undefined);
    return promise.finally(() => {
      cancel();
      questions.delete(question);
    });
  };
  const page = (): number => Math.min(PAGE, Number(facts.supports("CHATHISTORY")) || PAGE);
  const readPage = (verb: string, target: string, ...selectors: string[]): Promise<Answer> =>
    ask("chathistory", target, [verb, target, ...selectors]);

  const catchUpWith = async (target: string, since: number, giveOn: (line: Line) => void): Promise<boolean> => {
    let from = `timestamp=${new Date(since).toISOString()}`;
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const answer = await readPage("AFTER", target, from, String(page()));
      if (answer === undefined) return false;
      const lines = linesOf(answer);
      for (const line of lines) giveOn(line);
      const last = lines.at(-1);
      if (!last || lines.length < page()) return true;
      from = last.tags.has("msgid") ? `msgid=${last.tags.get("msgid")}` : `timestamp=${last.tags.get("time")}`;
    }
    log.warn(`more was written in ${target} while we were away than is taken up; the newest part is left out`);
    return true;
  };
  return {
    async catchUp(since, giveOn) {
      const from = `timestamp=${new Date(since).toISOString()}`;
      const until = `timestamp=${new Date(clock.now() + 86_400_000).toISOString()}`;
      const listed = await ask("draft/chathistory-targets", "", ["TARGETS", from, until, String(MOST_TARGETS)]);
      let isComplete = listed !== undefined;
      for (const { params } of linesOf(listed)) {
        isComplete = (await catchUpWith(params[1] ?? "*", since, giveOn)) && isComplete;
      }
      return isComplete;
    },
    async read(target, { limit, before, after }) {
      const count = String(Math.max(1, Math.min(limit, page())));
      const [verb, ...selectors] = selectorsFor(before, after);
      const lines = await readPage(verb, target, ...selectors, count);
      if (lines === undefined || lines === "refused")
        throw new GatewayError("CHANNEL_REFUSED", `the server gives out no history of ${target}`);
      return lines.flatMap((line) => readMessage(line, facts));
    },
    async findSent({ key, target }) {
      const lines = await readPage("LATEST", target.to, "*", String(Math.min(RECENT, page())));
      const found = linesOf(lines).find((line) => line.tags.get(KEY_TAG) === key && isOurs(line, facts));
      return found ? { kind: "sent", messageId: found.tags.get("msgid") ?? key } : undefined;
    },
    takeBatch({ type, target, lines }) {
      const question = [...questions].find((asked) => asked.type === type && asked.target === facts.fold(target));
      question?.resolve(lines);
    },
    hear({ command, params }) {
      if (command !== "FAIL" || params[0] !== "CHATHISTORY") return;
      const [first] = questions;
      first?.resolve("refused");
    },
  };
}

function linesOf(answer: Answer): readonly Line[] {
  return answer === undefined || answer === "refused" ? [] : answer;
}

function selectorsFor(before: string | undefined, after: string | undefined): [string, ...string[]] {
  if (before !== undefined && after !== undefined) return ["BETWEEN", `msgid=${after}`, `msgid=${before}`];
  if (before !== undefined) return ["BEFORE", `msgid=${before}`];
  return after === undefined ? ["LATEST", "*"] : ["AFTER", `msgid=${after}`];
}

function readMessage(line: Line, facts: ServerFacts): ChatMessage[] {
  const sender = line.source && senderFrom(line.source, line.tags.get("account"), line.tags.has("bot"));
  if (line.command !== "PRIVMSG" || !sender) return [];
  return [
    {
      id: line.tags.get("msgid") ?? "",
      at: timeOf(line) ?? 0,
      sender,
      text: stripCodes(line.params[1] ?? ""),
      isOurs: isOurs(line, facts),
    },
  ];
}
