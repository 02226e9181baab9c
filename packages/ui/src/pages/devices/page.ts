// The page of devices: who asks to be let in, who has a key and what they do for agents, and who is here right now.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Page } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { Ticking } from "../../state/ticking.ts";
import { readDeviceId } from "../../wire/device-key.ts";
import { isHere, renderConnected } from "./connected.ts";
import { removeDevice, removeThisBrowser, revokeToken, rotateToken } from "./device-actions.ts";
import type { Renaming } from "../../parts/rename-dialog.ts";
import type { PairedDevice } from "./device-words.ts";
import { checkNode, notifyNode, takeBack } from "./node-actions.ts";
import type { NodeRow, WaitingNode } from "./node-words.ts";
import { renderPaired, type DeviceAction } from "./paired-device.ts";
import { renderStray } from "./stray-node.ts";
import "../../parts/dialog.ts";
import "./open-elsewhere.ts";
import "./pair-phone.ts";
import "./questions.ts";
import "../../parts/rename-dialog.ts";
import "./page.css";

/** How often "3 minutes ago" is looked at again. */
const RETELL_MS = 20_000;
/** A device that is not here and asks for more is forgotten after so long. */
const NODE_WAITS_MS = 5 * 60_000;

class DevicesPage extends Page {
  static override properties: PropertyDeclarations = {
    ...Page.properties,
    ownId: { state: true },
    newToken: { state: true },
    renamed: { state: true },
  };
  declare ownId: string | undefined;
  /** A token that was just made; gone when its window is closed. */
  declare newToken: string | undefined;
  /** The one that is being given a name. */
  declare renamed: NodeRow | undefined;
  readonly #devices = this.asking(() => ({ method: "device.pair.list", params: {}, topics: ["devices"] }));
  readonly #presence = this.asking(() => ({ method: "system-presence", params: {}, topics: ["presence"] }));
  readonly #nodes = this.asking(() =>
    this.world.wire.has("node.list")
      ? { method: "node.list", params: {}, topics: ["devices", "presence", "config"] }
      : undefined,
  );
  readonly #offers = this.asking(() =>
    this.world.wire.has("node.pair.list")
      ? { method: "node.pair.list", params: {}, topics: ["devices", "presence"] }
      : undefined,
  );
  #expiry: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.addController(new Ticking(this, RETELL_MS));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.attempt(async () => (this.ownId = await readDeviceId()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#expiry);
  }

  /** Nobody tells when a question lapses: the lists are asked for again when the next one does. */
  override updated(): void {
    clearTimeout(this.#expiry);
    const ends = [
      ...(this.#devices.value?.pending ?? []).map(({ expiresAtMs }) => expiresAtMs),
      ...this.#waitingNodes.filter(({ nodeId }) => !this.#isHere(nodeId)).map(({ ts }) => ts + NODE_WAITS_MS),
    ];
    if (ends.length === 0) return;
    const waitMs = Math.max(Math.min(...ends) - Date.now() + 500, 5000);
    this.#expiry = setTimeout(() => this.#askAgain(), waitMs);
  }

  override render(): TemplateResult {
    const words = this.words("devices");
    const app = this.words("app");
    const { wire } = this.world;
    const { paired = [], pending = [] } = this.#devices.value ?? {};
    return html`<header class="page-head">
        <h1>${this.pageTitle("devices")}</h1>
        ${wire.has("access.code") ? html`<chela-open-elsewhere .world=${this.world}></chela-open-elsewhere>` : nothing}
        ${
          wire.has("device.setup.create")
            ? html`<chela-pair-phone
                .world=${this.world}
                .paired=${paired}
                .waiting=${pending.map(({ deviceId }) => deviceId)}
              ></chela-pair-phone>`
            : nothing
        }
      </header>
      <div class="devices-sections">
        <chela-devices-questions
          .world=${this.world}
          .devices=${pending}
          .nodes=${this.#waitingNodes}
          ?data-empty=${pending.length + this.#waitingNodes.length === 0}
          @answer-failed=${() => this.#askAgain()}
        ></chela-devices-questions>
        <section class="stack">
          <h2>${words.paired}</h2>
          ${renderAsked(this.#devices.state, () => this.#renderPaired(paired), {
            label: app.retry,
            run: () => this.#askAgain(),
          })}
        </section>
        <section class="stack">
          <h2>${words.connected}</h2>
          ${renderAsked(
            this.#presence.state,
            (present) =>
              renderConnected(present.filter(isHere), this.world.words, {
                ownId: this.ownId,
                nameOf: (id) => this.#nodeOf(id)?.displayName ?? paired.find((one) => one.deviceId === id)?.displayName,
              }),
            { label: app.retry, run: () => this.#presence.again() },
          )}
        </section>
      </div>
      <chela-rename
        .world=${this.world}
        .renaming=${this.renamed && this.#renamingOf(this.renamed)}
        @dialog-close=${() => this.#renamed()}
      ></chela-rename>
      ${this.#renderNewToken()}`;
  }

  #renamingOf({ nodeId, displayName: current = "" }: NodeRow): Renaming {
    const { rename: title, name, nameHow: hint } = this.words("devices");
    const save = (displayName: string) => this.world.wire.call("node.rename", { nodeId, displayName });
    return { title, label: name, hint, current, longest: 80, save };
  }

  /** Under the names they are known by: what a device calls itself now is not ours to believe. */
  get #waitingNodes(): readonly WaitingNode[] {
    return (this.#offers.value?.pending ?? []).map((request) => {
      const displayName = this.#nodeOf(request.nodeId)?.displayName ?? request.displayName;
      return { ...request, ...(displayName ? { displayName } : {}) };
    });
  }

  #nodeOf(deviceId: string): NodeRow | undefined {
    return this.#nodes.value?.nodes.find(({ nodeId }) => nodeId === deviceId);
  }

  #isHere(nodeId: string): boolean {
    return this.#nodeOf(nodeId)?.connected ?? false;
  }

  #renderPaired(paired: readonly PairedDevice[]): TemplateResult {
    const words = this.words("devices");
    const here = new Set((this.#presence.value ?? []).filter(isHere).map(({ deviceId }) => deviceId));
    const approved = this.#offers.value?.paired ?? [];
    const isOwn = ({ deviceId }: PairedDevice): boolean => deviceId === this.ownId;
    // Stays put while others come and go: this browser first, then the newest.
    const ordered = [...paired.filter(isOwn), ...paired.filter((device) => !isOwn(device))];
    // Approved by hand or long ago, and no device of today.
    const strays = approved.filter(({ nodeId }) => !paired.some(({ deviceId }) => deviceId === nodeId));
    if (ordered.length + strays.length === 0) return html`<p class="muted">${words.nonePaired}</p>`;
    return html`<ul class="devices-list">
      ${repeat(
        ordered,
        ({ deviceId }) => deviceId,
        (device) => {
          const { deviceId } = device;
          const node = this.#nodeOf(deviceId);
          const facts = {
            isThisBrowser: isOwn(device),
            isConnected: here.has(deviceId) || node?.connected === true,
            node,
            approved: approved.find(({ nodeId }) => nodeId === deviceId),
          };
          return renderPaired(device, facts, this.world.words, (action) => void this.#act(device, node, action));
        },
      )}
      ${strays.map((node) => renderStray(node, this.world.words, () => void this.#takeBackFrom(node)))}
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

  async #takeBackFrom(node: Pick<NodeRow, "nodeId" | "displayName">): Promise<void> {
    if (await takeBack(this.world, node)) this.#askAgain();
  }

  #renamed(): void {
    this.renamed = undefined;
    this.#askAgain();
  }

  #askAgain(): void {
    this.#devices.again();
    this.#nodes.again();
    this.#offers.again();
  }

  async #act(device: PairedDevice, node: NodeRow | undefined, action: DeviceAction): Promise<void> {
    const { world } = this;
    switch (action.kind) {
      case "rotate":
        this.newToken = await rotateToken(world, device, action.role);
        return;
      case "revoke":
        return void (await revokeToken(world, device, action.role));
      case "remove":
        return void (await (device.deviceId === this.ownId ? removeThisBrowser : removeDevice)(world, device));
      case "rename":
        this.renamed = node;
        return;
      case "notify":
        return void (node && (await notifyNode(world, node)));
      case "check":
        return void (node && (await checkNode(world, node)));
      case "take-back":
        return void (node && (await this.#takeBackFrom(node)));
    }
  }
}

customElements.define("chela-devices-page", DevicesPage);
