// One job: everything about it, what can be done with it, and all its runs.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { removeJob, runNow, setEnabled, type Job } from "../../jobs/job-actions.ts";
import { factsOfJob } from "../../jobs/run-facts.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import { renderMarks } from "./marks.ts";
import { renderSwitch } from "../../parts/switch.ts";
import "../../parts/menu.ts";
import "./job-facts.ts";
import "./runs-view.ts";

type Query = Readonly<Record<string, string>>;

/** `<chela-cron-job .world .jobId .query>`: the query says which part of the history is shown. */
class JobView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    jobId: { attribute: false },
    query: { attribute: false },
  };
  declare jobId: string;
  declare query: Query;
  readonly #job = this.asking(() => ({
    method: "cron.get",
    params: { id: this.jobId },
    topics: ["jobs", "errands"],
  }));

  override render(): TemplateResult {
    const { state } = this.#job;
    const retry = { label: this.words("app").retry, run: () => this.#job.again() };
    return html`<nav class="back-link">
        <a href=${writeRoute("cron")}>${icon("chevronLeft")}${this.words("cron").allJobs}</a>
      </nav>
      ${state.kind === "failed" ? this.#renderGone(state.error.message) : renderAsked(state, (job) => this.#renderJob(job), retry)}`;
  }

  /** Jobs for one instant leave by themselves; their runs can still be looked at. */
  #renderGone(message: string): TemplateResult {
    const words = this.words("cron");
    return html`<header class="page-head"><h1>${words.goneTitle}</h1></header>
      <p class="muted">${message}</p>
      ${this.#renderRuns()}`;
  }

  #renderJob(job: Job): TemplateResult {
    const words = this.words("cron");
    const { world } = this;
    return html`<header class="page-head cron-job-head">
        <div>
          <h1>${job.name}</h1>
          ${job.description ? html`<p class="muted">${job.description}</p>` : nothing}
        </div>
        ${renderSwitch({ label: words.switchOn(job.name), isOn: job.enabled, set: () => void this.#flip(job) })}
        <button class="button" @click=${() => void runNow(world, job)}>${icon("play")}${words.runNow}</button>
        <a class="button" href=${writeRoute("cron", [job.id, "edit"])}>${icon("edit")}${words.edit}</a>
        <chela-menu
          label=${words.more(job.name)}
          .icon=${"more"}
          .choices=${this.#choices()}
          @menu-choose=${({ detail }: CustomEvent<MenuChoice>) => void this.#chosen(detail.id, job)}
        ></chela-menu>
      </header>
      <div class="stack">
        ${this.#renderTrouble(job)}
        <chela-cron-facts .world=${world} .job=${job}></chela-cron-facts>
        ${this.#renderRuns()}
      </div>`;
  }

  #renderTrouble(job: Job): TemplateResult | typeof nothing {
    const words = this.words("cron");
    const facts = factsOfJob(job);
    const why = facts.executed === "error" ? facts.error : facts.deliveryError;
    const isBad = facts.executed === "error" || facts.delivered === "not-delivered";
    if (!isBad) return nothing;
    const often = job.state.consecutiveErrors ?? 1;
    return html`<section class="cron-trouble" role="status">
      <div>${renderMarks(facts, words)}</div>
      <p>${why ?? words.noReason}</p>
      ${often > 1 ? html`<p class="hint">${words.failedOften(often)}</p>` : nothing}
    </section>`;
  }

  #renderRuns(): TemplateResult {
    return html`<chela-cron-runs
      .world=${this.world}
      .jobId=${this.jobId}
      .page=${Number(this.query["page"] ?? 0) || 0}
    ></chela-cron-runs>`;
  }

  #choices(): MenuChoice[] {
    const words = this.words("cron");
    return [
      { id: "copy", label: words.duplicate, icon: "copy" },
      { id: "remove", label: words.remove, icon: "trash", isDangerous: true },
    ];
  }

  async #flip(job: Job): Promise<void> {
    await setEnabled(this.world, job, !job.enabled);
    this.requestUpdate();
  }

  async #chosen(id: string, job: Job): Promise<void> {
    const { world } = this;
    if (id === "copy") return world.router.go("cron", [], { new: `copy:${job.id}` });
    if (await removeJob(world, job)) world.router.go("cron");
  }
}

customElements.define("chela-cron-job", JobView);
