// The sessions page: all conversations there are, everything that was said in them, and those that ended.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { readFilter, writeFilter, type SessionFilter, type SessionRow } from "./filter.ts";
import type { Renaming } from "../../parts/rename-dialog.ts";
import type { SessionsListElement } from "./list-view.ts";
import type { RowAction } from "./row-view.ts";
import { remove, saveCopy, startAnew, summarise } from "./session-actions.ts";
import "./deleted-view.ts";
import "./details.ts";
import "./list-view.ts";
import "../../parts/long-table.css";
import "./page.css";
import "../../parts/rename-dialog.ts";
import "./search-view.ts";

type Query = Readonly<Record<string, string>>;
type Action = CustomEvent<{ readonly action: RowAction | "lines"; readonly row: SessionRow }>;

/** A tab whose method this gateway does not have is not there. */
const TABS = [
  { id: "", title: "tabAll", needs: "sessions.list" },
  { id: "search", title: "tabSearch", needs: "sessions.search" },
  { id: "deleted", title: "tabDeleted", needs: "sessions.deleted" },
] as const;

class SessionsPage extends Page {
  static override properties: PropertyDeclarations = { ...Page.properties, renamed: { state: true } };
  declare renamed: SessionRow | undefined;
  /** The same object as long as the address says the same, so that nothing is made anew for nothing. */
  #filter: SessionFilter = readFilter({});

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("route")) return;
    const filter = readFilter(this.route.query);
    if (JSON.stringify(filter) !== JSON.stringify(this.#filter)) this.#filter = filter;
  }

  override render(): TemplateResult {
    const words = this.words("sessions");
    const here = this.#tab();
    return html`<header class="page-head"><h1>${this.pageTitle("sessions")}</h1></header>
      <nav class="tabs" aria-label=${this.pageTitle("sessions")}>
        ${TABS.filter(({ needs }) => this.world.wire.has(needs) || needs === "sessions.list").map(
          ({ id, title }) =>
            html`<a href=${writeRoute("sessions", id ? [id] : [])} aria-current=${id === here ? "page" : nothing}
              >${words[title]}</a
            >`,
        )}
      </nav>
      <div class="sessions-tab">${this.#renderTab(here)}</div>
      <chela-session-details
        .world=${this.world}
        .sessionKey=${here === "" ? this.route.query["details"] : undefined}
        @dialog-close=${() => this.#showDetails(undefined)}
        @session-action=${(event: Action) => void this.#act(event)}
      ></chela-session-details>
      <chela-rename
        .world=${this.world}
        .renaming=${this.renamed && this.#renamingOf(this.renamed)}
        @dialog-close=${() => this.#endRename()}
      ></chela-rename>`;
  }

  #renamingOf({ key, label = "" }: SessionRow): Renaming {
    const { rename: title, name, nameHint: hint } = this.words("sessions");
    const save = (written: string) => this.world.wire.call("sessions.patch", { key, label: written || null });
    return { title, label: name, hint, current: label, longest: 64, mayBeEmpty: true, save };
  }

  #tab(): (typeof TABS)[number]["id"] {
    return TABS.find(({ id }) => id === this.route.rest[0])?.id ?? "";
  }

  #renderTab(tab: string): TemplateResult {
    const { world } = this;
    const { query } = this.route;
    const changed = ({ detail }: CustomEvent<Query>): void => world.router.replace("sessions", [tab], detail);
    switch (tab) {
      case "search":
        return html`<chela-sessions-search
          .world=${world}
          .query=${query}
          @query-change=${changed}
        ></chela-sessions-search>`;
      case "deleted":
        return html`<chela-sessions-deleted
          .world=${world}
          .query=${query}
          @query-change=${changed}
        ></chela-sessions-deleted>`;
      default:
        return html`<chela-sessions-list
          .world=${world}
          .filter=${this.#filter}
          @filter-change=${({ detail }: CustomEvent<SessionFilter>) => world.router.replace("sessions", [], writeFilter(detail))}
          @session-action=${(event: Action) => void this.#act(event)}
        ></chela-sessions-list>`;
    }
  }

  #showDetails(key: string | undefined): void {
    const query = writeFilter(this.#filter);
    this.world.router.replace("sessions", [], key === undefined ? query : { ...query, details: key });
    if (key === undefined) this.#refocus();
  }

  #endRename(): void {
    this.renamed = undefined;
    if (this.route.query["details"] === undefined) this.#refocus();
  }

  /** A closed window leaves the keyboard where it was opened from. */
  #refocus(): void {
    void this.updateComplete.then(() => this.querySelector<SessionsListElement>("chela-sessions-list")?.refocus());
  }

  async #act({ detail: { action, row } }: Action): Promise<void> {
    if (action === "details") return this.#showDetails(row.key);
    if (action === "rename") {
      this.renamed = row;
      return;
    }
    // Questions and notices are about the list; they would stand behind the window.
    if (this.route.query["details"] !== undefined) this.#showDetails(undefined);
    switch (action) {
      case "markdown":
      case "lines":
        return void (await saveCopy(this.world, row, action));
      case "summarise":
        return void (await summarise(this.world, row));
      case "reset":
        return void (await startAnew(this.world, row));
      case "remove":
        return void (await remove(this.world, row));
    }
  }
}

customElements.define("chela-sessions-page", SessionsPage);
