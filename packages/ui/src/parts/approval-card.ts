// A command that waits for somebody's yes: all of it, where it would run, who asked for it, and the three answers.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../app/part.ts";
import { writeRoute } from "../app/route.ts";
import { shortKey } from "../state/session-title.ts";
import type { Approval, ApprovalResolved } from "../wire/events.ts";
import { countdown } from "./countdown.ts";
import { icon } from "./icon.ts";
import "./approval-card.css";

type Decision = ApprovalResolved["decision"];

/** A card that appears under a finger must not be answered by the tap that was meant for something else. */
const ARMS_AFTER_MS = 600;
const SOON_MS = 20_000;

/** `<chela-approval-card .world .approval>`: tells "approval-answered" after somebody answered here. */
class ApprovalCard extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    approval: { attribute: false },
    hasWords: { state: true },
    isArmed: { state: true },
    isLong: { state: true },
    answer: { state: true },
  };
  declare approval: Approval;
  declare hasWords: boolean;
  declare isArmed: boolean;
  declare isLong: boolean;
  /** What was just answered here and is on its way. */
  declare answer: Decision | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;
  #arming: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.hasWords = false;
    this.isArmed = false;
    this.isLong = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#clock = setInterval(() => this.requestUpdate(), 1000);
    this.#arming = setTimeout(() => (this.isArmed = true), ARMS_AFTER_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#clock);
    clearTimeout(this.#arming);
  }

  /** It stands in several pages, so it brings its words along. */
  override firstUpdated(): void {
    void this.attempt(async () => {
      await this.world.words.load("approval");
      this.hasWords = true;
    });
  }

  override updated(): void {
    const box = this.querySelector(".approval-command");
    if (box) this.isLong = box.scrollHeight > box.clientHeight + 1;
  }

  override render(): TemplateResult {
    if (!this.hasWords) return html``;
    const words = this.words("approval");
    const { id, request } = this.approval;
    return html`<article class="approval" aria-labelledby="approval-${id}">
      <header class="approval-head">
        ${icon("approvals")}
        <h3 id="approval-${id}">${words.question}</h3>
        ${this.#renderTime()}
      </header>
      <pre
        class="command approval-command"
        role="group"
        aria-label=${words.command}
        tabindex=${this.isLong ? "0" : nothing}
      ><code>${request.command}</code></pre>
      ${this.isLong ? html`<p class="approval-long">${icon("arrowDown")}${words.goesOn}</p>` : nothing}
      ${this.#renderPlace()} ${this.#renderAnswers()} ${this.#renderMore()}
    </article>`;
  }

  #renderTime(): TemplateResult {
    const words = this.words("approval");
    const { createdAtMs, expiresAtMs } = this.approval;
    // The gateway's clock may differ from ours, so more than the whole time is never left.
    const leftMs = Math.min(expiresAtMs - Date.now(), expiresAtMs - createdAtMs);
    const text = leftMs > 0 ? words.left(countdown(leftMs)) : words.endsNow;
    return html`<span class="badge ${leftMs < SOON_MS ? "warn" : ""}" role="timer">${text}</span>`;
  }

  /** What belongs to the decision as much as the command does. */
  #renderPlace(): TemplateResult {
    const words = this.words("approval");
    const { cwd, resolvedPath } = this.approval.request;
    return html`<dl class="pairs approval-facts">
      ${renderFact(words.directory, cwd ? html`<code>${cwd}</code>` : undefined)}
      ${renderFact(words.program, resolvedPath ? html`<code>${resolvedPath}</code>` : undefined)}
    </dl>`;
  }

  /** Stands below the answers, so that these are on the screen together with the command. */
  #renderMore(): TemplateResult {
    const words = this.words("approval");
    const { agentId, sessionKey, envKeys = [], reason } = this.approval.request;
    const chat = sessionKey ? html`<a href=${writeRoute("chat", [sessionKey])}>${shortKey(sessionKey)}</a>` : undefined;
    return html`<footer class="approval-more">
      <dl class="pairs approval-facts">
        ${renderFact(words.agent, agentId)} ${renderFact(words.chat, chat)}
        ${renderFact(words.askedBy, this.#askedBy())}
        ${renderFact(words.variables, envKeys.length > 0 ? html`<code>${envKeys.join(", ")}</code>` : undefined)}
        ${renderFact(words.why, reason)}
      </dl>
      ${this.approval.request.onlyOnce ? nothing : html`<p class="hint">${words.alwaysMeans}</p>`}
    </footer>`;
  }

  #askedBy(): string | undefined {
    const { channel, account, id } = this.approval.request.requester ?? {};
    const parts = [id, channel, account === "default" ? undefined : account].filter(Boolean);
    return parts.length > 0 ? parts.join(" · ") : undefined;
  }

  /** No comes first, so that whoever goes on with the keyboard alone meets the harmless answer first. */
  #renderAnswers(): TemplateResult {
    const words = this.words("approval");
    const cannot = !this.isArmed || this.answer !== undefined;
    return html`<div class="approval-answers">
      <button class="button" ?disabled=${cannot} @click=${() => void this.#give("deny")}>${words.deny}</button>
      ${
        this.approval.request.onlyOnce
          ? nothing
          : html`<button class="button" ?disabled=${cannot} @click=${() => void this.#give("allow-always")}>
              ${words.allowAlways}
            </button>`
      }
      <button class="button primary" ?disabled=${cannot} @click=${() => void this.#give("allow-once")}>
        ${words.allowOnce}
      </button>
    </div>`;
  }

  async #give(decision: Decision): Promise<void> {
    const words = this.words("approval");
    const said = { deny: words.saidDeny, "allow-always": words.saidAlways, "allow-once": words.saidOnce }[decision];
    const { id } = this.approval;
    this.answer = decision;
    const isGiven = await this.attempt(() => this.world.wire.call("exec.approval.resolve", { id, decision }), said);
    if (isGiven) this.dispatchEvent(new CustomEvent("approval-answered", { bubbles: true }));
    else this.answer = undefined;
  }
}

function renderFact(name: string, value: unknown): TemplateResult | typeof nothing {
  return value
    ? html`<dt>${name}</dt>
        <dd>${value}</dd>`
    : nothing;
}

customElements.define("chela-approval-card", ApprovalCard);
