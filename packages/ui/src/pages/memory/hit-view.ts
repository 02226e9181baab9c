// One thing that was found: where it is from, how well it fits and why, and the words in it that were looked for.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { shortKey } from "../../state/session-title.ts";
import type { InOtherWords, Sections, Words } from "../../words/index.ts";
import { excerptOf } from "./mark-words.ts";
import { linkTo, type ChosenAgent } from "./place.ts";

export type Hit = MethodAnswer<"memory.search">["results"][number];

interface HitContext {
  readonly query: string;
  readonly agent: ChosenAgent;
  readonly words: InOtherWords<Sections["memory"]>;
  readonly format: Words;
}

export function renderHit(hit: Hit, shown: HitContext): TemplateResult {
  const goal = goalOf(hit, shown.agent);
  const content = html`<span class="memory-hit-head">
      ${icon(hit.source === "memory" ? "file" : "chat")} ${renderPlace(hit, shown)} ${renderScore(hit, shown)}
    </span>
    <span class="memory-snippet"
      >${excerptOf(hit.snippet, shown.query).map(({ text, isMarked }) => (isMarked ? html`<mark>${text}</mark>` : text))}</span
    >`;
  return html`<li class="memory-hit">${goal ? html`<a href=${goal}>${content}</a>` : html`<div>${content}</div>`}</li>`;
}

/** The note at its line, or the conversation at its message. */
function goalOf({ source, path, startLine, sessionKey, entryId }: Hit, agent: ChosenAgent): string | undefined {
  if (source === "memory") return linkTo(agent, ["notes", path], { line: String(startLine) });
  return sessionKey ? writeRoute("chat", [sessionKey], entryId ? { entry: entryId } : {}) : undefined;
}

function renderPlace(
  { source, path, startLine, endLine, sessionKey, at }: Hit,
  { words, format }: HitContext,
): TemplateResult {
  if (source === "memory") {
    return html`<strong class="mono cut">${path}</strong><span>${words.lines(startLine, endLine)}</span>`;
  }
  return html`<strong class="cut">${sessionKey ? shortKey(sessionKey) : path}</strong>
    ${at === undefined ? nothing : html`<time title=${format.date(at)}>${format.ago(at)}</time>`}`;
}

function renderScore({ score, textScore, vectorScore }: Hit, { words, format }: HitContext): TemplateResult {
  const percent = (share: number): string => format.number(share, { style: "percent" });
  return html`<span class="memory-scores">
    ${textScore === undefined ? nothing : html`<span>${words.scoreWords(percent(textScore))}</span>`}
    ${vectorScore === undefined ? nothing : html`<span>${words.scoreMeaning(percent(vectorScore))}</span>`}
    <span class="badge">${words.score(percent(score))}</span>
  </span>`;
}
