// The window in which an agent is made: a name is enough, the rest is suggested.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { wordsOf } from "../../wire/failure.ts";
import { modelChoices, modelName } from "../../conversations/model-choices.ts";
import { idOfName, workspaceFor, type Agents } from "./agent-facts.ts";
import "../../parts/dialog.ts";
import "../../parts/picker.ts";

interface Wish {
  readonly name: string;
  readonly emoji: string;
  readonly model: string;
  /** Undefined while the suggestion does. */
  readonly workspace: string | undefined;
}

const NOTHING_YET: Wish = { name: "", emoji: "", model: "", workspace: undefined };

/** `<chela-agents-create .world .known .models .isOpen @dialog-close @agent-created>`: the detail is the id. */
class CreateAgent extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    known: { attribute: false },
    models: { attribute: false },
    isOpen: { attribute: false },
    wish: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };
  declare known: Agents;
  declare models: MethodAnswer<"models.list"> | undefined;
  declare isOpen: boolean;
  declare wish: Wish;
  declare problem: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.wish = NOTHING_YET;
    this.problem = "";
    this.isBusy = false;
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.isOpen}
      label=${this.words("agents").create}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("agents");
    const id = idOfName(this.wish.name);
    return html`<form class="form" @submit=${(event: Event) => void this.#create(event)}>
      <div class="agents-name-row">
        <label class="field">
          <span>${words.name}</span>
          <input
            class="input"
            autofocus
            maxlength="128"
            autocomplete="off"
            .value=${this.wish.name}
            @input=${(event: InputEvent) => this.#typed("name", event)}
          />
        </label>
        <label class="field">
          <span>${words.emoji}</span>
          <input
            class="input"
            maxlength="16"
            autocomplete="off"
            .value=${this.wish.emoji}
            @input=${(event: InputEvent) => this.#typed("emoji", event)}
          />
        </label>
      </div>
      <p class="hint">${id ? words.nameId(id) : words.nameHint}</p>
      ${this.#renderModel()}
      <label class="field">
        <span>${words.workspace}</span>
        <input
          class="input mono"
          aria-label=${words.workspace}
          aria-describedby="agents-create-hint"
          autocomplete="off"
          spellcheck="false"
          .value=${this.#workspace()}
          @input=${(event: InputEvent) => this.#typed("workspace", event)}
        />
        <span class="hint" id="agents-create-hint">${words.workspaceHint}</span>
      </label>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <footer class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${this.words("app").cancel}</button>
        <button class="button primary" ?disabled=${this.isBusy}>${words.createButton}</button>
      </footer>
    </form>`;
  }

  #renderModel(): TemplateResult {
    const words = this.words("agents");
    const composer = this.words("composer");
    const { models } = this;
    return html`<div class="field agents-pick">
      <span>${words.model}</span>
      <chela-picker
        label=${words.model}
        text=${this.wish.model ? modelName(models, this.wish.model) : words.usualModel}
        searchLabel=${composer.modelSearch}
        note=${models?.models.length === 0 ? composer.noModels : composer.noModel}
        .choices=${models && models.models.length > 0 ? modelChoices(models, composer, this.world.words) : []}
        .chosen=${this.wish.model}
        @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => (this.wish = { ...this.wish, model: detail.id })}
      ></chela-picker>
    </div>`;
  }

  #workspace(): string {
    return this.wish.workspace ?? workspaceFor(this.known, idOfName(this.wish.name));
  }

  #typed(field: "name" | "emoji" | "workspace", event: InputEvent): void {
    this.wish = { ...this.wish, [field]: (event.target as HTMLInputElement).value };
    this.problem = "";
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }

  async #create(event: Event): Promise<void> {
    event.preventDefault();
    const words = this.words("agents");
    const name = this.wish.name.trim();
    const emoji = this.wish.emoji.trim();
    const workspace = this.#workspace().trim();
    this.problem = idOfName(name) === "" ? words.nameNeeded : workspace === "" ? words.workspaceNeeded : "";
    if (this.problem) return;
    const { model } = this.wish;
    this.isBusy = true;
    try {
      const wish = { name, workspace, ...(emoji ? { emoji } : {}), ...(model ? { model } : {}) };
      const { agentId } = await this.world.wire.call("agents.create", wish);
      this.wish = NOTHING_YET;
      this.world.notices.say(words.created(name));
      this.dispatchEvent(new CustomEvent<string>("agent-created", { detail: agentId }));
    } catch (error) {
      this.problem = wordsOf(error);
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("chela-agents-create", CreateAgent);
