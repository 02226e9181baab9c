// One row of the list of sessions.
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import { styled } from "../../parts/styled.ts";
import { sessionTitle, shortKey } from "../../state/session-title.ts";
import type { InOtherWords, Sections, Words } from "../../words/index.ts";
import type { SessionRow } from "./filter.ts";
import type { NamesOf } from "./names-of.ts";
import { contextOf, modelOf, type SessionDefaults } from "./session-facts.ts";
import "../../parts/menu.ts";

export type RowAction = "details" | "rename" | "markdown" | "summarise" | "reset" | "remove";

export interface RowWorld {
  readonly texts: InOtherWords<Sections["sessions"]>;
  readonly words: Words;
  readonly defaults: SessionDefaults | undefined;
  readonly names: Pick<NamesOf, "agentName" | "channelName">;
  readonly hasManyAgents: boolean;
  isWorking(key: string): boolean;
  canRemove(key: string): boolean;
  act(action: RowAction, row: SessionRow): void;
}

export interface RowPlace {
  readonly index: number;
  readonly start: number;
  /** Tab comes to one row only; the arrows lead to the others. */
  readonly isTabStop: boolean;
}

export function renderRow(row: SessionRow, { index, start, isTabStop }: RowPlace, world: RowWorld): TemplateResult {
  const { texts, words } = world;
  const title = sessionTitle(row);
  const key = shortKey(row.key);
  const when = row.updatedAt === null ? "" : agoOf(row.updatedAt, words);
  const channel = world.names.channelName(row.channel ?? row.lastChannel);
  const agent = world.names.agentName(row.agentId);
  const tabIndex = isTabStop ? "0" : "-1";
  return html`<div
    class="long-row sessions-row"
    role="row"
    aria-rowindex=${index + 2}
    data-index=${index}
    ${styled({ translate: `0 ${start}px` })}
  >
    <div class="sessions-title" role="cell">
      <a class="cut" href=${writeRoute("chat", [row.key])} tabindex=${tabIndex} title=${title}>
        ${world.isWorking(row.key) ? html`<i class="sessions-working"><span class="seen-by-readers">${texts.working}: </span></i>` : nothing}${renderChild(row, world)}${title}
      </a>
      ${key === title ? nothing : html`<span class="sessions-key mono cut">${key}</span>`}
      <span class="sessions-brief cut"
        >${[...(world.hasManyAgents ? [agent] : []), channel, when].filter(Boolean).join(" · ")}</span
      >
    </div>
    <div class="sessions-agent cut" role="cell">${agent}</div>
    <div class="sessions-channel cut" role="cell">${channel}</div>
    <div class="sessions-when cut" role="cell" title=${row.updatedAt === null ? nothing : words.date(row.updatedAt)}>
      ${when}
    </div>
    <div class="sessions-context" role="cell">${renderContext(row, world)}</div>
    <div class="sessions-model cut" role="cell">${renderModel(row, world)}</div>
    <div class="sessions-more" role="cell">
      <chela-menu
        label=${texts.actionsFor(title)}
        .icon=${"more"}
        .choices=${choicesFor(row, world)}
        @menu-choose=${({ detail }: CustomEvent<{ id: RowAction }>) => world.act(detail.id, row)}
      ></chela-menu>
    </div>
  </div>`;
}

/** A sub-agent is told apart from conversations with people. */
function renderChild({ spawnedBy }: SessionRow, { texts }: RowWorld): TemplateResult | typeof nothing {
  if (!spawnedBy) return nothing;
  return html`<span class="sessions-child" title=${texts.childOf(shortKey(spawnedBy))}
    >${icon("branch")}<span class="seen-by-readers">${texts.child}: </span></span
  >`;
}

/** Seconds would be wrong again before anybody has read them. */
function agoOf(ms: number, words: Words): string {
  const now = Date.now();
  return words.ago(now - ms < 60_000 ? now : ms, now);
}

/** While it is on its way. */
export function renderAwaited({ index, start }: RowPlace): TemplateResult {
  return html`<div
    class="long-row sessions-row sessions-awaited"
    role="row"
    aria-rowindex=${index + 2}
    data-index=${index}
    ${styled({ translate: `0 ${start}px` })}
  >
    <div class="sessions-title" role="cell"><i></i><i></i></div>
  </div>`;
}

function renderContext(row: SessionRow, { words, texts, defaults }: RowWorld): TemplateResult | typeof nothing {
  const context = contextOf(row, defaults);
  if (!context) return nothing;
  const { used, room, share } = context;
  if (share === undefined) return html`${words.compact(used)}`;
  const percent = words.number(share, { style: "percent", maximumFractionDigits: 0 });
  return html`<span
    class="sessions-bar"
    ?data-full=${share >= 0.8}
    title=${texts.contextUsed(words.number(used), words.number(room ?? 0))}
  >
    <i aria-hidden="true" ${styled({ "--share": `${Math.min(1, share) * 100}%` })}></i>
    <span>${words.compact(used)}</span> <span class="muted">${percent}</span>
  </span>`;
}

function renderModel(row: SessionRow, { defaults }: RowWorld): TemplateResult | typeof nothing {
  const model = modelOf(row, defaults);
  if (!model) return nothing;
  return html`<span class=${model.isChosen ? "" : "muted"} title=${model.ref}>${model.id}</span>`;
}

function choicesFor({ key }: SessionRow, { texts, canRemove }: RowWorld): MenuChoice[] {
  const choices: Array<MenuChoice & { readonly id: RowAction }> = [
    { id: "details", label: texts.details, icon: "config" },
    { id: "rename", label: texts.rename, icon: "edit" },
    { id: "markdown", label: texts.export, icon: "download" },
    { id: "summarise", label: texts.summarise, icon: "memory" },
    { id: "reset", label: texts.reset, icon: "retry" },
  ];
  return canRemove(key)
    ? [...choices, { id: "remove", label: texts.remove, icon: "trash", isDangerous: true }]
    : choices;
}
