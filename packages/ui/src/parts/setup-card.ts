// Shown while only the demo model answers: the way to a real one. What it needs is loaded when it has something to show.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../app/part.ts";
import { icon } from "./icon.ts";
import type { SetupAnswer } from "./setup/take-model.ts";
import "./setup/setup.css";

type Status = MethodAnswer<"setup.status">;
/** In this browser somebody said "later". */
const LATER = "chela.setup-later";

/** `<chela-setup-card .world .stays>`: with `stays`, a line is left of it when it was put away. */
class SetupCard extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    stays: { attribute: false },
    hasWords: { state: true },
    isAway: { state: true },
    isOpen: { state: true },
    taken: { state: true },
  };
  declare stays: boolean;
  declare hasWords: boolean;
  declare isAway: boolean;
  declare isOpen: boolean;
  /** What was just taken into use. */
  declare taken: SetupAnswer | undefined;
  readonly #status = this.asking(() =>
    this.world.wire.has("setup.status")
      ? { method: "setup.status", params: {}, topics: ["config", "models", "agents"] }
      : undefined,
  );
  #isLoading = false;

  constructor() {
    super();
    this.stays = false;
    this.hasWords = false;
    this.isOpen = false;
    this.isAway = localStorage.getItem(LATER) !== null;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.#status.value?.needsModel && !this.hasWords && !this.#isLoading) void this.#load();
  }

  override render(): TemplateResult | typeof nothing {
    const status = this.#status.value;
    if (!this.hasWords) return nothing;
    if (this.taken) return this.#renderReady(this.taken);
    if (!status) return nothing;
    // What somebody is busy with does not go away under their hands.
    if (this.isOpen) return this.#renderForm(status);
    if (!status.needsModel) return nothing;
    if (this.isAway) return this.stays ? this.#renderSlim(status) : nothing;
    return this.#renderInvitation(status);
  }

  /** The keyboard goes where something new has appeared. */
  override updated(changed: PropertyValues): void {
    if (this.taken && changed.has("taken")) this.querySelector<HTMLElement>(".setup-open-chat")?.focus();
    else if (this.isOpen && changed.has("isOpen")) this.querySelector<HTMLElement>(".setup-card h2")?.focus();
  }

  #renderInvitation({ isDemo }: Status): TemplateResult {
    const words = this.words("setup");
    return html`<section class="card setup-card setup-invitation" aria-label=${words.connect}>
      <span class="setup-mark">${icon("thinking")}</span>
      <div class="setup-words">
        <h2>${isDemo ? words.demoTitle : words.missingTitle}</h2>
        <p>${isDemo ? words.demoText : words.missingText}</p>
      </div>
      <div class="setup-actions">
        <button class="button quiet" @click=${() => this.#putAway()}>${words.later}</button>
        <button class="button primary" @click=${() => void this.#open()}>${words.connect}</button>
      </div>
    </section>`;
  }

  #renderSlim({ isDemo }: Status): TemplateResult {
    const words = this.words("setup");
    return html`<p class="setup-slim">
      <span>${isDemo ? words.slim : words.slimMissing}</span>
      <button class="button small" @click=${() => void this.#open()}>${words.connect}</button>
    </p>`;
  }

  #renderForm(status: Status): TemplateResult {
    const words = this.words("setup");
    return html`<section class="card setup-card" aria-label=${words.formTitle}>
      <header>
        <h2 tabindex="-1">${words.formTitle}</h2>
        <button
          class="button quiet square small"
          aria-label=${this.words("app").close}
          title=${this.words("app").close}
          @click=${() => (this.isOpen = false)}
        >
          ${icon("close")}
        </button>
      </header>
      <chela-setup-form
        .world=${this.world}
        .status=${status}
        @model-taken=${(event: CustomEvent<SetupAnswer>) => this.#ready(event.detail)}
      ></chela-setup-form>
    </section>`;
  }

  #renderReady({ model, note }: SetupAnswer): TemplateResult {
    const words = this.words("setup");
    return html`<section class="card setup-card setup-invitation" aria-label=${words.ready}>
      <span class="setup-mark" data-tone="good">${icon("check")}</span>
      <div class="setup-words" role="status">
        <h2>${words.ready}</h2>
        <p>${words.answersNow(model)}</p>
        ${note ? html`<p class="muted">${note}</p>` : nothing}
      </div>
      <div class="setup-actions">
        <button class="button primary setup-open-chat" @click=${() => this.#openChat()}>${words.openChat}</button>
      </div>
    </section>`;
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    this.hasWords = await this.attempt(() => this.world.words.load("setup"));
  }

  async #open(): Promise<void> {
    if (await this.attempt(() => import("./setup/form.ts"))) this.isOpen = true;
  }

  #putAway(): void {
    localStorage.setItem(LATER, "1");
    this.isAway = true;
  }

  #ready(taken: SetupAnswer): void {
    localStorage.removeItem(LATER);
    this.isAway = false;
    this.isOpen = false;
    this.taken = taken;
  }

  /** On the chat page itself only the keyboard has to go there. */
  #openChat(): void {
    this.taken = undefined;
    const composer = this.closest("chela-chat-page")?.querySelector<HTMLElement>("chela-composer textarea");
    if (composer) composer.focus();
    else this.world.router.go("chat");
  }
}

customElements.define("chela-setup-card", SetupCard);
