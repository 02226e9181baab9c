// The jobs that run next.
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import type { Job } from "../../jobs/job-actions.ts";
import { distanceWords, scheduleWords, timeWords } from "../../jobs/schedule-words.ts";
import { renderAsked } from "../../parts/asked.ts";
import { Ticking } from "../../state/ticking.ts";

const MOST = 3;
const TICK_MS = 20_000;

class JobsCard extends Part {
  readonly #jobs = this.asking(() => ({
    method: "cron.list",
    params: { enabled: "enabled", limit: MOST },
    topics: ["jobs"],
  }));

  constructor() {
    super();
    this.addController(new Ticking(this, TICK_MS));
  }

  override render(): TemplateResult {
    const words = this.words("overview");
    const retry = { label: this.words("app").retry, run: () => this.#jobs.again() };
    return html`<section class="card overview-card">
      <header>
        <h2>${words.nextJobs}</h2>
        ${
          (this.#jobs.value?.total ?? 0) > 0
            ? html`<a class="button quiet small" href=${writeRoute("cron")}>${words.showAll}</a>`
            : nothing
        }
      </header>
      ${renderAsked(this.#jobs.state, ({ jobs }) => this.#renderJobs(jobs), retry)}
    </section>`;
  }

  #renderJobs(jobs: readonly Job[]): TemplateResult {
    const words = this.words("overview");
    if (jobs.length === 0)
      return html`<p class="muted">${words.noJobs}</p>
        <p><a class="button small" href=${writeRoute("cron")}>${words.planJob}</a></p>`;
    return html`<ul class="overview-list">
      ${repeat(
        jobs,
        ({ id }) => id,
        (job) => this.#renderJob(job),
      )}
    </ul>`;
  }

  #renderJob({ id, name, schedule, says, state }: Job): TemplateResult {
    const format = this.world.words;
    const { nextRunAtMs, runningAtMs } = state;
    const now = Date.now();
    return html`<li class="overview-row">
      <i class="overview-dot" data-tone=${runningAtMs === undefined ? "soft" : "busy"}></i>
      <a class="overview-row-words" href=${writeRoute("cron", [id])}>
        <span class="cut">${name}</span>
        <small class="cut">${scheduleWords(schedule, format, this.words("cron"), says.schedule)}</small>
      </a>
      ${
        nextRunAtMs === undefined
          ? nothing
          : html`<small class="overview-row-end" title=${timeWords(nextRunAtMs, format)}
              >${distanceWords(Math.max(now, nextRunAtMs), format, now)}</small
            >`
      }
    </li>`;
  }
}

customElements.define("chela-overview-jobs", JobsCard);
