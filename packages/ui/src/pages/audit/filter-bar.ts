// The line above the list: what to look for, which kind, how it went, whose doing, where and when.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { sessionTitle, shortKey } from "../../state/session-title.ts";
import { ACTIONS, EVERYTHING, isNarrow, OUTCOMES, readFilter, SPANS, writeFilter, type AuditFilter } from "./filter.ts";
import "../../parts/picker.ts";

/** Not with every letter. */
const PAUSE_MS = 200;
const MOST_SESSIONS = 200;
const SHORT_ID = 8;

type Chosen = "action" | "outcome" | "actor" | "session" | "span";

/** `<chela-audit-filters .world .filter .actors @filter-change>`: the event's detail is the new filter. */
class AuditFilters extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    filter: { attribute: false },
    actors: { attribute: false },
    agentName: { attribute: false },
    channelName: { attribute: false },
  };
  declare filter: AuditFilter;
  /** By the actor's id, what each is called. */
  declare actors: ReadonlyMap<string, string>;
  declare agentName: (id: string) => string;
  declare channelName: (id: string) => string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #sessions = this.asking(() =>
    this.world.wire.has("sessions.list")
      ? {
          method: "sessions.list",
          params: { limit: MOST_SESSIONS, includeDerivedTitles: true },
          topics: ["sessions"],
        }
      : undefined,
  );

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override updated(changed: Map<string, unknown>): void {
    const box = this.#box;
    // What somebody is typing is newer than what the address says.
    if (changed.has("filter") && box && box !== document.activeElement) box.value = this.filter.text;
  }

  override render(): TemplateResult {
    const words = this.words("audit");
    return html`<div class="audit-filters">
      <label class="search-field">
        <span class="seen-by-readers">${words.search}</span>
        ${icon("search")}
        <input
          class="input"
          type="search"
          autocomplete="off"
          maxlength="200"
          placeholder=${words.search}
          @input=${(event: Event) => this.#typed((event.target as HTMLInputElement).value)}
        />
      </label>
      <div class="audit-chips" role="group" aria-label=${words.filters}>
        ${this.#renderChip("action", words.kind, words.allKinds, this.#actions())}
        ${this.#renderChip("outcome", words.outcome, words.allOutcomes, this.#outcomes())}
        ${this.#renderChip("actor", words.actor, words.allActors, this.#actors(), words.searchActors)}
        ${this.#renderChip("session", words.session, words.allSessions, this.#conversations(), words.searchSessions)}
        ${this.#renderChip("span", words.time, words.anyTime, this.#spans())} ${this.#renderFixed()}
        ${isNarrow(this.filter) ? this.#renderClear() : nothing}
      </div>
      ${this.filter.span === "own" ? this.#renderTimes() : nothing}
    </div>`;
  }

  #renderChip(
    field: Chosen,
    label: string,
    all: string,
    choices: readonly PickerChoice[],
    searchLabel?: string,
  ): TemplateResult {
    const chosen = this.filter[field];
    const text = chosen === "" ? all : (choices.find(({ id }) => id === chosen)?.label ?? shortKey(chosen));
    return html`<chela-picker
      class="audit-chip"
      ?data-chosen=${chosen !== ""}
      label=${label}
      text=${text}
      .searchLabel=${searchLabel}
      .choices=${[{ id: "", label: all }, ...choices]}
      .chosen=${chosen}
      @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => this.#change({ [field]: detail.id })}
    ></chela-picker>`;
  }

  /** What can be chosen elsewhere only: it can be taken away here. */
  #renderFixed(): TemplateResult[] {
    const words = this.words("audit");
    const { agent, channel, trace } = this.filter;
    const fixed = [
      ...(agent ? [{ field: "agent", text: words.onlyAgent(this.agentName(agent)) }] : []),
      ...(channel ? [{ field: "channel", text: words.onlyChannel(this.channelName(channel)) }] : []),
      ...(trace ? [{ field: "trace", text: words.onlyRun(trace.slice(0, SHORT_ID)) }] : []),
    ];
    return fixed.map(
      ({ field, text }) =>
        html`<button
          class="button small audit-fixed"
          aria-label=${words.without(text)}
          title=${words.without(text)}
          @click=${() => this.#change({ [field]: "" })}
        >
          ${text}${icon("close")}
        </button>`,
    );
  }

  #renderClear(): TemplateResult {
    return html`<button class="button quiet small" @click=${() => this.clear()}>
      ${icon("close")}${this.words("audit").clear}
    </button>`;
  }

  #renderTimes(): TemplateResult {
    const words = this.words("audit");
    const field = (name: "from" | "to"): TemplateResult =>
      html`<label class="row">
        <span>${words[name]}</span>
        <input
          class="input"
          type="datetime-local"
          .value=${this.filter[name]}
          @change=${(event: Event) => this.#change({ [name]: (event.target as HTMLInputElement).value })}
        />
      </label>`;
    return html`<div class="audit-times">${field("from")} ${field("to")}</div>`;
  }

  clear(): void {
    const box = this.#box;
    if (box) box.value = "";
    this.#change(EVERYTHING);
  }

  get #box(): HTMLInputElement | null {
    return this.querySelector<HTMLInputElement>("input[type=search]");
  }

  #actions(): PickerChoice[] {
    const words = this.words("audit");
    return ACTIONS.map((id) => ({ id, label: words[`action_${id}`] }));
  }

  #outcomes(): PickerChoice[] {
    const words = this.words("audit");
    return (Object.keys(OUTCOMES) as Array<keyof typeof OUTCOMES>).map((id) => ({ id, label: words[`outcome_${id}`] }));
  }

  #spans(): PickerChoice[] {
    const words = this.words("audit");
    const spans = Object.keys(SPANS) as Array<keyof typeof SPANS>;
    return [...spans, "own" as const].map((id) => ({ id, label: words[`span_${id}`] }));
  }

  #actors(): PickerChoice[] {
    return [...this.actors].map(([id, label]) => ({ id, label, hint: id }));
  }

  #conversations(): PickerChoice[] {
    const rows = this.#sessions.value?.sessions ?? [];
    return rows.map((row) => ({ id: row.key, label: sessionTitle(row), hint: shortKey(row.key) }));
  }

  #typed(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#change({ text }), PAUSE_MS);
  }

  #change(change: Readonly<Record<string, string>> | Partial<AuditFilter>): void {
    clearTimeout(this.#timer);
    // What was typed a moment ago counts, too.
    const text = this.#box?.value ?? this.filter.text;
    const detail = readFilter(writeFilter({ ...this.filter, text, ...change }));
    this.dispatchEvent(new CustomEvent("filter-change", { bubbles: true, detail }));
  }
}

export interface AuditFiltersElement extends HTMLElement {
  /** Back to everything. */
  clear(): void;
}

customElements.define("chela-audit-filters", AuditFilters);
