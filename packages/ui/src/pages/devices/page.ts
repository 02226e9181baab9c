// The page of devices: who asks to be let in, who has a key, and who is here right now.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Page } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { readDeviceId } from "../../wire/device-key.ts";
import { WireFailure } from "../../wire/failure.ts";
import { isHere, renderConnected } from "./connected.ts";
import { deviceName, type PairedDevice, type WaitingDevice } from "./device-words.ts";
import { renderPaired, type DeviceAction } from "./paired-device.ts";
import { renderWaiting } from "./waiting-device.ts";
import "../../parts/dialog.ts";
import "./open-elsewhere.ts";
import "./page.css";

/** How often "3 minutes ago" is looked at again. */
const RETELL_MS = 20_000;

class DevicesPage extends Page {
  static override properties: PropertyDeclarations = {
    ...Page.properties,
    ownId: { state: true },
    newToken: { state: true },
    answered: { state: true },
  };
  declare ownId: string | undefined;
  /** A token that was just made; gone when its window is closed. */
  declare newToken: string | undefined;
  /** Requests that were answered here and may still be listed. */
  declare answered: ReadonlySet<string>;
  readonly #devices = this.asking(() => ({ method: "device.pair.list", params: {}, topics: ["devices"] }));
  readonly #presence = this.asking(() => ({ method: "system-presence", params: {}, topics: ["presence"] }));
  #clock: ReturnType<typeof setInterval> | undefined;
  #expiry: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.answered = new Set();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#clock = setInterval(() => this.requestUpdate(), RETELL_MS);
    void this.attempt(async () => (this.ownId = await readDeviceId()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#clock);
    clearTimeout(this.#expiry);
  }

  /** Nobody tells when a question lapses: the list is asked for again when the next one does. */
  override updated(): void {
    clearTimeout(this.#expiry);
    const ends = (this.#devices.value?.pending ?? []).map(({ expiresAtMs }) => expiresAtMs);
    if (ends.length === 0) return;
    const waitMs = Math.max(Math.min(...ends) - Date.now() + 500, 5000);
    this.#expiry = setTimeout(() => this.#devices.again(), waitMs);
  }

  override render(): TemplateResult {
    const words = this.words("devices");
    const app = this.words("app");
    const retry = { label: app.retry, run: () => this.#devices.again() };
    const canMakeLinks = this.world.wire.has("access.code");
    return html`<header class="page-head">
        <h1>${app.page_devices}</h1>
        ${canMakeLinks ? html`<chela-open-elsewhere .world=${this.world}></chela-open-elsewhere>` : nothing}
      </header>
      <div class="devices-sections">
        ${renderAsked(this.#devices.state, (devices) => this.#renderDevices(devices), retry)}
        <section class="stack">
          <h2>${words.connected}</h2>
          ${renderAsked(
            this.#presence.state,
            (present) => renderConnected(present.filter(isHere), this.world.words, this.ownId),
            { label: app.retry, run: () => this.#presence.again() },
          )}
        </section>
      </div>
      ${this.#renderNewToken()}`;
  }

  #renderDevices({ pending, paired }: MethodAnswer<"device.pair.list">): TemplateResult {
    const words = this.words("devices");
    return html`<div aria-live="polite" ?data-empty=${pending.length === 0}>
        ${pending.length > 0 ? this.#renderWaiting(pending) : nothing}
      </div>
      <section class="stack">
        <h2>${words.paired}</h2>
        ${paired.length === 0 ? html`<p class="muted">${words.nonePaired}</p>` : this.#renderPaired(paired)}
      </section>`;
  }

  #renderWaiting(pending: readonly WaitingDevice[]): TemplateResult {
    const words = this.words("devices");
    const actions = {
      isAnswered: ({ requestId }: WaitingDevice) => this.answered.has(requestId),
      approve: (device: WaitingDevice) => void this.#approve(device),
      reject: (device: WaitingDevice) => void this.#reject(device),
    };
    return html`<section class="stack">
      <div>
        <h2>${words.waiting}</h2>
        <p class="muted">${words.waitingHow}</p>
      </div>
      ${repeat(
        pending,
        ({ requestId }) => requestId,
        (device) => renderWaiting(device, this.world.words, actions),
      )}
    </section>`;
  }

  #renderPaired(paired: readonly PairedDevice[]): TemplateResult {
    const here = new Set((this.#presence.value ?? []).filter(isHere).map(({ deviceId }) => deviceId));
    const isOwn = ({ deviceId }: PairedDevice): boolean => deviceId === this.ownId;
    // Stays put while others come and go: this browser first, then the newest.
    const ordered = [...paired.filter(isOwn), ...paired.filter((device) => !isOwn(device))];
    return html`<ul class="devices-list">
      ${repeat(
        ordered,
        ({ deviceId }) => deviceId,
        (device) =>
          renderPaired(
            device,
            { isThisBrowser: isOwn(device), isConnected: here.has(device.deviceId) },
            this.world.words,
            (action) => void this.#act(device, action),
          ),
      )}
    </ul>`;
  }

  #renderNewToken(): TemplateResult {
    const words = this.words("devices");
    const app = this.words("app");
    const content = (): TemplateResult =>
      html`<div class="stack">
        <p>${words.newTokenHow}</p>
        <pre class="command">${this.newToken}</pre>
        <div>
          <button class="button primary" @click=${() => void this.#copyToken()}>${icon("copy")}${app.copy}</button>
        </div>
      </div>`;
    return html`<chela-dialog
      .isOpen=${this.newToken !== undefined}
      label=${words.newToken}
      closeLabel=${app.close}
      .content=${content}
      @dialog-close=${() => (this.newToken = undefined)}
    ></chela-dialog>`;
  }

  #copyToken(): Promise<boolean> {
    const { newToken = "" } = this;
    return this.attempt(() => navigator.clipboard.writeText(newToken), this.words("devices").tokenCopied);
  }

  async #approve(device: WaitingDevice): Promise<void> {
    const words = this.words("devices");
    const { requestId } = device;
    const approve = () => this.world.wire.call("device.pair.approve", { requestId });
    await this.#answer(requestId, approve, words.approved(deviceName(words, device)));
  }

  async #reject(device: WaitingDevice): Promise<void> {
    const words = this.words("devices");
    const { requestId } = device;
    const reject = () => this.world.wire.call("device.pair.reject", { requestId });
    await this.#answer(requestId, reject, words.rejected(deviceName(words, device)));
  }

