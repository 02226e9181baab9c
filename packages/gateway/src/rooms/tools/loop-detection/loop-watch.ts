// Watches the tool calls of one turn: warns a model that goes in circles, and stops it before it costs a fortune.
import type { ToolCallBlock, ToolOutput } from "@chela/sdk";
import { fingerprint } from "./fingerprint.ts";
import type { LoopSettings } from "./settings.ts";
import { countNoProgress, countRepeats, findPingPong, type PastCall } from "./streaks.ts";

type Call = Pick<ToolCallBlock, "name" | "arguments" | "unreadable">;

export interface LoopWatch {
  /** Asked before every call. A message is written for the model. */
  before(call: Call): { readonly kind: "go" } | { readonly kind: "block"; readonly message: string };
  /** Told after every call that was made. */
  after(call: Call, result: Pick<ToolOutput, "content">): { readonly warning?: string };
  /** Why the turn should end, when its model goes on with calls that are refused as going in circles; for a person. */
  verdict(): string | undefined;
}

const GO = { kind: "go" } as const;
/** Refused in a row: a model that has not understood by then does not. */
const MOST_REFUSALS = 3;

export function createLoopWatch(settings: LoopSettings): LoopWatch {
  const history: PastCall[] = [];
  /** The last multiple of the threshold a warning was given for. */
  const warned = new Map<string, number>();
  let calls = 0;
  /** The call that was made last, and how often without another in between, whatever came of it. */
  let streak = { key: "", count: 0 };
  let refusals = 0;
  let verdict: string | undefined;

  const judge = (call: Call): Refusal | undefined => {
    if (calls > settings.maxCalls) return tooMany(settings.maxCalls);
    if (!settings.enabled) return undefined;
    const key = keyOf(call);
    const isEndless = streak.key === key && streak.count >= settings.breakAt * CHANGING && !isPolling(call);
    if (isEndless && settings.detectors.genericRepeat) return overAndOver(call.name, streak.count);
    return findBlock(history, call, key, settings);
  };

  const warnOnce = ({ about, count, text }: Finding): { readonly warning?: string } => {
    const bucket = Math.floor(count / settings.warnAt);
    if (bucket <= (warned.get(about) ?? 0)) return {};
    warned.set(about, bucket);
    return { warning: text };
  };

  return {
    before(call) {
      calls++;
      const refusal = judge(call);
      refusals = refusal === undefined ? 0 : refusals + 1;
      if (refusal === undefined) return GO;
      if (refusals >= MOST_REFUSALS) verdict ??= refusal.why;
      return { kind: "block", message: `${refusal.why}. ${refusal.advice}` };
    },
    after(call, result) {
      if (!settings.enabled) return {};
      const key = keyOf(call);
      streak = { key, count: streak.key === key ? streak.count + 1 : 1 };
      history.push({ key, outcome: fingerprint(result.content.map(seenOf)) });
      if (history.length > settings.historySize) history.shift();
      const found = findWarning(history, call, key, settings);
      return found ? warnOnce(found) : {};
    },
    verdict: () => verdict,
  };
}

/** A call whose result changes may be getting somewhere, so it is allowed this many times as often. */
const CHANGING = 2;

function keyOf(call: Call): string {
  return `${call.name}:${fingerprint(call.unreadable ?? call.arguments)}`;
}

/** The part of a result that a model sees. */
function seenOf(block: ToolOutput["content"][number]): unknown {
  return block.type === "text" ? block.text : block.data;
}

interface Refusal {
  /** What happened. */
  readonly why: string;
  /** What the model should do now. */
  readonly advice: string;
}

function findBlock(history: readonly PastCall[], call: Call, key: string, settings: LoopSettings): Refusal | undefined {
  const noProgress = countNoProgress(history, key);
  if (noProgress >= settings.breakAt) return sameAgain(call.name, noProgress);
  if (settings.detectors.polling && isPolling(call) && noProgress >= settings.blockAt) {
    return sameAgain(call.name, noProgress);
  }
  const pingPong = findPingPong(history);
  // Both calls of the pair are refused: a refused one is not in the history, so the other would start the pair anew.
  const goesOn = settings.detectors.pingPong && pingPong.stuck && pingPong.pair.includes(key);
  return goesOn && pingPong.length >= settings.blockAt ? toAndFro(pingPong.length) : undefined;
}

interface Finding {
  /** The loop it is about, so that it is not mentioned with every call. */
  readonly about: string;
  readonly count: number;
  readonly text: string;
}

/** The history already holds the call. */
function findWarning(
  history: readonly PastCall[],
  call: Call,
  key: string,
  { detectors, warnAt }: LoopSettings,
): Finding | undefined {
  if (isPolling(call)) {
    const count = countNoProgress(history, key);
    if (detectors.polling && count >= warnAt)
      return { about: `polling ${key}`, count, text: waitLonger(call.name, count) };
  }
  const { length, pair } = findPingPong(history);
  if (detectors.pingPong && length >= warnAt) {
    return { about: pair.toSorted().join(" "), count: length, text: goingInCircles(length) };
  }
  const count = countRepeats(history, key);
  if (!detectors.genericRepeat || isPolling(call) || count < warnAt) return undefined;
  return { about: `repeating ${key}`, count, text: repeated(call.name, count) };
}

/** Asking again is the point of these, so only a lack of news counts. */
function isPolling({ name, arguments: args }: Call): boolean {
  if (name === "command_status") return true;
  return name === "process" && (args.action === "poll" || args.action === "log");
}

const waitLonger = (name: string, count: number): string =>
  `${name} has given the same result ${count} times. Wait longer before you ask again, or tell the person that it is still running.`;

const goingInCircles = (count: number): string =>
  `The last ${count} calls went to and fro between the same two. Try something else, or tell the person what is in the way.`;

const repeated = (name: string, count: number): string =>
  `${name} was called ${count} times with the same arguments. If that does not help, try something else, or tell the person what is in the way.`;

const ELSE = "Do something else, or tell the person what is in the way.";

const sameAgain = (name: string, count: number): Refusal => ({
  why: `${name} gave the same result ${count} times for these arguments, so it was not called again`,
  advice: ELSE,
});

const overAndOver = (name: string, count: number): Refusal => ({
  why: `${name} was called ${count} times in a row with the same arguments, so it was not called again`,
  advice: ELSE,
});

const toAndFro = (count: number): Refusal => ({
  why: `the last ${count} calls went to and fro between the same two without any change, so this one was not made`,
  advice: ELSE,
});

const tooMany = (limit: number): Refusal => ({
  why: `this turn has made ${limit} tool calls, which is all it may make`,
  advice: "Answer now with what you have, and say what is left to do.",
});
