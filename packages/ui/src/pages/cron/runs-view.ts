// The runs of a job, the newest first: carried out, arrived, how long, what came of it, and where to look further.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { KnownNames } from "../../state/known-names.ts";
import { Ticking } from "../../state/ticking.ts";
import { renderRun } from "./run-row.ts";

type Runs = MethodAnswer<"cron.runs">;

const PAGE_SIZE = 25;
const TICK_MS = 20_000;

/** `<chela-cron-runs .world .jobId .page>` */
class RunsView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    jobId: { attribute: false },
    page: { attribute: false },
  };
  declare jobId: string;
  /** Counted from 0. */
  declare page: number;
  readonly #names = new KnownNames(this, () => this.world);
  readonly #runs = this.asking(() => ({
    method: "cron.runs",
    params: { scope: "job", id: this.jobId, limit: PAGE_SIZE, offset: this.page * PAGE_SIZE, includeRunning: true },
    topics: ["errands", "jobs"],
  }));

  constructor() {
    super();
    this.addController(new Ticking(this, TICK_MS));
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#runs.again() };
    return html`<section class="cron-runs" aria-labelledby="cron-runs-title">
      <h2 id="cron-runs-title">${this.words("cron").runs}</h2>
      ${renderAsked(this.#runs.state, (runs) => this.#renderRuns(runs), retry)}
    </section>`;
  }

  #renderRuns({ entries, hasMore }: Runs): TemplateResult {
    const words = this.words("cron");
    if (entries.length === 0) return html`<p class="muted">${words.noRuns}</p>`;
    const telling = {
      texts: words,
      format: this.world.words,
      channel: (id: string) => this.#names.channel(id, words.thisPage),
      hasExplain: this.world.wire.has("runs.explain"),
    };
    return html`<ul class="card cron-run-list" aria-live="polite">
        ${repeat(
          entries,
          ({ runId }) => runId,
          (run) => html`<li>${renderRun(run, telling)}</li>`,
        )}
      </ul>
      ${this.#renderPaging(hasMore)}`;
  }

  #renderPaging(hasMore: boolean): TemplateResult | typeof nothing {
    const words = this.words("cron");
    if (this.page === 0 && !hasMore) return nothing;
    const to = (page: number): string => writeRoute("cron", [this.jobId], page > 0 ? { page: String(page) } : {});
    return html`<nav class="row cron-paging" aria-label=${words.pages}>
      ${this.page > 0 ? html`<a class="button" href=${to(this.page - 1)}>${icon("chevronUp")}${words.newer}</a>` : nothing}
      ${hasMore ? html`<a class="button" href=${to(this.page + 1)}>${icon("chevronDown")}${words.older}</a>` : nothing}
    </nav>`;
  }
}

customElements.define("chela-cron-runs", RunsView);
