// List of weaknesses, the worst first, each with what to do about it; or that all is well.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { CachedAnswer } from "../../state/keep.ts";
import { AUDIT, AUDIT_TOPICS, type Finding } from "../../state/security-audit.ts";
import { Ticking } from "../../state/ticking.ts";
import { renderAdvice } from "./advice.ts";
import { renderFinding } from "./finding-view.ts";
import { renderOutcomes, type Outcome } from "./outcomes-view.ts";

type Report = MethodAnswer<"security.audit">;

const SEVERITIES = ["critical", "warning", "info"] as const;
const MINUTE_MS = 60_000;

/** `<chela-security-findings .world .wanted>`: `wanted` is the id of the finding somebody came for. */
class SecurityFindings extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    wanted: { attribute: false },
    isDeep: { state: true },
    busy: { state: true },
    outcomes: { state: true },
  };
  declare wanted: string | undefined;
  declare isDeep: boolean;
  /** Findings that are being put right. */
  declare busy: ReadonlySet<string>;
  declare outcomes: readonly Outcome[];
  #shown: string | undefined;
  readonly #deep = this.asking(() =>
    this.isDeep ? { method: "security.audit", params: { deep: true }, topics: AUDIT_TOPICS } : undefined,
  );
  /** Shown until the deeper look has an answer. */
  readonly #quick = this.asking(() => (this.#deep.value ? undefined : AUDIT));

  constructor() {
    super();
    this.isDeep = false;
    this.busy = new Set();
    this.outcomes = [];
    this.addController(new Ticking(this, MINUTE_MS));
  }

  override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#showWanted();
  }

  override render(): TemplateResult {
    const words = this.words("security");
    const retry = { label: this.words("app").retry, run: () => this.#lookAgain() };
    return html`<section class="stack" aria-labelledby="security-findings">
      <header class="security-head">
        <div>
          <h2 id="security-findings">${words.findings}</h2>
          ${this.#renderWhen()}
        </div>
        ${this.#renderLook()}
      </header>
      <div class="security-outcomes-place" role="status" tabindex="-1">
        ${this.outcomes.length > 0 ? this.#renderOutcomes() : nothing}
      </div>
      ${renderAsked(this.#state, (report) => this.#renderReport(report), retry)}
    </section>`;
  }

  /** A deeper look that failed takes nothing away from what is known. */
  get #state(): CachedAnswer<Report> {
    const { state } = this.#deep;
    const known = this.#quick.value;
    if (state.kind === "waiting") return this.#quick.state;
    return state.kind === "failed" && !state.value && known ? { ...state, value: known } : state;
  }

  #renderWhen(): TemplateResult | typeof nothing {
    const words = this.words("security");
    const report = this.#deep.value ?? this.#quick.value;
    if (!report) return nothing;
    const isNew = Math.abs(Date.now() - report.checkedAt) < MINUTE_MS;
    const when = isNew ? words.justNow : this.world.words.ago(report.checkedAt);
    return html`<p class="hint" title=${this.world.words.date(report.checkedAt)}>
      ${words.checked(when)}${this.#deep.value ? html` · ${words.lookedDeeper}` : nothing}
    </p>`;
  }

  #renderLook(): TemplateResult {
    const words = this.words("security");
    const isLooking = this.isDeep && this.#deep.state.kind === "waiting";
    const isAgain = isOld(this.#deep.state) || isOld(this.#quick.state);
    return html`<div class="row wrap">
      <button class="button small" ?disabled=${isAgain || isLooking} @click=${() => this.#lookAgain()}>
        ${icon("retry")}${words.lookAgain}
      </button>
      ${
        this.#deep.value
          ? nothing
          : html`<button
              class="button small"
              title=${words.deeperHint}
              ?disabled=${isLooking}
              @click=${() => (this.isDeep = true)}
            >
              ${icon("search")}${isLooking ? words.lookingDeeper : words.lookDeeper}
            </button>`
      }
    </div>`;
  }

  #renderReport(report: Report): TemplateResult {
    const { findings } = report;
    return html`${this.#renderSummary(report)}
    ${SEVERITIES.map((severity) =>
      this.#renderGroup(
        severity,
        findings.filter((one) => one.severity === severity),
      ),
    )}
    ${this.#renderNotChecked(report)}`;
  }

  #renderSummary({ summary, findings }: Report): TemplateResult {
    const words = this.words("security");
    const fixable = findings.filter((one) => one.fixable);
    const isWell = summary.critical + summary.warning === 0;
    if (isWell) {
      return html`<div class="security-calm">
        <span>${icon("check")}</span>
        <div>
          <p class="security-calm-title">${words.allWell}</p>
          <p class="muted">${findings.length > 0 ? words.onlyInfo : words.allWellHint}</p>
        </div>
      </div>`;
    }
    return html`<div class="security-sum row wrap">
      ${summary.critical > 0 ? html`<span class="badge bad">${words.sum_critical(summary.critical)}</span>` : nothing}
      ${summary.warning > 0 ? html`<span class="badge warn">${words.sum_warning(summary.warning)}</span>` : nothing}
      ${
        fixable.length > 1
          ? html`<button
              class="button small primary"
              ?disabled=${this.busy.size > 0}
              @click=${() => void this.#fix(fixable)}
            >
              ${words.fixAll(fixable.length)}
            </button>`
          : nothing
      }
    </div>`;
  }

  #renderGroup(severity: Finding["severity"], findings: readonly Finding[]): TemplateResult | typeof nothing {
    if (findings.length === 0) return nothing;
    const context = {
      world: this.world,
      wanted: this.wanted,
      isBusy: (id: string) => this.busy.has(id),
      fix: (finding: Finding) => void this.#fix([finding]),
    };
    return html`<div class="security-group">
      <h3>${this.words("security")[`severity_${severity}`]}</h3>
      <ul class="security-list">
        ${repeat(
          findings,
          ({ id }) => id,
          (finding) => renderFinding(finding, context),
        )}
      </ul>
    </div>`;
  }

  #renderNotChecked({ notChecked }: Report): TemplateResult | typeof nothing {
    if (notChecked.length === 0) return nothing;
    return html`<details class="security-more">
      <summary>${this.words("security").notChecked}</summary>
      <ul>
        ${notChecked.map((sentence) => html`<li>${renderAdvice(sentence, this.world)}</li>`)}
      </ul>
    </details>`;
  }

  #renderOutcomes(): TemplateResult {
    return renderOutcomes(this.outcomes, {
      words: this.words("security"),
      dismiss: this.words("app").dismiss,
      onDismiss: () => (this.outcomes = []),
    });
  }

  #lookAgain(): void {
    (this.isDeep ? this.#deep : this.#quick).again();
  }

  async #fix(findings: readonly Finding[]): Promise<void> {
    if (!(await this.#isMeant(findings))) return;
    const ids = findings.map(({ id }) => id);
    this.busy = new Set([...this.busy, ...ids]);
    const isDone = await this.attempt(async () => {
      const { fixes } = await this.world.wire.call("security.fix", { ids });
      const titleOf = (id: string): string => findings.find((one) => one.id === id)?.title ?? id;
      this.outcomes = fixes.map((one) => ({ ...one, title: titleOf(one.id) }));
    });
    this.busy = new Set([...this.busy].filter((id) => !ids.includes(id)));
    // The button is gone with its finding: whoever uses the keyboard goes on with what was done.
    if (isDone) await this.updateComplete.then(() => this.#focusOutcomes());
  }

  #isMeant(findings: readonly Finding[]): Promise<boolean> | boolean {
    const words = this.words("security");
    const [first] = findings;
    if (!first || !findings.some(({ asksFirst }) => asksFirst)) return true;
    const question =
      findings.length === 1
        ? { title: words.askOne, text: words.askOneText(first.title, first.where) }
        : {
            title: words.askMany(findings.length),
            text: words.askManyText(findings.map(({ title }) => title).join("; ")),
          };
    return this.world.notices.ask({ ...question, yes: words.fix });
  }

  #focusOutcomes(): void {
    this.querySelector<HTMLElement>(".security-outcomes-place")?.focus();
  }

  /** Once: whoever scrolls away afterwards is left alone. */
  #showWanted(): void {
    if (this.wanted === this.#shown) return;
    if (this.wanted === undefined) return void (this.#shown = undefined);
    const found = [...this.querySelectorAll<HTMLElement>("[data-id]")].find(
      ({ dataset }) => dataset["id"] === this.wanted,
    );
    if (!found) return;
    this.#shown = this.wanted;
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
  }
}

function isOld(state: { readonly kind: string; readonly isOld?: boolean }): boolean {
  return state.kind === "here" && state.isOld === true;
}

customElements.define("chela-security-findings", SecurityFindings);
