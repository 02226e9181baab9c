// The page of approvals: commands that wait for a yes, what was answered lately, and what is allowed for good.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Page } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { Approval, ApprovalResolved } from "../../wire/events.ts";
import "../../parts/approval-card.ts";
import "./rules-view.ts";
import "./page.css";

const MOST_ANSWERED = 8;

class ApprovalsPage extends Page {
  static override properties: PropertyDeclarations = { ...Page.properties, answered: { state: true } };
  /** Newest first. */
  declare answered: readonly ApprovalResolved[];
  readonly #pending = this.asking(() => ({ method: "exec.approval.list", params: {}, topics: ["approvals"] }));
  #stop: (() => void) | undefined;

  constructor() {
    super();
    this.answered = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.world.wire.on("exec.approval.resolved", (one) => {
      this.answered = [one, ...this.answered].slice(0, MOST_ANSWERED);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
  }

  override render(): TemplateResult {
    const words = this.words("approvals");
    const app = this.words("app");
    const retry = { label: app.retry, run: () => this.#pending.again() };
    return html`<header class="page-head"><h1>${this.pageTitle("approvals")}</h1></header>
      <div class="approvals-sections">
        <section class="stack" @approval-answered=${() => this.#answeredHere()}>
          <h2 class="approvals-waiting" tabindex="-1">${words.waiting}</h2>
          <div aria-live="polite">
            ${renderAsked(this.#pending.state, ({ pending }) => this.#renderPending(pending), retry)}
          </div>
          ${this.answered.length > 0 ? this.#renderAnswered() : nothing}
        </section>
        <chela-approval-rules .world=${this.world} .who=${this.route.rest[0] ?? "*"}></chela-approval-rules>
      </div>`;
  }

  #renderPending(pending: readonly Approval[]): TemplateResult {
    const words = this.words("approvals");
    if (pending.length === 0) {
      return html`<div class="card approvals-calm">
        ${icon("check")}
        <div>
          <p>${words.nothingWaits}</p>
          <p class="hint">${words.nothingWaitsHow}</p>
        </div>
      </div>`;
    }
    return html`<div class="stack">
      ${repeat(
        pending,
        ({ id }) => id,
        (approval) => html`<chela-approval-card .world=${this.world} .approval=${approval}></chela-approval-card>`,
      )}
    </div>`;
  }

  #renderAnswered(): TemplateResult {
    const words = this.words("approvals");
    return html`<h3>${words.answered}</h3>
      <ul class="approvals-answered">
        ${this.answered.map((one) => {
          const isYes = one.decision !== "deny";
          return html`<li>
            <span class="badge ${isYes ? "good" : ""}">${this.#answerOf(one)}</span>
            <code>${one.request.command}</code>
            <span class="hint">${isAnswered(one) ? words.answeredBy(one.resolvedBy) : nothing}</span>
          </li>`;
        })}
      </ul>`;
  }

  #answerOf({ decision, resolvedBy }: ApprovalResolved): string {
    const words = this.words("approvals");
    if (resolvedBy === "timeout") return words.answer_timeout;
    if (resolvedBy === "withdrawn" || resolvedBy === "gateway stopped") return words.answer_withdrawn;
    return words[`answer_${decision}`];
  }

  /** The card goes away with the focus in it; whoever uses the keyboard goes on from here. */
  #answeredHere(): void {
    this.querySelector<HTMLElement>(".approvals-waiting")?.focus();
  }
}

function isAnswered({ resolvedBy }: ApprovalResolved): boolean {
  return !["timeout", "withdrawn", "gateway stopped"].includes(resolvedBy);
}

customElements.define("chela-approvals-page", ApprovalsPage);
