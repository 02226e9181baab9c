// One job of the list: its name, when it runs, what became of the last time, and what can be done with it.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { removeJob, runNow, setEnabled, type Job } from "../../jobs/job-actions.ts";
import { factsOfJob } from "../../jobs/run-facts.ts";
import { distanceWords, scheduleWords, timeWords } from "../../jobs/schedule-words.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import { renderMarks } from "./marks.ts";
import { renderSwitch } from "../../parts/switch.ts";
import "../../parts/menu.ts";

/** `<chela-cron-row .world .job>` */
class JobRow extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, job: { attribute: false } };
  declare job: Job;

  override render(): TemplateResult {
    const { job, world } = this;
    const words = this.words("cron");
    const schedule = scheduleWords(job.schedule, world.words, words, job.says.schedule);
    return html`<article class="cron-row" ?data-off=${!job.enabled} aria-label=${job.name}>
      ${renderSwitch({ label: words.switchOn(job.name), isOn: job.enabled, set: () => void this.#flip() })}
      <a class="cron-row-name" href=${writeRoute("cron", [job.id])}>
        <span class="cut">${job.name}</span>
        <small class="cut">${schedule}</small>
      </a>
      <div class="cron-row-next">${this.#renderNext()}</div>
      <div class="cron-row-last">${this.#renderLast()}</div>
      <div class="cron-row-acts">
        <button
          class="button quiet square small"
          aria-label=${words.runNowOf(job.name)}
          title=${words.runNow}
          @click=${() => void runNow(world, job)}
        >
          ${icon("play")}
        </button>
        <chela-menu
          label=${words.more(job.name)}
          .icon=${"more"}
          .choices=${this.#choices()}
          @menu-choose=${({ detail }: CustomEvent<MenuChoice>) => void this.#chosen(detail.id)}
        ></chela-menu>
      </div>
      ${this.#renderWhy()}
    </article>`;
  }

  #renderNext(): TemplateResult {
    const words = this.words("cron");
    const format = this.world.words;
    const { enabled, state } = this.job;
    if (!enabled) return html`<span class="muted">${words.off}</span>`;
    if (state.nextRunAtMs === undefined) return html`<span class="muted">${words.neverAgain}</span>`;
    return html`<time title=${format.date(state.nextRunAtMs)}>${timeWords(state.nextRunAtMs, format)}</time>
      <small>${distanceWords(Math.max(state.nextRunAtMs, Date.now()), format)}</small>`;
  }

  #renderLast(): TemplateResult {
    const { state } = this.job;
    const format = this.world.words;
    return html`${renderMarks(factsOfJob(this.job), this.words("cron"))}
    ${
      state.lastRunAtMs === undefined
        ? nothing
        : html`<small title=${format.date(state.lastRunAtMs)}
            >${distanceWords(Math.min(state.lastRunAtMs, Date.now()), format)}</small
          >`
    }`;
  }

  /** The first line of what went wrong; the rest opens. */
  #renderWhy(): TemplateResult | typeof nothing {
    const { executed, delivered, error, deliveryError } = factsOfJob(this.job);
    const why = executed === "error" ? error : delivered === "not-delivered" ? deliveryError : undefined;
    if (!why) return nothing;
    return html`<details class="cron-row-why">
      <summary title=${why}>${why}</summary>
      <p>${why}</p>
      <a href=${writeRoute("cron", [this.job.id])}>${this.words("cron").seeRuns}</a>
    </details>`;
  }

  #choices(): MenuChoice[] {
    const words = this.words("cron");
    return [
      { id: "edit", label: words.edit, icon: "edit" },
      { id: "copy", label: words.duplicate, icon: "copy" },
      { id: "remove", label: words.remove, icon: "trash", isDangerous: true },
    ];
  }

  async #flip(): Promise<void> {
    await setEnabled(this.world, this.job, !this.job.enabled);
    this.requestUpdate();
  }

  async #chosen(id: string): Promise<void> {
    const { world, job } = this;
    if (id === "edit") return world.router.go("cron", [job.id, "edit"]);
    if (id === "copy") return world.router.go("cron", [], { new: `copy:${job.id}` });
    await removeJob(world, job);
  }
}

customElements.define("chela-cron-row", JobRow);
