// Everything of one day: the runs there were, and those to come, in a table that anybody can read.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { writeRoute } from "../../../app/route.ts";
import { factsOfRun } from "../../../jobs/run-facts.ts";
import { startOf, type Mark } from "./calendar-days.ts";
import { renderMarks } from "../marks.ts";

const MOST_ROWS = 200;
const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

/** `<chela-cron-day .world .day .marks>` */
class DayView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    day: { attribute: false },
    marks: { attribute: false },
  };
  declare day: string;
  declare marks: readonly Mark[];

  override render(): TemplateResult {
    const words = this.words("cron");
    const format = this.world.words;
    const title = format.date(startOf(this.day), { weekday: "long", month: "long", day: "numeric", year: "numeric" });
    return html`<section class="cron-day-view" aria-labelledby="cron-day-title">
      <h2 id="cron-day-title">${title}</h2>
      <div role="status">${this.marks.length === 0 ? html`<p class="muted">${words.emptyDay}</p>` : nothing}</div>
      ${this.marks.length > 0 ? this.#renderTable() : nothing}
    </section>`;
  }

  #renderTable(): TemplateResult {
    const words = this.words("cron");
    const more = this.marks.length - MOST_ROWS;
    return html`<div class="table-scroll">
      <table class="table cron-day-table">
        <thead>
          <tr>
            <th scope="col">${words.time}</th>
            <th scope="col">${words.job}</th>
            <th scope="col">${words.result}</th>
            <th scope="col" class="number">${words.took}</th>
          </tr>
        </thead>
        <tbody>
          ${this.marks.slice(0, MOST_ROWS).map((mark) => this.#renderMark(mark))}
        </tbody>
      </table>
      ${more > 0 ? html`<p class="hint">${words.moreRuns(this.world.words.number(more))}</p>` : nothing}
    </div>`;
  }

  #renderMark({ jobId, name, at, run }: Mark): TemplateResult {
    const words = this.words("cron");
    const format = this.world.words;
    const facts = run && factsOfRun(run);
    const why = facts?.executed === "error" ? facts.error : (facts?.deliveryError ?? facts?.error);
    return html`<tr>
      <td><time title=${format.date(at)}>${format.date(at, CLOCK)}</time></td>
      <th scope="row"><a href=${writeRoute("cron", [jobId])}>${name}</a></th>
      <td>
        ${facts ? renderMarks(facts, words) : html`<span class="muted">${words.outcome_future}</span>`}
        ${why ? html`<p class="hint cron-day-why">${why}</p>` : nothing}
      </td>
      <td class="number">
        ${run?.durationMs === undefined || run.skipped ? nothing : format.duration(run.durationMs)}
      </td>
    </tr>`;
  }
}

customElements.define("chela-cron-day", DayView);
