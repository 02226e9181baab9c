// Asks what a device that does things for agents shall be called.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { wordsOf } from "../../wire/failure.ts";
import type { NodeRow } from "./node-words.ts";
import "../../parts/dialog.ts";

/** `<chela-devices-rename .world .node @dialog-close>`: open while there is a node. */
class DevicesRename extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    node: { attribute: false },
    problem: { state: true },
  };
  declare node: NodeRow | undefined;
  declare problem: string | undefined;

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("node")) this.problem = undefined;
  }

  override updated(changed: Map<string, unknown>): void {
    if (!changed.has("node") || !this.node) return;
    void this.querySelector<HTMLElement & { updateComplete: Promise<boolean> }>("chela-dialog")?.updateComplete.then(
      () => this.querySelector("input")?.select(),
    );
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.node !== undefined}
      label=${this.words("devices").rename}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("devices");
    const app = this.words("app");
    const { problem } = this;
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#save(event)}>
      <label class="field">
        <span>${words.name}</span>
        <input
          class="input"
          name="name"
          maxlength="80"
          autocomplete="off"
          required
          autofocus
          aria-invalid=${problem === undefined ? nothing : "true"}
          aria-describedby="devices-name-hint"
          .value=${this.node?.displayName ?? ""}
        />
        ${
          problem === undefined
            ? html`<span class="hint" id="devices-name-hint">${words.nameHow}</span>`
            : html`<span class="problem" id="devices-name-hint" role="alert">${problem}</span>`
        }
      </label>
      <footer class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${app.cancel}</button>
        <button class="button primary">${app.save}</button>
      </footer>
    </form>`;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { nodeId = "" } = this.node ?? {};
    const displayName = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    try {
      await this.world.wire.call("node.rename", { nodeId, displayName });
      this.#close();
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-devices-rename", DevicesRename);
