// Body of an open tool card: what was asked, what changes, what is printed, and what came of it.
import type { ShownMessage } from "@chela/sdk/protocol";
import { html, nothing, type TemplateResult } from "lit";
import type { World } from "../../../app/world.ts";
import "../../../parts/editor/diff-view.ts";
import { entryOf } from "../../../state/entry-of.ts";
import { renderChanges } from "./change-view.ts";
import { languageOf } from "../messages/language-of.ts";
import { renderSearchResults, searchResultsOf } from "../search-results.ts";
import {
  fieldsOf,
  resultText,
  textField,
  type Fields,
  type RunningTool,
  type ToolCall,
} from "../../../conversations/tool-call.ts";
import { changesOf, type ToolChanges } from "./tool-changes.ts";
import "../messages/long-text.ts";
import "../messages/message-media.ts";

interface ShownCall {
  readonly world: World;
  readonly sessionKey: string;
  readonly call: ToolCall;
  readonly running: RunningTool | undefined;
  readonly result: ShownMessage | undefined;
}

/** Arguments that are shown in a way of their own. */
const SHOWN_APART: Readonly<Record<string, readonly string[]>> = {
  exec: ["command"],
  read: ["path", "file_path"],
  write: ["path", "file_path", "content"],
  edit: ["path", "file_path", "oldText", "newText", "old_string", "new_string"],
  apply_patch: ["input"],
  web_search: ["query"],
  web_fetch: ["url"],
};
/** Colours of a terminal, and other orders to it. */
// oxlint-disable-next-line no-control-regex
const TERMINAL_ORDERS = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g;

export function renderToolBody(shown: ShownCall): TemplateResult {
  const { call, result } = shown;
  const changes = changesOf(call, result);
  return html`${renderArguments(shown)} ${changes ? renderToolChanges(shown, changes) : nothing}
  ${result ? renderResult(shown, result, changes !== undefined) : renderLive(shown)}`;
}

function renderArguments({ world, call }: ShownCall): TemplateResult {
  const fields = fieldsOf(call.arguments);
  const command = call.name === "exec" ? textField(fields, "command") : undefined;
  const rest = withoutNames(fields, entryOf(SHOWN_APART, call.name) ?? []);
  const label = world.words.of("conversation").arguments;
  return html`${command === undefined ? nothing : renderLong(world, label, command, "bash")}
  ${renderRest(world, label, rest)}`;
}

function renderRest(world: World, label: string, rest: Fields): TemplateResult | typeof nothing {
  const entries = Object.entries(rest);
  if (entries.length === 0) return nothing;
  if (!entries.every(([, value]) => isShort(value)))
    return renderLong(world, label, JSON.stringify(rest, null, 2), "json");
  return html`<dl class="pairs" aria-label=${label}>
    ${entries.map(
      ([name, value]) =>
        html`<dt class="mono">${name}</dt>
          <dd class="mono">${String(value)}</dd>`,
    )}
  </dl>`;
}

function isShort(value: unknown): boolean {
  return typeof value === "string" ? value.length <= 120 && !value.includes("\n") : typeof value !== "object";
}

function renderToolChanges({ world }: ShownCall, changes: ToolChanges): TemplateResult {
  const words = world.words.of("conversation");
  switch (changes.kind) {
    case "lines":
      return changes.lines.length === 0
        ? html`<p class="muted">${words.noChanges}</p>`
        : renderChanges(changes.lines, words.changes);
    case "passages":
      return html`<chela-diff
        .before=${changes.before}
        .after=${changes.after}
        label=${words.changes}
        same=${words.noChanges}
      ></chela-diff>`;
    case "file":
      return renderLong(world, words.changes, changes.text, languageOf(changes.path));
  }
}

function renderLive({ world, running }: ShownCall): TemplateResult | typeof nothing {
  const label = world.words.of("conversation").liveOutput;
  if (!running?.partial) return nothing;
  return html`<chela-long-text
    .world=${world}
    .text=${running.partial.replace(TERMINAL_ORDERS, "")}
    .isLive=${true}
    label=${label}
  ></chela-long-text>`;
}

function renderResult(shown: ShownCall, result: ShownMessage, hasChanges: boolean): TemplateResult | typeof nothing {
  const { world, sessionKey, call } = shown;
  const words = world.words.of("conversation");
  const text = resultText(result).replace(TERMINAL_ORDERS, "");
  const found = call.name === "web_search" ? searchResultsOf(result.details) : [];
  const fetchWhole = result.cut
    ? async (): Promise<string> =>
        resultText(await world.wire.call("chat.entry", { sessionKey, id: result.id })).replace(TERMINAL_ORDERS, "")
    : undefined;
  const media = html`<chela-message-media
    .world=${world}
    .sessionKey=${sessionKey}
    .message=${result}
  ></chela-message-media>`;
  // What a change did is seen in its lines already.
  if (hasChanges && !result.isError) return nothing;
  if (found.length > 0) return renderSearchResults(found);
  if (text === "")
    return html`<p class="muted">${words.noOutput}</p>
      ${media}`;
  return html`<chela-long-text
      class=${result.isError ? "chat-tool-error" : ""}
      .world=${world}
      .text=${text}
      .language=${result.isError ? undefined : languageOfResult(call, text)}
      .fetchWhole=${fetchWhole}
      label=${words.result}
    ></chela-long-text>
    ${media}`;
}

/** Undefined: plain words. */
function languageOfResult({ name, arguments: given }: ToolCall, text: string): string | undefined {
  if (name === "read") return languageOf(textField(fieldsOf(given), "path", "file_path") ?? "") || undefined;
  return /^\s*[{[]/.test(text) && isJson(text) ? "json" : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function renderLong(world: World, label: string, text: string, language: string): TemplateResult {
  return html`<chela-long-text .world=${world} .text=${text} .language=${language} label=${label}></chela-long-text>`;
}

function withoutNames(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
