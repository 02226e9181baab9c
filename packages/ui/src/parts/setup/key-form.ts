// A provider with a key: choose it, paste the key, test, choose the model, use it. The key is in its field and nowhere else.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../icon.ts";
import type { PickerChoice } from "../picker-choices.ts";
import { groupProviders, modelChoices, type Provider } from "./choices.ts";
import { renderPlace, renderProviders } from "./key-fields.ts";
import { renderProblem } from "./problem-view.ts";
import { takeModel, tryModel, type ModelSource, type Problem, type SetupAnswer, type Tried } from "./take-model.ts";
import "../picker.ts";

class KeyForm extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    providers: { attribute: false },
    providerId: { state: true },
    doing: { state: true },
    tried: { state: true },
    problem: { state: true },
    model: { state: true },
  };
  declare providers: readonly Provider[];
  declare providerId: string | undefined;
  declare doing: "testing" | "taking" | undefined;
  /** The last test of what is in the fields now. */
  declare tried: { readonly answer: Tried; readonly model: string } | undefined;
  declare problem: Problem | undefined;
  /** The model somebody chose; "" for the suggested one. */
  declare model: string;
  /** Counts what was asked: an answer to something that was changed since is not shown. */
  #turn = 0;

  constructor() {
    super();
    this.model = "";
  }

  get #provider(): Provider | undefined {
    const id = this.providerId ?? groupProviders(this.providers)[0]?.providers[0]?.id;
    return this.providers.find((one) => one.id === id);
  }

  override render(): TemplateResult {
    const words = this.words("setup");
    const provider = this.#provider;
    const works = this.tried?.answer.ok === true;
    return html`<section class="setup-way">
      <h3>${words.withKey}</h3>
      <form
        class="form"
        autocomplete="off"
        @submit=${(event: SubmitEvent) => void this.#submitted(event)}
        @input=${() => this.#changed()}
      >
        ${renderProviders(this.providers, provider, words, (event) => this.#chose(event))}
        ${renderPlace(provider, words)} ${this.#renderModel()}
        <div role="status" class="setup-state">${this.#renderState()}</div>
        ${this.problem ? renderProblem(this.problem, words.whatItSaid) : nothing}
        <div class="setup-actions">
          <button
            class="button ${works ? "" : "primary"}"
            name="act"
            value="test"
            aria-disabled=${this.doing === undefined ? "false" : "true"}
          >
            ${words.test}
          </button>
          ${
            works
              ? html`<button
                  class="button primary"
                  name="act"
                  value="use"
                  aria-disabled=${this.doing === undefined ? "false" : "true"}
                >
                  ${words.useIt}
                </button>`
              : nothing
          }
        </div>
      </form>
    </section>`;
  }

  /** There is a choice once the provider has said what it has, or cannot say. */
  #renderModel(): TemplateResult | typeof nothing {
    const words = this.words("setup");
    const { tried } = this;
    if (!tried) return nothing;
    const { models = [], suggested, problem } = tried.answer;
    if (models.length === 0 && problem?.code !== "no-model" && problem?.code !== "not-found") return nothing;
    const chosen = this.model || tried.model;
    if (models.length === 0)
      return html`<label class="field">
        <span>${words.model}</span>
        <input
          class="input"
          name="model"
          .value=${this.model}
          spellcheck="false"
          required
          @input=${(event: Event) => this.#typedModel(event)}
        />
        <span class="hint">${words.modelHint}</span>
      </label>`;
    return html`<div class="field setup-model">
      <span>${words.model}</span>
      <chela-picker
        label=${words.model}
        text=${models.find(({ id }) => id === chosen)?.name ?? chosen}
        searchLabel=${words.searchModels}
        .choices=${modelChoices(models, suggested, words.suggested)}
        .chosen=${chosen}
        @input=${(event: Event) => event.stopPropagation()}
        @picker-choose=${(event: CustomEvent<PickerChoice>) => this.#choseModel(event.detail.id)}
      ></chela-picker>
    </div>`;
  }

  #renderState(): unknown {
    const words = this.words("setup");
    const name = this.#provider?.label ?? words.other;
    if (this.doing === "testing") return html`<p class="hint">${words.testing(name)}</p>`;
    if (this.doing === "taking") return html`<p class="hint">${words.taking}</p>`;
    const { ok = false, latencyMs = 0 } = this.tried?.answer ?? {};
    if (!ok || this.problem) return nothing;
    return html`<p class="setup-works">${icon("check")}${words.works(this.world.words.duration(latencyMs))}</p>`;
  }

  #chose(event: Event): void {
    const form = (event.target as HTMLSelectElement).form;
    this.providerId = (event.target as HTMLSelectElement).value;
    // A key belongs to one provider.
    for (const field of form?.querySelectorAll("input") ?? []) field.value = "";
    this.#changed();
  }

  /** What was tested is not what is in the fields any more. */
  #changed(): void {
    this.#turn += 1;
    this.doing = undefined;
    this.tried = undefined;
    this.problem = undefined;
    this.model = "";
  }

  #choseModel(id: string): void {
    this.model = id;
    this.problem = undefined;
  }

  #typedModel(event: Event): void {
    event.stopPropagation();
    this.#choseModel((event.target as HTMLInputElement).value.trim());
  }

  async #submitted(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    // A disabled button would let go of the keyboard, so it only does nothing.
    if (this.doing) return;
    const place = this.#placeOf(new FormData(event.target as HTMLFormElement));
    const isUse = (event.submitter as HTMLButtonElement | null)?.value === "use";
    const turn = ++this.#turn;
    this.problem = undefined;
    if (isUse && this.tried) return this.#take(place, this.tried.model, turn);
    this.doing = "testing";
    const answer = await tryModel(this.world.wire, place, this.model);
    if (turn !== this.#turn) return;
    this.doing = undefined;
    this.tried = { answer, model: this.model || (answer.suggested ?? "") };
    this.problem = answer.problem;
  }

  async #take(place: ModelSource, tested: string, turn: number): Promise<void> {
    const model = this.model || tested;
    this.doing = "taking";
    const outcome = await takeModel(this.world.wire, place, model, model === tested);
    if (turn !== this.#turn) return;
    this.doing = undefined;
    if (outcome.kind === "refused") this.problem = outcome.problem;
    else this.#taken(outcome.taken);
  }

  #taken(taken: SetupAnswer): void {
    this.querySelector("form")?.reset();
    this.dispatchEvent(new CustomEvent<SetupAnswer>("model-taken", { detail: taken, bubbles: true }));
  }

  #placeOf(fields: FormData): ModelSource {
    const read = (name: string): string => String(fields.get(name) ?? "").trim();
    const [apiKey, baseUrl] = [read("apiKey"), read("baseUrl")];
    return {
      provider: this.#provider?.id ?? read("id"),
      ...(apiKey ? { apiKey } : {}),
      ...(baseUrl ? { baseUrl } : {}),
    };
  }
}

customElements.define("chela-setup-key", KeyForm);
