// Devices that ask for something: to be let in, or to do more for agents. Each can be answered with yes or no.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { deviceName, type WaitingDevice } from "./device-words.ts";
import { isMeant } from "./node-actions.ts";
import type { WaitingNode } from "./node-words.ts";
import { renderWaiting } from "./waiting-device.ts";
import { renderWaitingNode } from "./waiting-node.ts";

/** `<chela-devices-questions .world .devices .nodes @answer-failed>` */
class DevicesQuestions extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    devices: { attribute: false },
    nodes: { attribute: false },
    answered: { state: true },
  };
  declare devices: readonly WaitingDevice[];
  declare nodes: readonly WaitingNode[];
  /** Requests that were answered here and may still be listed. */
  declare answered: ReadonlySet<string>;

  constructor() {
    super();
    this.answered = new Set();
  }

  override render(): TemplateResult {
    return html`<div aria-live="polite" class="devices-questions">
      ${this.devices.length > 0 ? this.#renderDevices() : nothing}
      ${this.nodes.length > 0 ? this.#renderNodes() : nothing}
    </div>`;
  }

  #renderDevices(): TemplateResult {
    const words = this.words("devices");
    const { wire } = this.world;
    const answers = {
      isAnswered: ({ requestId }: WaitingDevice) => this.answered.has(requestId),
      approve: (device: WaitingDevice) => {
        const { requestId } = device;
        const approve = () => wire.call("device.pair.approve", { requestId });
        void this.#answer(requestId, approve, words.approved(deviceName(words, device)));
      },
      reject: (device: WaitingDevice) => {
        const { requestId } = device;
        const reject = () => wire.call("device.pair.reject", { requestId });
        void this.#answer(requestId, reject, words.rejected(deviceName(words, device)));
      },
    };
    return html`<section class="stack">
      <div>
        <h2>${words.waiting}</h2>
        <p class="muted">${words.waitingHow}</p>
      </div>
      ${repeat(
        this.devices,
        ({ requestId }) => requestId,
        (device) => renderWaiting(device, this.world.words, answers),
      )}
    </section>`;
  }

  #renderNodes(): TemplateResult {
    const words = this.words("devices");
    const { wire } = this.world;
    const answers = {
      isAnswered: ({ requestId }: WaitingNode) => this.answered.has(requestId),
      approve: (node: WaitingNode) => void this.#allow(node),
      reject: (node: WaitingNode) => {
        const { requestId } = node;
        const reject = () => wire.call("node.pair.reject", { requestId });
        void this.#answer(requestId, reject, words.refused(deviceName(words, node)));
      },
    };
    return html`<section class="stack">
      <div>
        <h2>${words.offers}</h2>
        <p class="muted">${words.offersHow}</p>
      </div>
      ${repeat(
        this.nodes,
        ({ requestId }) => requestId,
        (node) => renderWaitingNode(node, this.world.words, answers),
      )}
    </section>`;
  }

  async #allow(node: WaitingNode): Promise<void> {
    if (!(await isMeant(this.world, node))) return;
    const words = this.words("devices");
    const { requestId } = node;
    const approve = () => this.world.wire.call("node.pair.approve", { requestId });
    await this.#answer(requestId, approve, words.allowed(deviceName(words, node)));
  }

  async #answer(requestId: string, act: () => Promise<unknown>, said: string): Promise<void> {
    this.answered = new Set([...this.answered, requestId]);
    if (await this.attempt(act, said)) return;
    this.answered = new Set([...this.answered].filter((id) => id !== requestId));
    // It may have lapsed, or somebody else was faster.
    this.dispatchEvent(new CustomEvent("answer-failed"));
  }
}

customElements.define("chela-devices-questions", DevicesQuestions);
