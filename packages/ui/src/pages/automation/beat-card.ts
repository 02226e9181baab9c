// The heartbeat of one agent: when, what came of it, and what it goes by.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import type { Words } from "../../words/index.ts";
import { beatTone, beatWords, type AutomationWords } from "./beat-words.ts";

export type AgentBeat = MethodAnswer<"heartbeat.status">["agents"][number];

interface BeatWorld {
  /** Whether heartbeats are on at all. */
  readonly isOn: boolean;
  readonly name: string;
  channel(id: string): string;
  readonly texts: AutomationWords;
  readonly words: Words;
  /** Absent where this gateway cannot. */
  readonly wake?: () => void;
}

export function renderBeat(beat: AgentBeat, world: BeatWorld): TemplateResult {
  const { texts, words, isOn, name, wake } = world;
  const beats = isOn && beat.enabled;
  return html`<article class="card automation-beat" aria-label=${name}>
    <header>
      <h2 class="cut">${name}</h2>
      <span class="badge ${beats ? "good" : ""}">${beats ? texts.on : texts.off}</span>
    </header>
    ${renderLast(beat, world)}
    <dl class="pairs">
      ${
        beats && beat.nextAt !== null
          ? renderPair(
              texts.next,
              html`<time datetime=${new Date(beat.nextAt).toISOString()} title=${words.date(beat.nextAt)}
                  >${words.ago(beat.nextAt)}</time
                >
                ${beat.everyMs === null ? nothing : html`<span class="muted">· ${texts.every(words.duration(beat.everyMs))}</span>`}`,
            )
          : nothing
      }
      ${renderPair(texts.tasks, renderTasks(beat, world))} ${renderPair(texts.tells, targetWords(beat, world))}
      ${beat.activeHours ? renderPair(texts.hours, renderHours(beat.activeHours, beat.isActiveNow, texts)) : nothing}
      ${beat.pending > 0 ? renderPair(texts.pending, texts.events(beat.pending)) : nothing}
      ${beat.askedAt === null ? nothing : renderPair(texts.asked, words.ago(beat.askedAt))}
    </dl>
    ${renderTroubles(beat, world)}
    ${
      wake
        ? html`<p>
            <button class="button small" aria-label=${texts.wakeTitle(name)} @click=${wake}>
              ${icon("bell")}${texts.wake}
            </button>
          </p>`
        : nothing
    }
  </article>`;
}

function renderPair(name: string, value: unknown): TemplateResult {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function renderLast({ last }: AgentBeat, { texts, words }: BeatWorld): TemplateResult {
  if (!last) return html`<p class="muted">${texts.noneYet}</p>`;
  return html`<div class="automation-last">
    <p data-tone=${beatTone(last) || nothing}>${beatWords(last, texts)}</p>
    ${last.preview ? html`<blockquote class="muted">${last.preview}</blockquote>` : nothing}
    <p class="hint">
      <time datetime=${new Date(last.ts).toISOString()} title=${words.date(last.ts)}>${words.ago(last.ts)}</time>
    </p>
  </div>`;
}

function renderTasks({ agentId, file }: AgentBeat, { texts, name }: BeatWorld): TemplateResult {
  const does = file === "tasks" ? texts.editTasks : texts.writeTasks;
  return html`${texts[`file_${file}`]} ·
    <a href=${writeRoute("agents", [agentId, "files", "HEARTBEAT.md"])} aria-label="${does}: ${name}">${does}</a>`;
}

function renderHours(
  { start, end, timezone }: NonNullable<AgentBeat["activeHours"]>,
  isActiveNow: boolean,
  texts: AutomationWords,
): TemplateResult {
  const zone = timezone === "local" ? texts.zone_local : timezone;
  return html`${texts.hoursFrom(start, end, zone)}
  ${isActiveNow ? nothing : html`<span class="badge">${texts.asleep}</span>`}`;
}

function renderTroubles(
  { problems, restsUntil }: AgentBeat,
  { texts, words }: BeatWorld,
): TemplateResult | typeof nothing {
  const rests = restsUntil !== null && restsUntil > Date.now() ? [texts.rests(words.ago(restsUntil))] : [];
  const all = [...rests, ...problems];
  if (all.length === 0) return nothing;
  return html`<ul class="automation-troubles">
    ${all.map((text) => html`<li>${icon("warning")}<span>${text}</span></li>`)}
  </ul>`;
}

function targetWords({ target, eventTarget }: AgentBeat, { texts, channel }: BeatWorld): string {
  if (target === "none" && eventTarget !== "none") return texts.target_events;
  const known: Readonly<Record<string, string>> = {
    last: texts.target_last,
    none: texts.target_none,
  };
  return known[target] ?? channel(target);
}
