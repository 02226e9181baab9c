// The page of jobs: all of them as a list or in a calendar, one of them with its history, or the form for one.
import { html, nothing, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { readFilter, writeFilter, type JobFilter } from "./list-filter.ts";
import "./calendar/calendar-view.ts";
import "./editor/editor-view.ts";
import "./job-view.ts";
import "./list-view.ts";
import "./calendar.css";
import "./form.css";
import "./page.css";

type Query = Readonly<Record<string, string>>;

class CronPage extends Page {
  override render(): TemplateResult {
    const { world } = this;
    const [id, step] = this.route.rest;
    const { new: pattern } = this.route.query;
    if (id !== undefined && step === "edit")
      return html`<chela-cron-editor .world=${world} .jobId=${id}></chela-cron-editor>`;
    if (id !== undefined)
      return html`<chela-cron-job .world=${world} .jobId=${id} .query=${this.route.query}></chela-cron-job>`;
    if (pattern !== undefined) return html`<chela-cron-editor .world=${world} .pattern=${pattern}></chela-cron-editor>`;
    return html`${this.#renderHead()} ${this.#renderAll()}`;
  }

  #renderHead(): TemplateResult {
    const words = this.words("cron");
    const { view } = this.route.query;
    const link = (label: string, isHere: boolean, query: Query): TemplateResult =>
      html`<a class="button quiet small" href=${writeRoute("cron", [], query)} aria-current=${isHere ? "page" : nothing}
        >${label}</a
      >`;
    return html`<header class="page-head">
      <div>
        <h1>${this.pageTitle("cron")}</h1>
        <p class="muted">${words.intro}</p>
      </div>
      <nav class="cron-segments" aria-label=${words.views}>
        ${link(words.list, view !== "calendar", {})} ${link(words.calendar, view === "calendar", { view: "calendar" })}
      </nav>
      <a class="button primary" href=${writeRoute("cron", [], { new: "" })}>${icon("plus")}${words.newJob}</a>
    </header>`;
  }

  #renderAll(): TemplateResult {
    const { world } = this;
    const { query } = this.route;
    if (query["view"] === "calendar") {
      return html`<chela-cron-calendar
        .world=${world}
        .query=${query}
        @query-change=${({ detail }: CustomEvent<Query>) =>
          world.router.replace("cron", [], { view: "calendar", ...detail })}
      ></chela-cron-calendar>`;
    }
    return html`<chela-cron-list
      .world=${world}
      .filter=${readFilter(query)}
      @filter-change=${({ detail }: CustomEvent<JobFilter>) => world.router.replace("cron", [], writeFilter(detail))}
    ></chela-cron-list>`;
  }
}

customElements.define("chela-cron-page", CronPage);
