// Identity of the agent: its picture, its name, its emoji and its manner.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { isObject } from "../../settings/json-place.ts";
import { agentName, isPictureElsewhere, type Agent } from "./agent-facts.ts";
import { squarePicture } from "./avatar-picture.ts";
import { renderAvatar } from "./avatar-view.ts";
import { patchConfig } from "./patch-config.ts";
import { agentsPatch, writtenAgent } from "./written-agent.ts";

type Field = "name" | "emoji" | "theme";

class IdentityTab extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    typed: { state: true },
    isBusy: { state: true },
  };
  declare agent: Agent;
  /** What was typed and is not saved. */
  declare typed: Partial<Record<Field, string>>;
  declare isBusy: boolean;
  readonly #config = this.asking(() => ({ method: "config.get", params: {}, topics: ["config"] }));

  constructor() {
    super();
    this.typed = {};
    this.isBusy = false;
  }

  override render(): TemplateResult {
    const words = this.words("agents");
    return html`<form class="form" @submit=${(event: Event) => void this.#save(event)}>
      ${this.#renderPicture()}
      <div class="agents-name-row">
        ${this.#renderField("name", words.name, undefined)} ${this.#renderField("emoji", words.emoji, words.emojiHint)}
      </div>
      ${this.#renderField("theme", words.theme, words.themeHint)}
      <div class="row">
        <button class="button primary" ?disabled=${this.isBusy || this.#changed().length === 0}>
          ${this.words("app").save}
        </button>
        ${
          this.#changed().length > 0
            ? html`<button type="button" class="button quiet" @click=${() => (this.typed = {})}>
                  ${words.discard}
                </button>
                <span class="hint" role="status">${words.unsaved}</span>`
            : nothing
        }
      </div>
    </form>`;
  }

  #renderPicture(): TemplateResult {
    const words = this.words("agents");
    return html`<div class="agents-picture">
      ${renderAvatar(this.agent, "large")}
      <div class="stack">
        <div class="row wrap">
          <label class="button agents-file-button">
            ${icon("image")}${words.choosePicture}
            <input
              type="file"
              class="seen-by-readers"
              accept="image/png,image/jpeg,image/gif,image/webp"
              aria-label=${words.choosePicture}
              @change=${(event: Event) => void this.#choose(event.target as HTMLInputElement)}
            />
          </label>
          ${
            this.#written("avatar")
              ? html`<button type="button" class="button quiet" @click=${() => void this.#removePicture()}>
                  ${words.removePicture}
                </button>`
              : nothing
          }
        </div>
        <p class="hint">${isPictureElsewhere(this.agent) ? words.pictureElsewhere : words.pictureHint}</p>
      </div>
    </div>`;
  }

  #renderField(field: Field, label: string, hint: string | undefined): TemplateResult {
    const words = this.words("agents");
    const isFromFile = this.#config.value !== undefined && this.agent.identity?.[field] && !this.#written(field);
    const shown = isFromFile ? words.fromFile : hint;
    return html`<label class="field">
      <span>${label}</span>
      <input
        class="input"
        aria-label=${label}
        aria-describedby=${shown ? `agents-${field}-hint` : nothing}
        maxlength=${field === "emoji" ? 16 : 128}
        autocomplete="off"
        ?required=${field === "name"}
        .value=${this.typed[field] ?? this.#value(field)}
        @input=${(event: InputEvent) =>
          (this.typed = { ...this.typed, [field]: (event.target as HTMLInputElement).value })}
      />
      ${shown ? html`<span class="hint" id="agents-${field}-hint">${shown}</span>` : nothing}
    </label>`;
  }

  #value(field: Field): string {
    return field === "name" ? agentName(this.agent) : (this.agent.identity?.[field] ?? "");
  }

  /** Whether the configuration says it, and not only the agent's own file. */
  #written(field: Field | "avatar"): boolean {
    const { identity } = writtenAgent(this.#config.value?.parsed, this.agent.id);
    return isObject(identity) && typeof identity[field] === "string" && identity[field] !== "";
  }

  #changed(): Field[] {
    return (["name", "emoji", "theme"] as const).filter((field) => {
      const typed = this.typed[field]?.trim();
      return typed !== undefined && typed !== this.#value(field) && !(field === "name" && typed === "");
    });
  }

  async #save(event: Event): Promise<void> {
    event.preventDefault();
    const words = this.words("agents");
    const changes = Object.fromEntries(this.#changed().map((field) => [field, this.typed[field]?.trim() ?? ""]));
    const emptied = Object.keys(changes).filter((field) => changes[field] === "") as Field[];
    const stuck = emptied.filter((field) => !this.#written(field));
    if (stuck.length > 0) {
      const labels = stuck.map((field) => words[field]).join(", ");
      return this.world.notices.complain(words.stillInFile(labels));
    }
    this.isBusy = true;
    const isDone = await this.attempt(() => this.#write(changes, emptied.length > 0), words.saved);
    this.isBusy = false;
    if (isDone) this.#done();
  }

  /** Both names are set: what is shown must not depend on which of them somebody looks at. */
  async #write(changes: Readonly<Record<string, string>>, hasEmptied: boolean): Promise<void> {
    const { id: agentId } = this.agent;
    const name = changes["name"] ? { name: changes["name"] } : {};
    if (!hasEmptied) {
      await this.world.wire.call("agents.update", { agentId, ...name, identity: changes });
      return;
    }
    const identity = Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, value || null]));
    await patchConfig(this.world, (parsed) => agentsPatch(parsed, { [agentId]: { ...name, identity } }));
  }

  async #choose(input: HTMLInputElement): Promise<void> {
    const words = this.words("agents");
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    const avatar = await squarePicture(file).catch(() => undefined);
    if (!avatar) return this.world.notices.complain(words.pictureUnreadable);
    const { id: agentId } = this.agent;
    await this.attempt(() => this.world.wire.call("agents.update", { agentId, avatar }), words.pictureSaved);
    this.#tellChanged();
  }

  async #removePicture(): Promise<void> {
    const change = { [this.agent.id]: { identity: { avatar: null } } };
    const { world } = this;
    await this.attempt(
      () => patchConfig(world, (parsed) => agentsPatch(parsed, change)),
      this.words("agents").pictureGone,
    );
    this.#tellChanged();
  }

  #done(): void {
    this.typed = {};
    this.#tellChanged();
  }

  #tellChanged(): void {
    this.#config.again();
    this.dispatchEvent(new CustomEvent("agents-changed", { bubbles: true }));
  }
}

customElements.define("chela-agents-identity", IdentityTab);
