// List of what needs a person, each with the button that settles it; or that all is well.
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodName } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { FAILED_JOBS } from "../../jobs/run-facts.ts";
import { icon } from "../../parts/icon.ts";
import type { Asking, Question } from "../../state/keep.ts";
import { AUDIT } from "../../state/security-audit.ts";
import { Ticking } from "../../state/ticking.ts";
import { gatherWaiting, type Waiting } from "../../state/waiting.ts";
import { gatherDoubts, type Doubt, type Need } from "./needs.ts";
import "../../parts/approval-card.ts";
import "./need-row.ts";

const MINUTE_MS = 60_000;
/** As the sidebar asks for them: one answer serves both. */
const LOST = { state: "undeliverable", limit: 100 } as const;

class Needs extends Part {
  readonly #approvals = this.#ask({ method: "exec.approval.list", params: {}, topics: ["approvals"] });
  readonly #people = this.#ask({ method: "pairing.list", params: {}, topics: ["pairing"] });
  readonly #devices = this.#ask({ method: "device.pair.list", params: {}, topics: ["devices"] });
  readonly #nodes = this.#ask({ method: "node.pair.list", params: {}, topics: ["devices", "presence"] });
  readonly #deliveries = this.#ask({ method: "deliveries.list", params: LOST, topics: ["deliveries"] });
  readonly #channels = this.#ask({ method: "channels.status", params: {}, topics: ["channels", "config"] });
  readonly #config = this.#ask({ method: "config.get", params: {}, topics: ["config"] });
  readonly #budgets = this.#ask({ method: "usage.budgets", params: {}, topics: ["usage", "config"] });
  readonly #jobs = this.#ask({ method: "cron.list", params: FAILED_JOBS, topics: ["jobs"] });
  readonly #audit = this.#ask(AUDIT);

  constructor() {
    super();
    this.addController(new Ticking(this, MINUTE_MS));
  }

  override render(): TemplateResult {
    const words = this.words("overview");
    const waiting = this.#waiting();
    const doubts = this.#doubts();
    const isEmpty = waiting.length + doubts.length === 0;
    return html`<section class="overview-needs" aria-labelledby="overview-needs-title">
        <h2 id="overview-needs-title" class=${waiting.length > 0 ? "" : "seen-by-readers"}>${words.needsYou}</h2>
        <p class="seen-by-readers" role="status">
          ${waiting.length > 0 ? this.words("app").attention(waiting.length) : nothing}
        </p>
        ${this.#renderFailures()} ${waiting.length > 0 ? this.#renderList(waiting) : nothing}
        ${isEmpty ? (this.#isSettled ? this.#renderCalm() : this.#renderWaiting()) : nothing}
      </section>
      ${
        doubts.length > 0
          ? html`<section class="overview-needs" aria-labelledby="overview-doubts-title">
              <h2 id="overview-doubts-title">${words.worthALook}</h2>
              ${this.#renderList(doubts)}
            </section>`
          : nothing
      }`;
  }

  /** A gateway without the method has nothing of that kind. */
  #ask<M extends MethodName>(question: Question<M>): Asking<M> {
    return this.asking(() => (this.world.wire.has(question.method) ? question : undefined));
  }

  get #all(): ReadonlyArray<Pick<Asking<MethodName>, "state" | "again">> {
    const all = [
      [this.#approvals, "exec.approval.list"],
      [this.#people, "pairing.list"],
      [this.#devices, "device.pair.list"],
      [this.#nodes, "node.pair.list"],
      [this.#deliveries, "deliveries.list"],
      [this.#channels, "channels.status"],
      [this.#config, "config.get"],
      [this.#budgets, "usage.budgets"],
      [this.#jobs, "cron.list"],
      [this.#audit, "security.audit"],
    ] as const;
    return all.filter(([, method]) => this.world.wire.has(method)).map(([asking]) => asking);
  }

  /** Only then may it be said that all is well. */
  get #isSettled(): boolean {
    return this.#all.every(({ state }) => state.kind === "here");
  }

  /** As many as the sidebar says. */
  #waiting(): Waiting[] {
    const known = {
      approvals: this.#approvals.value?.pending,
      people: this.#people.value?.requests,
      devices: this.#devices.value?.pending,
      paired: this.#devices.value?.paired,
      nodes: this.#nodes.value?.pending,
      deliveries: this.#deliveries.value?.deliveries,
      channels: this.#channels.value,
      jobs: this.#jobs.value?.jobs,
    };
    return gatherWaiting(known, Date.now());
  }

  #doubts(): Doubt[] {
    return gatherDoubts({
      config: this.#config.value,
      budgets: this.#budgets.value?.budgets,
      findings: this.#audit.value?.findings,
    });
  }

  #renderList(needs: readonly Need[]): TemplateResult {
    return html`<ul class="overview-need-list">
      ${repeat(needs, keyOf, (need) =>
        need.kind === "approval"
          ? html`<li><chela-approval-card .world=${this.world} .approval=${need.approval}></chela-approval-card></li>`
          : html`<li class="overview-need-item">
              <chela-overview-need .world=${this.world} .need=${need}></chela-overview-need>
            </li>`,
      )}
    </ul>`;
  }

  #renderCalm(): TemplateResult {
    const words = this.words("overview");
    return html`<div class="overview-calm" role="status">
      <span>${icon("check")}</span>
      <div>
        <p class="overview-calm-title">${words.allWell}</p>
        <p class="muted">${words.allWellHint}</p>
      </div>
    </div>`;
  }

  #renderWaiting(): TemplateResult | typeof nothing {
    const isFailed = this.#all.some(({ state }) => state.kind === "failed");
    return isFailed
      ? nothing
      : html`<div class="waiting" role="status" aria-busy="true"><span></span><span></span></div>`;
  }

  #renderFailures(): TemplateResult | typeof nothing {
    const failed = this.#all.filter(({ state }) => state.kind === "failed");
    if (failed.length === 0) return nothing;
    const messages = new Set(failed.map(({ state }) => (state.kind === "failed" ? state.error.message : "")));
    return html`<div class="failure" role="alert">
      ${icon("warning")}
      <div class="overview-failures">${[...messages].map((message) => html`<p>${message}</p>`)}</div>
      <button class="button small" @click=${() => this.#askAgain()}>${this.words("app").retry}</button>
    </div>`;
  }

  #askAgain(): void {
    for (const asking of this.#all) if (asking.state.kind === "failed") asking.again();
  }
}

function keyOf(need: Need): string {
  switch (need.kind) {
    case "approval":
      return `approval ${need.approval.id}`;
    case "person":
      return `person ${need.person.channel} ${need.person.accountId} ${need.person.id}`;
    case "device":
      return `device ${need.device.requestId}`;
    case "node":
      return `node ${need.node.requestId}`;
    case "config":
      return `config ${need.tone}`;
    case "channel":
    case "names":
      return `${need.kind} ${need.name}`;
    case "budget":
      return `budget ${need.budget.scope} ${need.budget.of} ${need.budget.period}`;
    case "delivery":
      return `delivery ${need.delivery.id}`;
    case "job":
      return `job ${need.job.id}`;
    case "danger":
      return `danger ${need.finding.id}`;
    case "more-deliveries":
    case "more-jobs":
    case "weak":
      return need.kind;
  }
}

customElements.define("chela-overview-needs", Needs);
