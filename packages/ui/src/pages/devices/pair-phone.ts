// Pairs a phone: a code to scan that works once and for ten minutes, and word of the phone when it has come.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { countdown } from "../../parts/countdown.ts";
import { icon } from "../../parts/icon.ts";
import { findArrived, whoIsPaired, type AwaitedDevice } from "./arrived.ts";
import { deviceName, type PairedDevice } from "./device-words.ts";
import { refusalOf, renderRefusal, type SetupRefusal } from "./setup-refusal.ts";
import { renderRights } from "./setup-rights.ts";
import "../../parts/dialog.ts";
import "./qr-code.ts";

type Setup = MethodAnswer<"device.setup.create">;
type Wish = MethodParams<"device.setup.create">;

type Step =
  | { readonly kind: "making" }
  | { readonly kind: "code"; readonly setup: Setup }
  /** There is no address a phone could use, or the one that was named does not do. */
  | { readonly kind: "refused"; readonly refusal: SetupRefusal }
  | { readonly kind: "arrived"; readonly device: PairedDevice; readonly roles: Setup["roles"] };

/** `<chela-pair-phone .world .paired .waiting>`: a button and its window. */
class PairPhone extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    paired: { attribute: false },
    waiting: { attribute: false },
    isOpen: { state: true },
    step: { state: true },
  };
  /** The devices that are paired now, as the gateway tells. */
  declare paired: readonly PairedDevice[];
  /** Ids of devices that wait for a person's answer: they come by that, not by a code. */
  declare waiting: readonly string[];
  declare isOpen: boolean;
  declare step: Step;
  #wish: Wish = {};
  #awaited: AwaitedDevice | undefined;
  readonly #answered = new Set<string>();
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.isOpen = false;
    this.step = { kind: "making" };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#clock);
  }

  override willUpdate(): void {
    for (const deviceId of this.waiting) this.#answered.add(deviceId);
    if (this.step.kind !== "code" || !this.#awaited) return;
    const device = findArrived(this.paired, this.#awaited, this.#answered);
    if (device) this.step = { kind: "arrived", device, roles: this.step.setup.roles };
  }

  override render(): TemplateResult {
    const words = this.words("devices");
    return html`<button class="button primary" @click=${() => this.#open()}>
        ${icon("plus")}<span>${words.pairPhone}</span>
      </button>
      <chela-dialog
        .isOpen=${this.isOpen}
        label=${words.pairPhone}
        closeLabel=${this.words("app").close}
        .content=${() => html`<div class="stack" aria-live="polite">${this.#renderStep()}</div>`}
        @dialog-close=${() => this.#close()}
      ></chela-dialog>`;
  }

  #renderStep(): TemplateResult {
    const { step } = this;
    switch (step.kind) {
      case "making":
        return html`<div class="waiting" role="status" aria-busy="true"><span></span><span></span></div>`;
      case "refused":
        return html`${renderRefusal(step.refusal, this.words("devices"))} ${this.#renderForm(true)}`;
      case "arrived":
        return this.#renderArrived(step);
      case "code":
        return step.setup.expiresAtMs > Date.now() ? this.#renderCode(step.setup) : this.#renderOver();
    }
  }

  #renderCode(setup: Setup): TemplateResult {
    const words = this.words("devices");
    const { setupCode, url, expiresAtMs } = setup;
    return html`<p>${words.scanHow}</p>
      <chela-qr-code class="devices-qr-large" text=${setupCode} label=${words.setupPicture}></chela-qr-code>
      <p class="devices-under">
        <strong>${url}</strong><br />
        <span class="hint" role="timer">${words.codeWorks(countdown(expiresAtMs - Date.now()))}</span>
      </p>
      ${renderRights(setup.roles, words)}
      <label class="field">
        <span>${words.setupCode}</span>
        <span class="row devices-link">
          <input class="input mono" readonly .value=${setupCode} />
          <button type="button" class="button" @click=${() => void this.#copy(setupCode)}>
            ${icon("copy")}${this.words("app").copy}
          </button>
        </span>
        <span class="hint">${words.setupCodeHow}</span>
      </label>
      <details class="devices-more">
        <summary>${words.otherCode}</summary>
        ${this.#renderForm(false)}
      </details>`;
  }

  /** What of the code can be chosen. */
  #renderForm(isAddressFirst: boolean): TemplateResult {
    const words = this.words("devices");
    const { name = "", role = "" } = this.#wish;
    const about = html`<label class="field">
        <span>${words.name}</span>
        <input
          class="input"
          name="name"
          maxlength="80"
          autocomplete="off"
          placeholder=${words.nameOwn}
          .value=${name}
        />
      </label>
      <label class="field">
        <span>${words.asWhat}</span>
        <select class="input" name="role">
          ${(["", "operator", "node"] as const).map(
            (choice) =>
              html`<option value=${choice} ?selected=${choice === role}>${words[`as_${choice || "both"}`]}</option>`,
          )}
        </select>
      </label>`;
    return html`<form class="form" @submit=${(event: SubmitEvent) => this.#submitted(event)}>
      ${isAddressFirst ? [this.#renderAddress(), about] : [about, this.#renderAddress()]}
      <div><button class="button">${words.codeAnew}</button></div>
    </form>`;
  }

  #renderAddress(): TemplateResult {
    const words = this.words("devices");
    return html`<label class="field">
      <span>${words.phoneAddress}</span>
      <input
        class="input mono"
        name="url"
        maxlength="2000"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        placeholder="wss://…"
        .value=${this.#wish.url ?? ""}
      />
      <span class="hint">${words.phoneAddressHow}</span>
    </label>`;
  }

  #renderOver(): TemplateResult {
    const words = this.words("devices");
    return html`<p>${words.codeOver}</p>
      <div>
        <button class="button primary" @click=${() => void this.#make()}>${words.codeAnew}</button>
      </div>`;
  }

  #renderArrived({ device, roles }: Extract<Step, { kind: "arrived" }>): TemplateResult {
    const words = this.words("devices");
    return html`<div class="devices-arrived">
        <span>${icon("check")}</span>
        <h3>${words.arrived(deviceName(words, device))}</h3>
      </div>
      ${renderRights(roles, words)}
      <footer class="dialog-foot">
        <button class="button" @click=${() => void this.#make()}>${words.pairAnother}</button>
        <button class="button primary" @click=${() => this.#close()}>${words.done}</button>
      </footer>`;
  }

  #open(): void {
    this.isOpen = true;
    this.#wish = {};
    // The clock goes while a code is shown, so that one sees how long it is good.
    this.#clock = setInterval(() => this.requestUpdate(), 1000);
    void this.#make();
  }

  #submitted(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const given = (name: string): string => String(form.get(name) ?? "").trim();
    const role = given("role");
    this.#wish = {
      ...(given("name") ? { name: given("name") } : {}),
      ...(role === "operator" || role === "node" ? { role } : {}),
      ...(given("url") ? { url: given("url") } : {}),
    };
    void this.#make();
  }

  async #make(): Promise<void> {
    this.step = { kind: "making" };
    this.#answered.clear();
    const before = whoIsPaired(this.paired);
    try {
      const setup = await this.world.wire.call("device.setup.create", this.#wish);
      if (!this.isOpen) return;
      this.#awaited = { before, roles: setup.roles, name: this.#wish.name };
      this.step = { kind: "code", setup };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) this.step = { kind: "refused", refusal };
      else {
        this.world.notices.complain(error);
        this.#close();
      }
    }
  }

  /** The code is not kept: whoever opens this again gets another. */
  #close(): void {
    clearInterval(this.#clock);
    this.isOpen = false;
    this.#awaited = undefined;
    this.step = { kind: "making" };
  }

  #copy(setupCode: string): Promise<boolean> {
    return this.attempt(() => navigator.clipboard.writeText(setupCode), this.words("devices").setupCodeCopied);
  }
}

customElements.define("chela-pair-phone", PairPhone);