  async #answer(requestId: string, act: () => Promise<unknown>, said: string): Promise<void> {
    this.answered = new Set([...this.answered, requestId]);
    if (await this.attempt(act, said)) return;
    this.answered = new Set([...this.answered].filter((id) => id !== requestId));
    // It may have lapsed, or somebody else was faster.
    this.#devices.again();
  }

  #act(device: PairedDevice, action: DeviceAction): Promise<void> {
    switch (action.kind) {
      case "rotate":
        return this.#rotate(device, action.role);
      case "revoke":
        return this.#revoke(device, action.role);
      case "remove":
        return device.deviceId === this.ownId ? this.#removeOwn(device) : this.#remove(device);
    }
  }

  async #rotate(device: PairedDevice, role: string): Promise<void> {
    const words = this.words("devices");
    const { deviceId } = device;
    const question = { title: words.rotateTitle(deviceName(words, device)), text: words.rotateText, yes: words.rotate };
    if (!(await this.world.notices.ask(question))) return;
    await this.attempt(async () => {
      this.newToken = (await this.world.wire.call("device.token.rotate", { deviceId, role })).token;
    });
  }

  async #revoke(device: PairedDevice, role: string): Promise<void> {
    const words = this.words("devices");
    const { deviceId } = device;
    const name = deviceName(words, device);
    const question = { title: words.revokeTitle(name), text: words.revokeText, yes: words.revoke, isDangerous: true };
    if (!(await this.world.notices.ask(question))) return;
    await this.attempt(() => this.world.wire.call("device.token.revoke", { deviceId, role }), words.signedOut(name));
  }

  async #remove(device: PairedDevice): Promise<void> {
    const words = this.words("devices");
    const { deviceId } = device;
    const name = deviceName(words, device);
    const question = { title: words.removeTitle(name), text: words.removeText, yes: words.remove, isDangerous: true };
    if (!(await this.world.notices.ask(question))) return;
    await this.attempt(() => this.world.wire.call("device.pair.remove", { deviceId }), words.removed(name));
  }

  /** The connection ends before the answer comes, which is the answer. */
  async #removeOwn({ deviceId }: PairedDevice): Promise<void> {
    const words = this.words("devices");
    const { removeThisTitle: title, removeThisText: text, remove: yes } = words;
    if (!(await this.world.notices.ask({ title, text, yes, isDangerous: true }))) return;
    await this.attempt(async () => {
      try {
        await this.world.wire.call("device.pair.remove", { deviceId });
      } catch (error) {
        if (!(error instanceof WireFailure) || error.code !== "OFFLINE") throw error;
      }
    });
  }
}

customElements.define("chela-devices-page", DevicesPage);
