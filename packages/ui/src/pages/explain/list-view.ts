// The turns there were, the newest first.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { KnownNames } from "../../state/known-names.ts";
import { sessionTitle, shortKey } from "../../state/session-title.ts";
import { Ticking } from "../../state/ticking.ts";
import "../../parts/picker.ts";

type Run = MethodAnswer<"runs.list">["runs"][number];
type Query = Readonly<Record<string, string>>;

const STATES = ["queued", "running", "done", "error"] as const;
const PAGE = 50;
const MOST_SESSIONS = 200;
const TICK_MS = 20_000;
const MINUTE_MS = 60_000;

/** `<chela-explain-list .world .query>`: the query of the page's address holds the filters. */
class RunList extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, query: { attribute: false } };
  declare query: Query;
  readonly #names = new KnownNames(this, () => this.world);
  readonly #runs = this.asking(() => {
    const { session, before } = this.query;
    const state = this.#state;
    const params = {
      limit: PAGE,
      ...(session ? { sessionKey: session } : {}),
      ...(state ? { state } : {}),
      ...(before && /^\d+$/.test(before) ? { before: Number(before) } : {}),
    };
    return { method: "runs.list", params, topics: ["runs"] };
  });
  readonly #sessions = this.asking(() => ({
    method: "sessions.list",
    params: { limit: MOST_SESSIONS, includeDerivedTitles: true },
    topics: ["sessions"],
  }));

  constructor() {
    super();
    this.addController(new Ticking(this, TICK_MS));
  }

  get #state(): (typeof STATES)[number] | undefined {
    return STATES.find((state) => state === this.query["state"]);
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#runs.again() };
    return html`<p class="muted explain-intro">${this.words("explain").intro}</p>
      ${this.#renderFilters()} ${renderAsked(this.#runs.state, ({ runs }) => this.#renderRuns(runs), retry)}`;
  }

  #renderFilters(): TemplateResult {
    const words = this.words("explain");
    const { session } = this.query;
    const states = [
      { id: "", label: words.state_all },
      ...STATES.map((state) => ({ id: state, label: words[`state_${state}`] })),
    ];
    const sessions = [{ id: "", label: words.allSessions }, ...this.#sessionChoices()];
    return html`<div class="row wrap explain-filters" role="group" aria-label=${words.filters}>
      <chela-picker
        label=${words.state}
        text=${states.find(({ id }) => id === (this.#state ?? ""))?.label ?? ""}
        .choices=${states}
        .chosen=${this.#state}
        @picker-choose=${(event: CustomEvent<PickerChoice>) => this.#filter("state", event.detail.id)}
      ></chela-picker>
      <chela-picker
        label=${words.session}
        text=${session ? this.#titleOf(session) : words.allSessions}
        searchLabel=${words.searchSessions}
        .choices=${sessions}
        .chosen=${session}
        @picker-choose=${(event: CustomEvent<PickerChoice>) => this.#filter("session", event.detail.id)}
      ></chela-picker>
    </div>`;
  }

  #sessionChoices(): PickerChoice[] {
    return (this.#sessions.value?.sessions ?? []).map((row) => ({
      id: row.key,
      label: sessionTitle(row),
      hint: shortKey(row.key),
    }));
  }

  #titleOf(key: string): string {
    const row = this.#sessions.value?.sessions.find((session) => session.key === key);
    return row ? sessionTitle(row) : shortKey(key);
  }

  #renderRuns(runs: readonly Run[]): TemplateResult {
    if (runs.length === 0) return this.#renderNone();
    return html`<ul class="card explain-runs">
        ${repeat(
          runs,
          ({ runId }) => runId,
          (run) => html`<li>${this.#renderRun(run)}</li>`,
        )}
      </ul>
      ${this.#renderPaging(runs)}`;
  }

  #renderRun(run: Run): TemplateResult {
    const words = this.words("explain");
    const format = this.world.words;
    const state = run.status === "aborted" ? "aborted" : run.status === "error" ? "error" : run.state;
    const took = run.startedAt !== undefined && run.endedAt !== undefined ? run.endedAt - run.startedAt : undefined;
    const facts = [
      this.#titleOf(run.sessionKey),
      this.#names.channel(run.channel, words.ownChannel),
      ...(run.model ? [run.model] : []),
    ];
    const numbers = [
      ...(took === undefined ? [] : [format.duration(took)]),
      ...(run.cost ? [format.money(run.cost)] : []),
    ];
    return html`<a class="explain-run" href=${writeRoute("explain", [run.runId])}>
      <i class="explain-dot" data-state=${state}></i>
      <span class="explain-run-words">
        <span class="cut">${run.preview.trim() || words.noText}</span>
        <small class="cut">${run.error ?? facts.join(" · ")}</small>
      </span>
      <span class="explain-run-end">
        <span>${words[`state_${state}`]}</span>
        <small>${numbers.join(" · ")}</small>
      </span>
      <time class="explain-run-when" title=${format.date(run.receivedAt)}>${this.#when(run.receivedAt)}</time>
    </a>`;
  }

  /** Seconds are not told: they would be wrong a moment later. */
  #when(ms: number): string {
    return Date.now() - ms < MINUTE_MS ? this.words("explain").justNow : this.world.words.ago(ms);
  }

  #renderPaging(runs: readonly Run[]): TemplateResult | typeof nothing {
    const words = this.words("explain");
    const { before, ...rest } = this.query;
    const last = runs.at(-1);
    const hasMore = runs.length === PAGE && last !== undefined;
    if (!before && !hasMore) return nothing;
    return html`<nav class="row explain-paging">
      ${before ? html`<a class="button" href=${writeRoute("explain", [], rest)}>${icon("chevronUp")}${words.newest}</a>` : nothing}
      ${
        hasMore
          ? html`<a class="button" href=${writeRoute("explain", [], { ...rest, before: String(last.receivedAt) })}
              >${icon("chevronDown")}${words.older}</a
            >`
          : nothing
      }
    </nav>`;
  }

  #renderNone(): TemplateResult {
    const words = this.words("explain");
    const isFiltered = Object.keys(this.query).length > 0;
    return html`<section class="card empty">
      <span class="explain-empty-icon">${icon("explain")}</span>
      <h2>${isFiltered ? words.noneFits : words.none}</h2>
      ${
        isFiltered
          ? html`<a class="button" href=${writeRoute("explain")}>${words.clear}</a>`
          : html`<p>${words.noneHint}</p>
              <a class="button primary" href=${writeRoute("chat")}>${words.startChat}</a>`
      }
    </section>`;
  }

  /** Another filter begins with the newest again. */
  #filter(name: "state" | "session", value: string): void {
    const { before: _before, [name]: _old, ...rest } = this.query;
    this.world.router.replace("explain", [], value ? { ...rest, [name]: value } : rest);
  }
}

customElements.define("chela-explain-list", RunList);
