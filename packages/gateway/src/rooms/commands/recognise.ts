// Tells what in a message is meant for the gateway. Pure, and its answer is plain JSON.
import type { CommandPlace as Place, CommandRequester, CommandSettings, KnownNames } from "@chela/sdk";
import { may } from "./authorise.ts";
import type { Command } from "./command.ts";
import { cutSpans, findTokens, type Span, type Token } from "./find-tokens.ts";
import { isStopWord, matchReset } from "./match.ts";

export interface CommandCall {
  /** The command's own name, whatever was written. */
  readonly name: string;
  readonly args: string;
}

export type Recognition =
  /** Nothing for us. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "stop" }
  | { readonly kind: "command"; readonly call: CommandCall }
  /** Directives and shortcuts, in the order written; `text` is the message without them. */
  | { readonly kind: "inline"; readonly calls: readonly CommandCall[]; readonly text: string }
  /** A command of somebody who may not give it. */
  | { readonly kind: "ignored" };

export interface Vocabulary {
  find(name: string): Command | undefined;
  isModel(ref: string): boolean;
  skillCalled?(word: string): string | undefined;
}

/** More directives than anybody writes; what is beyond stays text. */
const MOST_CALLS = 16;

export function recognise(
  text: string,
  requester: CommandRequester,
  settings: CommandSettings,
  vocabulary: Vocabulary,
): Recognition {
  const trimmed = text.trim();
  const plain: Recognition = { kind: "text", text };
  const isAllowed = (command: Command | undefined) =>
    command !== undefined && may(requester, command, settings).kind !== "denied";

  if (isStopWord(trimmed)) return isAllowed(vocabulary.find("stop")) ? { kind: "stop" } : plain;
  const reset = matchReset(trimmed, settings.resetTriggers ?? []);
  if (reset.kind === "reset") {
    if (isAllowed(vocabulary.find(reset.reason))) return callOf(reset.reason, reset.rest);
    return trimmed.startsWith("/") ? { kind: "ignored" } : plain;
  }

  const lookup = lookupOf(settings, vocabulary);
  const tokens = findTokens(trimmed).filter(({ addressee }) => isForUs(addressee, settings));
  const [first] = tokens;
  const leading = first?.start === 0 ? lookup(first.name, "start") : undefined;
  if (first && leading && !leading.command.inline) {
    if (!isAllowed(leading.command)) return { kind: "ignored" };
    const args = trimmed.slice(first.end).trim();
    if (leading.command.name === "stop") return { kind: "stop" };
    return callOf(leading.command.name, [leading.args ?? "", args].filter((part) => part !== "").join(" "));
  }

  const found = findCalls(trimmed, tokens, lookup, knownNames(settings, vocabulary));
  const allowed = found.filter(({ command }) => isAllowed(command));
  if (allowed.length === 0) {
    const isOnlyCommand = found.length > 0 && cutSpans(trimmed, found) === "";
    return isOnlyCommand ? { kind: "ignored" } : plain;
  }
  const calls = allowed.map(({ command, args }) => ({ name: command.name, args }));
  return { kind: "inline", calls, text: cutSpans(trimmed, allowed) };
}

interface FoundCall extends Span {
  readonly command: Command;
  readonly args: string;
}

interface Meaning {
  readonly command: Command;
  /** What the word itself already says, as the alias of a model does. */
  readonly args?: string;
}

type Lookup = (name: string, place: Place) => Meaning | undefined;

function findCalls(text: string, tokens: readonly Token[], lookup: Lookup, known: KnownNames): FoundCall[] {
  const found: FoundCall[] = [];
  let startEnds = 0;
  let taken = 0;
  for (const token of tokens) {
    if (token.start < taken || found.length >= MOST_CALLS) continue;
    const place: Place = text.slice(startEnds, token.start).trim() === "" ? "start" : "inside";
    const meaning = lookup(token.name, place);
    const call = meaning ? readCall(text, token, meaning, place, known) : undefined;
    if (!call) continue;
    found.push(call);
    taken = call.end;
    if (place === "start") startEnds = call.end;
  }
  return found;
}

function readCall(
  text: string,
  token: Token,
  { command, args }: Meaning,
  place: Place,
  known: KnownNames,
): FoundCall | undefined {
  if (args !== undefined) return { command, args, start: token.start, end: token.end };
  const { inline } = command;
  const behind = text.slice(token.end);
  if (!inline) return undefined;
  // In the middle of a sentence people write about a page or a route of that name.
  if (inline.kind === "shortcut" && place === "inside" && !/^[ \t]*(?:$|\r?\n)/.test(behind)) return undefined;
  const length = inline.take(behind, place, known) ?? (place === "start" ? behind.length : undefined);
  if (length === undefined) return undefined;
  return { command, args: behind.slice(0, length).trim(), start: token.start, end: token.end + length };
}

function lookupOf(settings: CommandSettings, vocabulary: Vocabulary): Lookup {
  const aliases = lowerCaseNames(settings.modelAliases);
  return (name, place) => {
    const command = vocabulary.find(name);
    if (command) {
      // `/t 5` and `/v` are also options of other programs, `/id` is in many routes.
      return place === "inside" && name.length <= 2 ? undefined : { command };
    }
    const skill = place === "start" ? vocabulary.skillCalled?.(name) : undefined;
    const byName = skill === undefined ? undefined : vocabulary.find("skill");
    if (byName) return { command: byName, args: name };
    const model = place === "start" && aliases.has(name) ? vocabulary.find("model") : undefined;
    return model ? { command: model, args: name } : undefined;
  };
}

function knownNames(settings: CommandSettings, vocabulary: Vocabulary): KnownNames {
  const aliases = lowerCaseNames(settings.modelAliases);
  return {
    isModel: (ref) => aliases.has(ref.toLowerCase()) || vocabulary.isModel(ref),
    isCommand: (name) => vocabulary.find(name) !== undefined,
  };
}

const lowerCaseNames = (aliases: CommandSettings["modelAliases"]) =>
  new Set(Object.keys(aliases ?? {}).map((name) => name.toLowerCase()));

const isForUs = (addressee: string | undefined, { botName }: CommandSettings) =>
  addressee === undefined || !botName || addressee.toLowerCase() === botName.replace(/^@/, "").toLowerCase();

const callOf = (name: string, args: string): Recognition => ({ kind: "command", call: { name, args } });
