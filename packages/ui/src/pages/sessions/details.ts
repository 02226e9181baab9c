// Everything about one session, at the edge of the list: what it used, how it is answered, and where it comes from.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { sessionTitle, shortKey } from "../../state/session-title.ts";
import type { SessionRow } from "./filter.ts";
import { NamesOf } from "./names-of.ts";
import type { RowAction } from "./row-view.ts";
import { isMain } from "./session-facts.ts";
import "../../parts/dialog.ts";
import "../../parts/menu.ts";
import "../../parts/sandbox-chip.ts";
import "./details.css";
import "./details-settings.ts";
import "./details-usage.ts";

/** Others whose key contains this one may come first. */
const MOST_ALIKE = 50;

/** `<chela-session-details .world .sessionKey @dialog-close @session-action>`: open while there is a key. */
class SessionDetails extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    sessionKey: { attribute: false },
    isCopied: { state: true },
  };
  declare sessionKey: string | undefined;
  declare isCopied: boolean;
  readonly #names = new NamesOf(this, () => this.world);
  readonly #sessions = this.asking(() =>
    this.sessionKey === undefined
      ? undefined
      : {
          method: "sessions.list",
          params: {
            search: this.sessionKey,
            limit: MOST_ALIKE,
            includeDerivedTitles: true,
            includeGlobal: true,
            includeUnknown: true,
          },
          topics: ["sessions"],
        },
  );
  readonly #branches = this.asking(() =>
    this.#row ? { method: "sessions.branches", params: { key: this.#row.key }, topics: ["sessions"] } : undefined,
  );

  override render(): TemplateResult {
    const row = this.#row;
    return html`<chela-dialog
      class="sessions-sheet"
      .isOpen=${this.sessionKey !== undefined}
      label=${row ? sessionTitle(row) : shortKey(this.sessionKey ?? "")}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderBody()}
      @dialog-close=${() => this.dispatchEvent(new CustomEvent("dialog-close"))}
    ></chela-dialog>`;
  }

  get #row(): SessionRow | undefined {
    return this.#sessions.value?.sessions.find(({ key }) => key === this.sessionKey);
  }

  #renderBody(): TemplateResult {
    const row = this.#row;
    const { state } = this.#sessions;
    if (row) return this.#renderRow(row);
    if (state.kind === "failed") return html`<p class="problem" role="alert">${state.error.message}</p>`;
    if (state.kind === "here") return html`<p class="muted">${this.words("sessions").gone}</p>`;
    return html`<div class="waiting" role="status" aria-busy="true"><span></span><span></span><span></span></div>`;
  }

  #renderRow(row: SessionRow): TemplateResult {
    const defaults = this.#sessions.value?.defaults;
    return html`<div class="sessions-details">
      ${this.#renderKey(row)} ${this.#renderActions(row)}
      <chela-session-usage .world=${this.world} .row=${row} .defaults=${defaults}></chela-session-usage>
      <chela-session-settings .world=${this.world} .row=${row}></chela-session-settings>
      ${this.#renderOrigin(row)} ${this.#renderEnds(row)}
    </div>`;
  }

  #renderKey({ key }: SessionRow): TemplateResult {
    const words = this.words("sessions");
    const label = this.isCopied ? this.words("app").copied : words.copyKey;
    return html`<div class="sessions-sheet-key row">
      <code class="cut" title=${key}>${key}</code>
      <button class="button quiet square small" aria-label=${label} title=${label} @click=${() => void this.#copy(key)}>
        ${icon(this.isCopied ? "check" : "copy")}
      </button>
      <chela-sandbox-chip .world=${this.world} .sessionKey=${key}></chela-sandbox-chip>
    </div>`;
  }

  #renderActions(row: SessionRow): TemplateResult {
    const words = this.words("sessions");
    return html`<div class="row wrap">
      <a class="button primary" href=${writeRoute("chat", [row.key])}>${icon("chat")}${words.openChat}</a>
      ${this.#renderAction("rename", "edit", words.rename, row)}
      <chela-menu
        label=${words.exportIt}
        .choices=${[
          { id: "markdown", label: words.export, icon: "download" },
          { id: "lines", label: words.exportLines, icon: "download" },
        ]}
        @menu-choose=${({ detail }: CustomEvent<{ id: "markdown" | "lines" }>) => this.#act(detail.id, row)}
      ></chela-menu>
    </div>`;
  }

  #renderAction(
    action: RowAction,
    name: "edit" | "memory" | "retry" | "trash",
    label: string,
    row: SessionRow,
  ): TemplateResult {
    return html`<button class="button" @click=${() => this.#act(action, row)}>${icon(name)}${label}</button>`;
  }

  #renderOrigin(row: SessionRow): TemplateResult {
    const words = this.words("sessions");
    const date = (ms: number | null | undefined): string | undefined => (ms ? this.world.words.date(ms) : undefined);
    const { branches = [], checkpoints = [] } = this.#branches.value ?? {};
    const spawner = row.spawnedBy;
    const pairs: ReadonlyArray<readonly [string, unknown]> = [
      [words.created, date(row.createdAt)],
      [words.lastActivity, date(row.updatedAt)],
      [words.agent, this.#names.agentName(row.agentId)],
      [words.channel, this.#names.channelName(row.channel ?? row.lastChannel)],
      [words.kind, row.kind === "direct" || row.kind === "group" ? words[`kind_${row.kind}`] : undefined],
      [words.subject, row.subject ?? row.groupChannel],
      [words.account, row.origin?.accountId ?? row.lastAccountId],
      [words.repliesTo, row.lastTo ?? row.origin?.to],
      [words.spawnedBy, spawner ? html`<a href=${writeRoute("chat", [spawner])}>${shortKey(spawner)}</a>` : undefined],
      [words.branches, branches.length > 1 ? this.world.words.number(branches.length) : undefined],
      [words.checkpoints, checkpoints.length > 0 ? checkpoints.map(({ label }) => label).join(", ") : undefined],
      [words.sessionId, row.sessionId ? html`<code>${row.sessionId}</code>` : undefined],
    ];
    return html`<section aria-labelledby="sessions-origin">
      <h3 id="sessions-origin">${words.origin}</h3>
      <dl class="pairs">
        ${pairs.map(([name, value]) =>
          value
            ? html`<dt>${name}</dt>
                <dd>${value}</dd>`
            : nothing,
        )}
      </dl>
    </section>`;
  }

  #renderEnds(row: SessionRow): TemplateResult {
    const words = this.words("sessions");
    return html`<section class="sessions-ends row wrap" aria-label=${words.actions}>
      ${this.#renderAction("summarise", "memory", words.summarise, row)}
      ${this.#renderAction("reset", "retry", words.reset, row)}
      ${isMain(row.key, this.world) ? nothing : this.#renderAction("remove", "trash", words.remove, row)}
    </section>`;
  }

  async #copy(key: string): Promise<void> {
    await navigator.clipboard.writeText(key);
    this.isCopied = true;
    setTimeout(() => (this.isCopied = false), 1500);
  }

  #act(action: RowAction | "lines", row: SessionRow): void {
    this.dispatchEvent(new CustomEvent("session-action", { detail: { action, row } }));
  }
}

customElements.define("chela-session-details", SessionDetails);
