// Cards of a job: what it does, when, and where its result goes.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import type { Job } from "../../jobs/job-actions.ts";
import { scheduleWords } from "../../jobs/schedule-words.ts";
import { KnownNames } from "../../state/known-names.ts";
import { Ticking } from "../../state/ticking.ts";
import { renderInstants } from "./instants.ts";

const TICK_MS = 20_000;
const SHOWN_RUNS = 5;

/** `<chela-cron-facts .world .job>` */
class JobFacts extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, job: { attribute: false } };
  declare job: Job;
  readonly #names = new KnownNames(this, () => this.world);
  readonly #preview = this.asking(() =>
    this.job.enabled
      ? {
          method: "cron.preview",
          params: { schedule: this.job.schedule, count: SHOWN_RUNS },
          topics: ["jobs", "errands"],
        }
      : undefined,
  );

  constructor() {
    super();
    this.addController(new Ticking(this, TICK_MS));
  }

  override render(): TemplateResult {
    const words = this.words("cron");
    return html`<div class="cron-facts">
      <section class="card">
        <h2>${words.when}</h2>
        ${this.#renderWhen()}
      </section>
      <section class="card">
        <h2>${words.what}</h2>
        ${this.#renderWhat()}
      </section>
      <section class="card">
        <h2>${words.where}</h2>
        ${this.#renderWhere()}
      </section>
      <section class="card">
        <h2>${words.rules}</h2>
        ${this.#renderRules()}
      </section>
    </div>`;
  }

  #renderWhen(): TemplateResult {
    const { job, world } = this;
    const words = this.words("cron");
    const { nextRunAtMs } = job.state;
    const said = scheduleWords(job.schedule, world.words, words, job.says.schedule);
    if (!job.enabled)
      return html`<p>${said}</p>
        <p class="muted">${words.offHint}</p>`;
    const runs = this.#preview.value?.runs.map(({ atMs }) => atMs) ?? [];
    // A job that waits after a failure runs later than its schedule says.
    const shown = [
      ...new Set(nextRunAtMs === undefined ? runs : [nextRunAtMs, ...runs.filter((at) => at > nextRunAtMs)]),
    ];
    return html`<p>${said}</p>
      ${shown.length > 0 ? renderInstants(shown.slice(0, SHOWN_RUNS), world.words, words) : html`<p class="muted">${words.neverAgain}</p>`}`;
  }

  #renderWhat(): TemplateResult {
    const words = this.words("cron");
    const { payload } = this.job;
    switch (payload.kind) {
      case "agentTurn":
        return html`<p class="muted">${words.what_turnBy(this.#agent())}</p>
          <blockquote class="cron-said">${payload.message}</blockquote>`;
      case "systemEvent":
        return html`<p class="muted">${words.what_reminderFor(this.#agent())}</p>
          <blockquote class="cron-said">${payload.text}</blockquote>`;
      case "exec": {
        const { command } = payload;
        const text = typeof command === "string" ? command : command.join(" ");
        return html`<p class="muted">${words.what_commandHint}</p>
          <pre class="command">${text}</pre>`;
      }
    }
  }

  #agent(): string {
    const { agentId } = this.job;
    return agentId ? this.#names.agent(agentId) : this.words("cron").usualAgent;
  }

  #renderWhere(): TemplateResult {
    const words = this.words("cron");
    const { delivery, payload, agentId = "main" } = this.job;
    const { mode = "none", channel = "last", to = "", accountId } = delivery ?? {};
    if (mode === "webhook")
      return html`<p>${words.where_webhook}</p>
        <p class="mono cron-address">${to}</p>`;
    if (mode === "none") {
      return payload.kind === "systemEvent"
        ? html`<p>${words.where_main}</p>`
        : html`<p>${words.where_none}</p>
            <p class="muted">${words.where_noneHint}</p>`;
    }
    if (channel === "last" && to === "")
      return html`<p>${words.where_last}</p>
        <p class="muted">${words.where_lastHint}</p>`;
    const name = this.#names.channel(channel, words.thisPage);
    const place = [name, accountId, to || agentId].filter(Boolean).join(" · ");
    return html`<p>${words.where_chatIn(name)}</p>
      <p class="mono cron-address">${place}</p>`;
  }

  #renderRules(): TemplateResult {
    const words = this.words("cron");
    const format = this.world.words;
    const { job } = this;
    const { payload, catchUp = "once", schedule, failureAlert } = job;
    const onCrash = job.onCrash ?? (payload.kind === "exec" ? "report" : "retry");
    const model = payload.kind === "agentTurn" ? payload.model : undefined;
    const seconds = payload.kind === "systemEvent" ? undefined : payload.timeoutSeconds;
    const isPromised = job.delivery !== undefined && job.delivery.mode !== "none";
    const alert = failureAlert === false || !isPromised ? words.alert_off : words.alert_on;
    const fact = (name: string, value: unknown): TemplateResult | typeof nothing =>
      value === undefined || value === ""
        ? nothing
        : html`<dt>${name}</dt>
            <dd>${value}</dd>`;
    return html`<dl class="pairs cron-pairs">
      ${fact(words.model, model)} ${fact(words.thinking, payload.kind === "agentTurn" ? payload.thinking : undefined)}
      ${fact(words.timeout, seconds === undefined ? undefined : seconds === 0 ? words.noTimeout : format.duration(seconds * 1000))}
      ${fact(words.catchUp, words[`catchUp_${catchUp}`])} ${fact(words.onCrash, words[`onCrash_${onCrash}`])}
      ${fact(words.alert, failureAlert ? words.alert_afterCount(failureAlert.after ?? 1) : alert)}
      ${schedule.kind === "at" && job.deleteAfterRun !== false ? fact(words.afterwards, words.deletesItself) : nothing}
      ${
        job.sessionKey
          ? fact(words.madeIn, html`<a href=${writeRoute("chat", [job.sessionKey])}>${words.conversation}</a>`)
          : nothing
      }
      ${fact(words.changedAt, format.date(job.updatedAtMs))}
      ${fact(words.id, html`<span class="mono">${job.id}</span>`)}
    </dl>`;
  }
}

customElements.define("chela-cron-facts", JobFacts);
