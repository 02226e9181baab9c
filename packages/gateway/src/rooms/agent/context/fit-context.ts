// Chooses the newest part of a conversation that fits into the model's window and is legal to send.
import type { AgentMessage, UserMessage } from "@chela/sdk";
import { estimateMessage, type CountMessage } from "./count-tokens.ts";
import { toUnits, type Unit } from "./legal.ts";

export interface ContextWindow {
  readonly contextTokens: number;
  /** Kept free for the prompt's other parts and the answer. */
  readonly reserveTokens: number;
  readonly count?: CountMessage;
  /** This many messages at the beginning always stay, such as the summary of what was before. */
  readonly pinned?: number;
}

const OPENING = "(The conversation begins with the message below.)";

/** The newest turn is always part of it, even when it alone is too long: cutting it is not decided here. */
export function fitContext(messages: readonly AgentMessage[], window: ContextWindow): AgentMessage[] {
  const { contextTokens, reserveTokens, count = estimateMessage, pinned = 0 } = window;
  const head = toUnits(messages.slice(0, pinned));
  const units = toUnits(messages.slice(pinned));
  const budget = Math.max(0, contextTokens - reserveTokens) - tokensOf(head, count);
  const first = firstThatFits(units, budget, count);
  const kept = head.length === 0 && first === 0 ? units : [...head, ...units.slice(first)];
  return flatten(beginWithUser(kept));
}

function firstThatFits(units: readonly Unit[], budget: number, count: CountMessage): number {
  let start = units.length;
  for (let left = budget; start > 0; start--) {
    left -= tokensOfUnit(units[start - 1], count);
    if (left < 0) break;
  }
  if (start === 0) return 0;
  const begin = units.findIndex((unit, at) => at >= start && isUser(unit));
  return begin >= 0 ? begin : Math.max(0, units.findLastIndex(isUser));
}

/** An answer may come first when it was not asked for, such as a reminder. Nothing that was said is dropped for that. */
function beginWithUser(units: readonly Unit[]): readonly Unit[] {
  const first = units[0];
  if (!first || isUser(first)) return units;
  const opening: UserMessage = { role: "user", content: OPENING, timestamp: first[0].timestamp };
  return [[opening], ...units];
}

function isUser(unit: Unit): boolean {
  return unit[0].role === "user";
}

function tokensOf(units: readonly Unit[], count: CountMessage): number {
  let tokens = 0;
  for (const unit of units) tokens += tokensOfUnit(unit, count);
  return tokens;
}

function tokensOfUnit(unit: Unit | undefined, count: CountMessage): number {
  let tokens = 0;
  for (const message of unit ?? []) tokens += count(message);
  return tokens;
}

/** Runs for every request over the whole conversation: nothing is made that is not needed. */
function flatten(units: readonly Unit[]): AgentMessage[] {
  const messages: AgentMessage[] = [];
  for (const unit of units) for (const message of unit) messages.push(message);
  return messages;
}
