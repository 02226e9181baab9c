// Model of the agent, what is tried when that fails, and how long models think.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { modelChoices, modelName, THINKING_LEVELS } from "../../conversations/model-choices.ts";
import type { Agent } from "./agent-facts.ts";
import { patchConfig } from "./patch-config.ts";
import {
  agentsPatch,
  modelChoiceOf,
  writtenAgent,
  writtenChoice,
  writtenDefaults,
  type ModelChoice,
} from "./written-agent.ts";
import "../../parts/picker.ts";
import "./fallbacks-view.ts";

type Config = MethodAnswer<"config.get">;
type Chosen = CustomEvent<PickerChoice>;

/** What holds when nothing is written. */
const USUAL_THINKING = "low";

class ModelTab extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    choice: { state: true },
    thinking: { state: true },
    isBusy: { state: true },
  };
  declare agent: Agent;
  /** What was chosen and is not saved. */
  declare choice: ModelChoice | undefined;
  declare thinking: string | undefined;
  declare isBusy: boolean;
  readonly #config = this.asking(() => ({ method: "config.get", params: {}, topics: ["config"] }));
  readonly #models = this.asking(() => ({
    method: "models.list",
    params: { agentId: this.agent.id },
    topics: ["models", "config"],
  }));

  constructor() {
    super();
    this.isBusy = false;
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#config.again() };
    return renderAsked(this.#config.state, (config) => this.#renderForm(config), retry);
  }

  #renderForm(config: Config): TemplateResult {
    const words = this.words("agents");
    const isChanged = this.choice !== undefined || this.thinking !== undefined;
    return html`<div class="agents-column form">
      ${this.#renderModel(config)}
      <chela-agents-fallbacks
        .world=${this.world}
        .models=${this.#models.value}
        .primary=${this.#choice(config).primary ?? modelChoiceOf(writtenDefaults(config.parsed)).primary}
        .fallbacks=${this.#choice(config).fallbacks}
        .shared=${modelChoiceOf(writtenDefaults(config.parsed)).fallbacks ?? []}
        @fallbacks-change=${({ detail }: CustomEvent<readonly string[] | undefined>) =>
          this.#choose(config, { fallbacks: detail })}
      ></chela-agents-fallbacks>
      ${this.#renderThinking(config)}
      <div class="row">
        <button class="button primary" ?disabled=${this.isBusy || !isChanged} @click=${() => void this.#save()}>
          ${this.words("app").save}
        </button>
        ${
          isChanged
            ? html`<button class="button quiet" @click=${() => this.#discard()}>${words.discard}</button>
                <span class="hint" role="status">${words.unsaved}</span>`
            : nothing
        }
      </div>
    </div>`;
  }

  #renderModel(config: Config): TemplateResult {
    const words = this.words("agents");
    const composer = this.words("composer");
    const listed = this.#models.value;
    const { primary } = this.#choice(config);
    const shared = modelChoiceOf(writtenDefaults(config.parsed)).primary;
    const [, ...models] = listed ? modelChoices(listed, composer, this.world.words) : [];
    const usual = {
      id: "",
      label: words.asAll,
      ...(shared ? { hint: words.asAllNow(modelName(listed, shared)) } : {}),
    };
    return html`<div class="field agents-pick">
      <span>${words.model}</span>
      <chela-picker
        label=${words.model}
        text=${primary ? modelName(listed, primary) : shared ? words.asAllIs(modelName(listed, shared)) : words.asAll}
        searchLabel=${composer.modelSearch}
        note=${listed ? composer.noModel : composer.loading}
        .choices=${listed ? [usual, ...models] : []}
        .chosen=${primary ?? ""}
        @picker-choose=${({ detail }: Chosen) => this.#choose(config, { primary: detail.id || undefined })}
      ></chela-picker>
      <span class="hint">${words.modelHint}</span>
    </div>`;
  }

  #renderThinking(config: Config): TemplateResult {
    const words = this.words("agents");
    const composer = this.words("composer");
    const level = this.thinking ?? this.#writtenThinking(config);
    const known = THINKING_LEVELS.find((one) => one === level);
    return html`<div class="field agents-pick">
      <span>${words.thinking}</span>
      <chela-picker
        label=${words.thinking}
        text=${known ? composer[`thinking_${known}`] : level}
        .choices=${THINKING_LEVELS.map((one) => ({ id: one, label: composer[`thinking_${one}`] }))}
        .chosen=${level}
        @picker-choose=${({ detail }: Chosen) =>
          (this.thinking = detail.id === this.#writtenThinking(config) ? undefined : detail.id)}
      ></chela-picker>
      <span class="hint">${words.thinkingHint}</span>
    </div>`;
  }

  #writtenThinking({ parsed }: Config): string {
    const { thinkingDefault } = writtenDefaults(parsed);
    return typeof thinkingDefault === "string" ? thinkingDefault : USUAL_THINKING;
  }

  #choice(config: Config): ModelChoice {
    return this.choice ?? modelChoiceOf(writtenAgent(config.parsed, this.agent.id));
  }

  #choose(
    config: Config,
    change: { readonly primary?: string | undefined } | { readonly fallbacks: readonly string[] | undefined },
  ): void {
    const merged: { readonly primary?: string | undefined; readonly fallbacks?: readonly string[] | undefined } = {
      ...this.#choice(config),
      ...change,
    };
    const { primary, fallbacks } = merged;
    const choice = { ...(primary ? { primary } : {}), ...(fallbacks ? { fallbacks } : {}) };
    const written = modelChoiceOf(writtenAgent(config.parsed, this.agent.id));
    const isAsWritten = JSON.stringify(writtenChoice(choice)) === JSON.stringify(writtenChoice(written));
    this.choice = isAsWritten ? undefined : choice;
  }

  #discard(): void {
    this.choice = undefined;
    this.thinking = undefined;
  }

  async #save(): Promise<void> {
    const words = this.words("agents");
    const { choice, thinking, world } = this;
    this.isBusy = true;
    const isDone = await this.attempt(async () => {
      const { restarts } = await patchConfig(world, (parsed) => this.#patch(parsed, choice, thinking));
      world.notices.say(restarts ? words.savedRestarts : words.saved);
    });
    this.isBusy = false;
    this.#config.again();
    if (isDone) this.#discard();
    this.dispatchEvent(new CustomEvent("agents-changed", { bubbles: true }));
  }

  #patch(parsed: unknown, choice: ModelChoice | undefined, thinking: string | undefined): object {
    const own = choice ? agentsPatch(parsed, { [this.agent.id]: { model: writtenChoice(choice) } }) : {};
    const agents = "agents" in own ? (own["agents"] as object) : {};
    return { agents: { ...agents, ...(thinking ? { defaults: { thinkingDefault: thinking } } : {}) } };
  }
}

customElements.define("chela-agents-model", ModelTab);
