// The sidebar: pages this gateway can show, the conversations of late, and how the connection does.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { icon } from "../parts/icon.ts";
import { GROUPS, PAGES, type PageEntry, type PageSpec } from "../pages/index.ts";
import { RECENT_SESSIONS, sessionTitle } from "../state/session-title.ts";
import { Watching } from "../state/live.ts";
import { Attention } from "./attention.ts";
import { Part } from "./part.ts";
import { writeRoute, type Route } from "./route.ts";

const RECENT = 12;

class Sidebar extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, route: { attribute: false } };
  declare route: Route;
  readonly #watching = new Watching(this);
  readonly #attention = new Attention(this, () => this.world);
  readonly #sessions = this.asking(() => RECENT_SESSIONS);

  #shownRoute = "";

  override render(): TemplateResult {
    const words = this.words("app");
    this.#watching.show(this.world.wire.state, this.world.preferences.now);
    return html`<nav class="side" aria-label=${words.menu}>
      <a class="brand" href=${writeRoute("chat")}>
        <img src="./icons/chela.svg" alt="" width="26" height="26" /><span>Chela</span>
      </a>
      <button class="button side-new" @click=${() => this.#startChat()}>
        ${icon("plus")}<span>${words.newChat}</span>
      </button>
      <button class="button quiet side-search" title=${words.search} @click=${() => this.#openPalette()}>
        ${icon("search")}<span>${words.find}</span><kbd>Ctrl K</kbd>
      </button>
      <div class="side-scroll">${GROUPS.map((group) => this.#renderGroup(group))}</div>
      <footer class="side-foot">
        ${this.#renderConnection()}
        <button
          class="button quiet square"
          aria-label=${words.preferences}
          title=${words.preferences}
          @click=${() => this.#openPreferences()}
        >
          ${icon("config")}
        </button>
      </footer>
    </nav>`;
  }

  #renderGroup(group: PageSpec["group"]): TemplateResult | typeof nothing {
    const words = this.words("app");
    const pages = PAGES.filter((page) => page.group === group && this.world.wire.has(page.needs));
    if (pages.length === 0) return nothing;
    return html`<section class="side-group">
      <h2>${words[`group_${group}`]}</h2>
      ${pages.map((page) => this.#renderLink(page))} ${group === "talk" ? this.#renderRecent() : nothing}
    </section>`;
  }

  #renderLink({ id, icon: name }: PageEntry): TemplateResult {
    const words = this.words("app");
    const isHere = this.route.page === id && (id !== "chat" || this.route.rest.length === 0);
    const count = id === "overview" ? this.#attention.count : id === "cron" ? this.#attention.jobs : 0;
    return html`<a class="side-link" href=${writeRoute(id)} aria-current=${isHere ? "page" : nothing}>
      ${icon(name)}<span>${this.pageTitle(id)}</span>
      ${count > 0 ? html`<span class="badge" title=${words.attention(count)}>${count}</span>` : nothing}
    </a>`;
  }

  #renderRecent(): TemplateResult | typeof nothing {
    const rows = (this.#sessions.value?.sessions ?? []).filter(({ spawnedBy }) => !spawnedBy).slice(0, RECENT);
    if (rows.length === 0) return nothing;
    return html`<ul class="side-recent" aria-label=${this.words("app").recent}>
      ${rows.map((row) => {
        const isHere = this.route.page === "chat" && this.route.rest[0] === row.key;
        const title = sessionTitle(row);
        return html`<li>
          <a href=${writeRoute("chat", [row.key])} title=${title} aria-current=${isHere ? "page" : nothing}>${title}</a>
        </li>`;
      })}
    </ul>`;
  }

  /** Where somebody is stands in sight, also when the list is longer than the screen. */
  override updated(): void {
    const here = `${this.route.page}/${this.route.rest.join("/")}`;
    if (here === this.#shownRoute) return;
    const current = this.querySelector('[aria-current="page"]');
    if (!current) return;
    this.#shownRoute = here;
    current.scrollIntoView({ block: "nearest" });
  }

  #renderConnection(): TemplateResult {
    const words = this.words("app");
    const { kind } = this.world.wire.state.value;
    const text = kind === "open" ? words.connected : kind === "connecting" ? words.connecting : words.lost;
    return html`<span class="side-status" data-kind=${kind} role="status"><i></i><span>${text}</span></span>`;
  }

  #startChat(): void {
    this.dispatchEvent(new CustomEvent("new-chat", { bubbles: true }));
  }

  #openPalette(): void {
    this.dispatchEvent(new CustomEvent("open-palette", { bubbles: true }));
  }

  #openPreferences(): void {
    this.dispatchEvent(new CustomEvent("open-preferences", { bubbles: true }));
  }
}

customElements.define("chela-sidebar", Sidebar);
