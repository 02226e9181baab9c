// Opens the page on another device: a link that works once, as text and as a picture; or what to do first.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { countdown } from "../../parts/countdown.ts";
import { icon } from "../../parts/icon.ts";
import { findWaysIn, linkTo } from "./reach.ts";
import "../../parts/dialog.ts";
import "./qr-code.ts";

class OpenElsewhere extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    isOpen: { state: true },
    code: { state: true },
    origin: { state: true },
  };
  declare isOpen: boolean;
  declare code: MethodAnswer<"access.code"> | undefined;
  /** The address that was chosen, where there are several. */
  declare origin: string | undefined;
  readonly #config = this.asking(() => ({ method: "config.get", params: {}, topics: ["config"] }));
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.isOpen = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#clock);
  }

  override render(): TemplateResult {
    const words = this.words("devices");
    return html`<button class="button" @click=${() => void this.#open()}>
        ${icon("external")}<span>${words.openElsewhere}</span>
      </button>
      <chela-dialog
        .isOpen=${this.isOpen}
        label=${words.openElsewhere}
        closeLabel=${this.words("app").close}
        .content=${() => this.#renderContent()}
        @dialog-close=${() => this.#close()}
      ></chela-dialog>`;
  }

  get #ways(): string[] {
    return findWaysIn(location, this.#config.value?.config);
  }

  #renderContent(): TemplateResult {
    if (this.#ways.length === 0) return this.#renderExplanation();
    return this.code
      ? this.#renderLink(this.code)
      : html`<div class="waiting" role="status" aria-busy="true"><span></span></div>`;
  }

  #renderLink(code: MethodAnswer<"access.code">): TemplateResult {
    const words = this.words("devices");
    const ways = this.#ways;
    const link = linkTo(this.origin ?? ways[0] ?? "", code);
    const leftMs = code.expiresAtMs - Date.now();
    if (leftMs <= 0) {
      return html`<div class="stack">
        <p>${words.linkOver}</p>
        <button class="button primary" @click=${() => void this.#makeCode()}>${words.linkAnew}</button>
      </div>`;
    }
    return html`<div class="stack">
      <p>${words.elsewhereHow}</p>
      ${ways.length > 1 ? this.#renderWays(ways) : nothing}
      <chela-qr-code text=${link} label=${words.picture}></chela-qr-code>
      <div class="row devices-link">
        <input class="input mono" readonly aria-label=${words.link} .value=${link} />
        <button class="button" @click=${() => void this.#copy(link)}>${icon("copy")}${this.words("app").copy}</button>
      </div>
      <p class="hint" role="timer">${words.linkWorks(countdown(leftMs))}</p>
    </div>`;
  }

  #renderWays(ways: readonly string[]): TemplateResult {
    const words = this.words("devices");
    return html`<label class="field">
      <span>${words.elsewhereWhere}</span>
      <select class="input" @change=${(event: Event) => (this.origin = (event.target as HTMLSelectElement).value)}>
        ${ways.map((way) => html`<option value=${way}>${way}</option>`)}
      </select>
    </label>`;
  }

  #renderExplanation(): TemplateResult {
    const words = this.words("devices");
    const port = location.port || "18789";
    return html`<div class="stack">
      <h3>${words.notReachable}</h3>
      <p>${words.notReachableHow}</p>
      <ol class="devices-ways">
        <li>${words.wayTailscale}</li>
        <li>${words.wayTls}</li>
        <li>
          ${words.waySsh}
          <pre class="command">ssh -N -L ${port}:127.0.0.1:${port} ${this.#gatewayHost()}</pre>
        </li>
      </ol>
      <div><a class="button" href=${writeRoute("config")}>${words.toConfig}</a></div>
    </div>`;
  }

  #gatewayHost(): string {
    const self = this.world.wire.hello?.snapshot.presence.find(({ mode }) => mode === "gateway");
    return self?.ip ?? self?.host ?? "gateway";
  }

  async #open(): Promise<void> {
    this.isOpen = true;
    this.origin = undefined;
    // The clock goes while a link is shown, so that one sees how long it is good.
    this.#clock = setInterval(() => this.requestUpdate(), 1000);
    if (this.#ways.length > 0) await this.#makeCode();
  }

  async #makeCode(): Promise<void> {
    const isMade = await this.attempt(async () => (this.code = await this.world.wire.call("access.code", {})));
    if (!isMade) this.#close();
  }

  /** The code is not kept: whoever opens this again gets another. */
  #close(): void {
    clearInterval(this.#clock);
    this.isOpen = false;
    this.code = undefined;
  }

  #copy(link: string): Promise<boolean> {
    return this.attempt(() => navigator.clipboard.writeText(link), this.words("devices").linkCopied);
  }
}

customElements.define("chela-open-elsewhere", OpenElsewhere);
