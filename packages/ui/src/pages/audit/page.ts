// The page of what happened: the audit trail, filtered, looked into, checked, and taken along.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Page } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { nameOf } from "./event-words.ts";
import { exportTrail } from "./export-trail.ts";
import { questionOf, readFilter, writeFilter, type AuditFilter } from "./filter.ts";
import type { AuditFiltersElement } from "./filter-bar.ts";
import { KnownActors } from "./known-actors.ts";
import type { AuditListElement } from "./list-view.ts";
import { renderVerification } from "./verification.ts";
import "../../parts/dialog.ts";
import "./event-view.ts";
import "./filter-bar.ts";
import "./list-view.ts";
import "../../parts/long-table.css";
import "./page.css";

interface Saving {
  readonly done: number;
  readonly all: number;
}

class AuditPage extends Page {
  static override properties: PropertyDeclarations = {
    ...Page.properties,
    report: { state: true },
    isVerifying: { state: true },
    saving: { state: true },
  };
  /** What came of the last check. */
  declare report: MethodAnswer<"audit.verify"> | undefined;
  declare isVerifying: boolean;
  /** How far a download is. */
  declare saving: Saving | undefined;
  readonly #actors = new KnownActors(this, () => this.world);
  #saver: AbortController | undefined;

  constructor() {
    super();
    this.isVerifying = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#saver?.abort();
  }

  override render(): TemplateResult {
    const words = this.words("audit");
    const filter = readFilter(this.route.query);
    const { names } = this.#actors;
    return html`<header class="page-head">
        <div>
          <h1>${this.pageTitle("audit")}</h1>
          <p class="hint">${words.intro}</p>
        </div>
        ${this.#renderActions()}
      </header>
      <div aria-live="polite">${this.#renderReport()}</div>
      <chela-audit-filters
        .world=${this.world}
        .filter=${filter}
        .actors=${this.#knownActors()}
        .agentName=${(id: string) => this.#actors.agent(id)}
        .channelName=${names.channel}
        @filter-change=${({ detail }: CustomEvent<AuditFilter>) => this.#setFilter(detail)}
      ></chela-audit-filters>
      <chela-audit-list
        .world=${this.world}
        .filter=${filter}
        .names=${names}
        .hrefOf=${(seq: number) => this.#hrefOf(seq)}
        @events-change=${() => this.requestUpdate()}
        @clear-filter=${() => this.querySelector<AuditFiltersElement>("chela-audit-filters")?.clear()}
      ></chela-audit-list>
      ${this.#renderEvent()}`;
  }

  #renderActions(): TemplateResult {
    const words = this.words("audit");
    return html`<div class="row wrap">
      <button class="button" ?disabled=${this.isVerifying} @click=${() => void this.#verify()}>
        ${icon("approvals")}${this.isVerifying ? words.verifying : words.verify}
      </button>
      ${this.saving ? this.#renderSaving(this.saving) : this.#renderSave()}
    </div>`;
  }

  #renderSave(): TemplateResult {
    const { export: label } = this.words("audit");
    return html`<button class="button square" aria-label=${label} title=${label} @click=${() => void this.#save()}>
      ${icon("download")}
    </button>`;
  }

  #renderSaving({ done, all }: Saving): TemplateResult {
    const words = this.words("audit");
    const number = (count: number): string => this.world.words.number(count);
    return html`<button class="button" title=${words.exportStop} @click=${() => this.#saver?.abort()}>
      ${icon("stop")}${words.exporting(number(done), number(all))}
    </button>`;
  }

  #renderReport(): TemplateResult | typeof nothing {
    if (!this.report) return nothing;
    return renderVerification({
      report: this.report,
      words: this.words("audit"),
      format: this.world.words,
      hrefOf: (seq) => this.#hrefOf(seq),
      copy: (hash) => void this.attempt(() => navigator.clipboard.writeText(hash), this.words("app").copied),
      hide: () => (this.report = undefined),
    });
  }

  #renderEvent(): TemplateResult {
    const seq = this.#opened;
    const content = (): TemplateResult =>
      html`<chela-audit-event
        .world=${this.world}
        .seq=${seq}
        .names=${this.#actors.names}
        .agentName=${(id: string) => this.#actors.agent(id)}
      ></chela-audit-event>`;
    return html`<chela-dialog
      class="wide"
      .isOpen=${seq !== undefined}
      label=${seq === undefined ? "" : this.words("audit").event(this.world.words.number(seq))}
      closeLabel=${this.words("app").close}
      .content=${content}
      @dialog-close=${() => this.#setFilter(readFilter(this.route.query))}
    ></chela-dialog>`;
  }

  /** The event whose window is open. */
  get #opened(): number | undefined {
    const { event = "" } = this.route.query;
    return /^\d{1,15}$/.test(event) ? Number(event) : undefined;
  }

  #hrefOf(seq: number): string {
    return writeRoute("audit", [], { ...writeFilter(readFilter(this.route.query)), event: String(seq) });
  }

  /** Whoever did something of what is on the page. */
  #knownActors(): ReadonlyMap<string, string> {
    const words = this.words("audit");
    const { names } = this.#actors;
    const records = this.querySelector<AuditListElement>("chela-audit-list")?.records ?? [];
    const { actor } = readFilter(this.route.query);
    const actors = new Set([...(actor ? [actor] : []), ...records.map((record) => record.actor)]);
    return new Map([...actors].map((one) => [one, nameOf(one, words, names)]));
  }

  #setFilter(filter: AuditFilter): void {
    this.world.router.replace("audit", [], writeFilter(filter));
  }

  async #verify(): Promise<void> {
    this.isVerifying = true;
    await this.attempt(async () => (this.report = await this.world.wire.call("audit.verify", {})));
    this.isVerifying = false;
  }

  async #save(): Promise<void> {
    const words = this.words("audit");
    const saver = new AbortController();
    this.#saver = saver;
    this.saving = { done: 0, all: 0 };
    const question = questionOf(readFilter(this.route.query), Date.now());
    const progress = (done: number, all: number): void => void (this.saving = { done, all });
    await this.attempt(async () => {
      const count = await exportTrail(this.world, question, progress, saver.signal);
      const said = count === undefined ? words.exportStopped : words.exported(this.world.words.number(count), count);
      this.world.notices.say(said);
    });
    this.saving = undefined;
  }
}

customElements.define("chela-audit-page", AuditPage);
