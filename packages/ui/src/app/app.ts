// The frame of the page: sidebar, the page somebody is on, and what lies over it.
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { html as staticHtml, unsafeStatic } from "lit/static-html.js";
import { icon } from "../parts/icon.ts";
import { PAGES, type PageEntry } from "../pages/index.ts";
import { Watching } from "../state/live.ts";
import type { World } from "./world.ts";
import { writeRoute } from "./route.ts";
import "./notices-view.ts";
import "./palette.ts";
import "./sign-in.ts";

class App extends LitElement {
  static override properties: PropertyDeclarations = {
    world: { attribute: false },
    isMenuOpen: { state: true },
    over: { state: true },
    ready: { state: true },
  };
  declare world: World | undefined;
  declare isMenuOpen: boolean;
  declare over: "palette" | "preferences" | undefined;
  /** Pages whose code and words are here. */
  declare ready: ReadonlySet<string>;
  readonly #watching = new Watching(this);
  readonly #loading = new Set<string>();
  /** Something was shown once: a lost connection does not take it away. */
  #wasOpen = false;

  constructor() {
    super();
    this.ready = new Set();
    this.isMenuOpen = false;
    document.addEventListener("keydown", (event) => this.#pressed(event));
    window.addEventListener("hashchange", () => (this.isMenuOpen = false));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** The picture of a frame that was there before any code takes its leave. */
  override updated(): void {
    if (this.world) document.querySelector("#boot")?.remove();
  }

  override render(): TemplateResult {
    const { world } = this;
    if (!world) return html``;
    this.#watching.show(world.wire.state, world.router.route, world.preferences.now);
    const state = world.wire.state.value;
    if (state.kind === "signed-out") return html`<chela-sign-in .world=${world} .state=${state}></chela-sign-in>`;
    this.#wasOpen ||= state.kind === "open";
    if (!this.#wasOpen) return this.#renderWait(world);
    return this.#renderFrame(world);
  }

  #renderWait(world: World): TemplateResult {
    const words = world.words.of("app");
    const isLost = world.wire.state.value.kind === "lost";
    return html`<div class="boot">
      <div class="boot-side"></div>
      <main class="boot-main" role="status">${isLost ? words.lost : words.connecting}</main>
    </div>`;
  }

  #renderFrame(world: World): TemplateResult {
    const words = world.words.of("app");
    const route = world.router.route.value;
    const isLost = world.wire.state.value.kind !== "open";
    return html`<a class="skip" href="#main" @click=${(event: Event) => this.#skip(event)}>${words.skip}</a>
      <div class="frame" ?data-menu=${this.isMenuOpen}>
        <chela-sidebar
          .world=${world}
          .route=${route}
          @new-chat=${() => this.#startChat()}
          @open-palette=${() => (this.over = "palette")}
          @open-preferences=${() => void this.#openPreferences(world)}
        ></chela-sidebar>
        <div class="shade" @click=${() => (this.isMenuOpen = false)}></div>
        <div class="stage">
          <div class="top">
            <button
              class="button quiet square"
              aria-label=${words.menu}
              aria-expanded=${this.isMenuOpen}
              @click=${() => (this.isMenuOpen = !this.isMenuOpen)}
            >
              ${icon("menu")}
            </button>
          </div>
          ${isLost ? this.#renderLost(world) : nothing}
          <main class="main" id="main" tabindex="-1">${this.#renderPage(world)}</main>
        </div>
      </div>
      <chela-notices .world=${world}></chela-notices>
      <chela-palette
        .world=${world}
        .isOpen=${this.over === "palette"}
        @dialog-close=${() => (this.over = undefined)}
      ></chela-palette>
      <chela-preferences
        .world=${world}
        .isOpen=${this.over === "preferences"}
        @dialog-close=${() => (this.over = undefined)}
      ></chela-preferences>`;
  }

  #renderLost(world: World): TemplateResult {
    const words = world.words.of("app");
    return html`<div class="lost" role="alert">
      <span>${words.lost}</span>
      <button class="button small" @click=${() => world.wire.retryNow()}>${words.retryNow}</button>
    </div>`;
  }

  #renderPage(world: World): unknown {
    const route = world.router.route.value;
    const words = world.words.of("app");
    const page = PAGES.find(
      ({ id, needs }) => id === route.page && (world.wire.state.value.kind !== "open" || world.wire.has(needs)),
    );
    if (!page) {
      return html`<div class="empty">
        <p>${words.missing}</p>
        <a class="button" href=${writeRoute("chat")}>${words.toChat}</a>
      </div>`;
    }
    document.title = `${world.words.pageTitle(page.id)} · Chela`;
    if (!this.ready.has(page.id)) {
      void this.#load(page, world);
      return html`<div class="waiting" role="status" aria-busy="true"><span></span><span></span><span></span></div>`;
    }
    const tag = unsafeStatic(`chela-${page.id}-page`);
    return staticHtml`<${tag} class="page" .world=${world} .route=${route}></${tag}>`;
  }

  async #load(page: PageEntry, world: World): Promise<void> {
    if (this.#loading.has(page.id)) return;
    this.#loading.add(page.id);
    try {
      await Promise.all([page.load(), world.words.load(page.id, ...(page.words ?? []))]);
      this.ready = new Set([...this.ready, page.id]);
    } catch (error) {
      this.#complainOfLoading(error, world);
    } finally {
      this.#loading.delete(page.id);
    }
  }

  async #openPreferences(world: World): Promise<void> {
    try {
      await import("./preferences-view.ts");
      this.over = "preferences";
    } catch (error) {
      this.#complainOfLoading(error, world);
    }
  }

  /** The gateway was updated under an open page: its files have other names now. */
  #complainOfLoading(error: unknown, world: World): void {
    world.notices.complain(error, { label: world.words.of("app").retry, run: () => location.reload() });
  }

  #startChat(): void {
    this.world?.router.go("chat", [], { new: "1" });
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.querySelector<HTMLElement>("#main")?.focus();
  }

  #pressed(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      this.over = this.over === "palette" ? undefined : "palette";
    }
  }
}

customElements.define("chela-app", App);
