// Makes old tool results short once the provider's cache has forgotten them anyway. What was pruned stays pruned.
import type { AgentMessage, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultMessage } from "@chela/sdk";
import { clearedForm, keyOf, trimmedForm, withForm, type PrunedForm } from "./pruned-form.ts";
import type { PruningSettings } from "./settings.ts";

/**
 * Which results of a session are sent in which form. It is handed from request to request, so that all requests
 * within the life of the cache begin with the same bytes.
 */
export interface PruningState {
  readonly forms: ReadonlyMap<string, PrunedForm>;
  /** When the last request was made. */
  readonly touchedAt?: number;
}

export interface PruningMoment {
  readonly now: number;
  /** When the cache was last used, as the transcript remembers it; for the first request after a start. */
  readonly lastTouch?: number;
  readonly contextTokens: number;
}

/** What a skill says holds for as long as the conversation does. */
const KEPT_WHOLE = "activate_skill";
const CHARS_PER_TOKEN = 4;
const IMAGE_CHARS = 8000;

export function createPruningState(): PruningState {
  return { forms: new Map() };
}

/** Call it once for each request, with the whole conversation. */
export function pruneContext(
  messages: readonly AgentMessage[],
  state: PruningState,
  moment: PruningMoment,
  settings: PruningSettings,
): { readonly messages: AgentMessage[]; readonly state: PruningState } {
  if (settings.mode === "off") return { messages: [...messages], state: createPruningState() };
  const draft = new PruningDraft(messages, state.forms);
  if (cacheIsCold(state, moment, settings)) pruneMore(draft, moment.contextTokens * CHARS_PER_TOKEN, settings);
  return { messages: draft.messages, state: { forms: draft.forms, touchedAt: moment.now } };
}

function cacheIsCold({ touchedAt }: PruningState, { now, lastTouch }: PruningMoment, { ttlMs }: PruningSettings) {
  const touched = Math.max(touchedAt ?? -Infinity, lastTouch ?? -Infinity);
  return touched !== -Infinity && now - touched >= ttlMs;
}

function pruneMore(draft: PruningDraft, charWindow: number, settings: PruningSettings): void {
  if (charWindow <= 0 || draft.chars / charWindow < settings.softTrimRatio) return;
  const prunable = prunableResults(draft.messages, settings);
  for (const at of prunable) {
    const form = trimmedForm(draft.result(at), settings.softTrim);
    if (form) draft.apply(at, form);
  }
  if (!settings.hardClear.enabled || draft.charsAt(prunable) < settings.minPrunableToolChars) return;
  for (const at of prunable) {
    if (draft.chars / charWindow < settings.hardClearRatio) return;
    const form = clearedForm(draft.result(at), settings.hardClear.placeholder);
    if (form) draft.apply(at, form);
  }
}

/** Indexes of the results that may be shortened, oldest first. */
function prunableResults(messages: readonly AgentMessage[], settings: PruningSettings): number[] {
  const begin = messages.findIndex(({ role }) => role === "user");
  const end = protectedFrom(messages, settings.keepLastAssistants);
  if (begin < 0) return [];
  const isNamed = toolFilter(settings.tools);
  const found: number[] = [];
  for (let at = begin; at < end; at++) {
    const message = messages[at] as AgentMessage;
    if (message.role !== "toolResult") continue;
    const { toolName, content } = message as ToolResultMessage;
    if (toolName !== KEPT_WHOLE && isNamed(toolName) && content.every(({ type }) => type === "text")) found.push(at);
  }
  return found;
}

/** The newest answers and all that came after the oldest of them stay whole; with fewer answers, everything does. */
function protectedFrom(messages: readonly AgentMessage[], answers: number): number {
  if (answers === 0) return messages.length;
  let left = answers;
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at]?.role === "assistant" && --left === 0) return at;
  }
  return 0;
}

function toolFilter({ allow, deny }: PruningSettings["tools"]): (name: string) => boolean {
  const allowed = allow.map(globPattern);
  const denied = deny.map(globPattern);
  return (name) =>
    !denied.some((pattern) => pattern.test(name)) &&
    (allowed.length === 0 || allowed.some((pattern) => pattern.test(name)));
}

function globPattern(glob: string): RegExp {
  const parts = glob
    .trim()
    .split("*")
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "i");
}

/** The conversation while it is being pruned, with its size. */
class PruningDraft {
  readonly messages: AgentMessage[];
  readonly forms = new Map<string, PrunedForm>();
  readonly #originals: readonly AgentMessage[];
  chars = 0;

  /** Forms of messages that are no longer part of the conversation are forgotten. */
  constructor(messages: readonly AgentMessage[], before: ReadonlyMap<string, PrunedForm>) {
    this.#originals = messages;
    this.messages = [...messages];
    for (const [at, message] of messages.entries()) {
      this.chars += charsOf(message);
      const form = message.role === "toolResult" ? before.get(keyOf(message as ToolResultMessage)) : undefined;
      if (form) this.apply(at, form);
    }
  }

  result(at: number): ToolResultMessage {
    return this.messages[at] as ToolResultMessage;
  }

  apply(at: number, form: PrunedForm): void {
    const original = this.#originals[at] as ToolResultMessage;
    this.forms.set(keyOf(original), form);
    this.chars -= charsOf(this.result(at));
    this.messages[at] = withForm(original, form);
    this.chars += charsOf(this.result(at));
  }

  charsAt(indexes: readonly number[]): number {
    return indexes.reduce((sum, at) => sum + charsOf(this.result(at)), 0);
  }
}

function charsOf(message: AgentMessage): number {
  if (typeof message.content === "string") return message.content.length;
  const blocks = message.content as readonly (TextBlock | ImageBlock | ThinkingBlock | ToolCallBlock)[];
  return blocks.reduce((sum, block) => sum + charsOfBlock(block), 0);
}

function charsOfBlock(block: TextBlock | ImageBlock | ThinkingBlock | ToolCallBlock): number {
  if (block.type === "text") return (block as TextBlock).text.length;
  if (block.type === "thinking") return (block as ThinkingBlock).thinking.length;
  if (block.type === "toolCall") return JSON.stringify((block as ToolCallBlock).arguments).length;
  return IMAGE_CHARS;
}
