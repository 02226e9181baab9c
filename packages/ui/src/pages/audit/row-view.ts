// One event in the list: what, who, where, how it went; a click opens all that is known of it.
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { styled } from "../../parts/styled.ts";
import { shortKey } from "../../state/session-title.ts";
import type { Words } from "../../words/index.ts";
import { ACTION_ICONS, briefOf, nameOf, targetOf, type AuditWords, type Names } from "./event-words.ts";
import type { AuditRecord } from "./filter.ts";

export interface RowWorld {
  readonly words: AuditWords;
  readonly format: Words;
  readonly names: Names;
  readonly canExplain: boolean;
  /** The address of one event. */
  hrefOf(seq: number): string;
}

export interface RowPlace {
  readonly index: number;
  readonly start: number;
  /** Tab comes to one row only; the arrows lead to the others. */
  readonly isTabStop: boolean;
}

const TONES = { ok: "", denied: "warn", failed: "bad" } as const;

export function renderRow(record: AuditRecord, { index, start, isTabStop }: RowPlace, world: RowWorld): TemplateResult {
  const { words, format, names } = world;
  const { outcome, action, actor } = record;
  const who = nameOf(actor, words, names);
  const brief = briefOf(record, words, format);
  const when = timeText(record.at, format);
  return html`<div
    class="long-row audit-row"
    role="row"
    aria-rowindex=${index + 2}
    data-index=${index}
    data-outcome=${outcome}
    ${styled({ translate: `0 ${start}px` })}
  >
    <div class="audit-when" role="cell"><time title=${fullTime(record.at, format)}>${when}</time></div>
    <div class="audit-what" role="cell">
      ${icon(ACTION_ICONS[action])}
      <a href=${world.hrefOf(record.seq)} tabindex=${isTabStop ? "0" : "-1"}>
        <span class="audit-target cut">${targetOf(record, words, names)}</span>
        <span class="audit-brief cut">${[words[`action_${action}`], brief].filter(Boolean).join(" · ")}</span>
        <span class="audit-short cut">${[words[`action_${action}`], who, when].join(" · ")}</span>
      </a>
    </div>
    <div class="audit-who cut" role="cell" title=${actor}>${who}</div>
    <div class="audit-where cut" role="cell">${renderWhere(record, world)}</div>
    <div class="audit-outcome" role="cell">
      <span class="badge ${TONES[outcome]}">${words[`outcome_${outcome}`]}</span>
    </div>
    <div class="audit-explain" role="cell">${renderExplain(record, world)}</div>
  </div>`;
}

/** Reached by the keyboard in the event's own window. */
function renderWhere({ sessionKey, channel }: AuditRecord, { names }: RowWorld): TemplateResult | string {
  if (sessionKey) {
    return html`<a href=${writeRoute("chat", [sessionKey])} tabindex="-1" title=${sessionKey}
      >${shortKey(sessionKey)}</a
    >`;
  }
  return channel ? names.channel(channel) : "";
}

function renderExplain({ traceId }: AuditRecord, { words, canExplain }: RowWorld): TemplateResult | typeof nothing {
  if (!traceId || !canExplain) return nothing;
  return html`<a
    class="button quiet square small"
    href=${writeRoute("explain", [traceId])}
    tabindex="-1"
    aria-label=${words.explainThis}
    title=${words.explainThis}
    >${icon("explain")}</a
  >`;
}

/** Of today, the time alone. */
function timeText(at: number, format: Words): string {
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return format.date(
    at,
    isToday ? clock : { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  );
}

export function fullTime(at: number, format: Words): string {
  return format.date(at, { dateStyle: "medium", timeStyle: "medium" });
}
