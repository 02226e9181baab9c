// Bindings of the agent to messages, changed here and saved together, and a way to try them out.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { Agent, Agents } from "./agent-facts.ts";
import { applyEdits, bindingText, isOfAgent, isSame, NO_EDITS, writtenBindings } from "./bindings.ts";
import type { Binding, BindingEdits } from "./bindings.ts";
import { patchConfig } from "./patch-config.ts";
import "./binding-dialog.ts";
import "./route-tester.ts";

type State = "written" | "new" | "goes";

class BindingsTab extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    known: { attribute: false },
    edits: { state: true },
    isAdding: { state: true },
    isBusy: { state: true },
  };
  declare agent: Agent;
  declare known: Agents;
  declare edits: BindingEdits;
  declare isAdding: boolean;
  declare isBusy: boolean;
  readonly #config = this.asking(() => ({ method: "config.get", params: {}, topics: ["config"] }));
  readonly #channels = this.asking(() =>
    this.world.wire.has("channels.status")
      ? { method: "channels.status", params: {}, topics: ["channels", "config"] }
      : undefined,
  );

  constructor() {
    super();
    this.edits = NO_EDITS;
    this.isAdding = false;
    this.isBusy = false;
  }

  override render(): TemplateResult {
    const words = this.words("agents");
    const retry = { label: this.words("app").retry, run: () => this.#config.again() };
    const channels = this.#channels.value?.channelOrder ?? [];
    return html`<div class="agents-column agents-bindings">
      <section class="stack" aria-labelledby="agents-bindings">
        <header class="row wrap agents-section-head">
          <h2 id="agents-bindings">${words.tab_bindings}</h2>
          <button class="button" @click=${() => (this.isAdding = true)}>${icon("plus")}${words.addBinding}</button>
        </header>
        <p class="muted">
          ${words.bindingsHow} ${this.agent.id === this.known.defaultId ? words.bindingsDefault : nothing}
        </p>
        ${renderAsked(this.#config.state, (config) => this.#renderBindings(config), retry)}
      </section>
      ${
        this.world.wire.has("routing.explain")
          ? html`<chela-agents-tester
              .world=${this.world}
              .known=${this.known}
              .channels=${channels}
            ></chela-agents-tester>`
          : nothing
      }
      <chela-agents-binding
        .world=${this.world}
        .agentId=${this.agent.id}
        .channels=${channels}
        .isOpen=${this.isAdding}
        @dialog-close=${() => (this.isAdding = false)}
        @binding-wanted=${({ detail }: CustomEvent<Binding>) => this.#add(detail)}
      ></chela-agents-binding>
    </div>`;
  }

  #renderBindings({ parsed }: MethodAnswer<"config.get">): TemplateResult {
    const words = this.words("agents");
    const all = writtenBindings(parsed);
    if (!all) return html`<p class="banner">${icon("info")}${words.bindingsElsewhere}</p>`;
    const own = all.filter((binding) => isOfAgent(binding, this.agent.id));
    const { added, removed } = this.edits;
    if (own.length + added.length === 0) {
      return html`<div class="empty agents-none">
        <p>${words.bindingsNone}</p>
        <p class="hint">${words.bindingsNoneHow}</p>
      </div>`;
    }
    return html`<ul class="agents-list">
        ${own.map((binding) => this.#renderBinding(binding, removed.some((one) => isSame(one, binding)) ? "goes" : "written"))}
        ${added.map((binding) => this.#renderBinding(binding, "new"))}
      </ul>
      ${added.length + removed.length > 0 ? this.#renderBar(added.length + removed.length) : nothing}`;
  }

  #renderBinding(binding: Binding, state: State): TemplateResult {
    const words = this.words("agents");
    const text = bindingText(binding, words);
    const { comment } = binding;
    const label = state === "goes" ? words.keepBinding(text) : words.removeBinding(text);
    return html`<li data-state=${state}>
      <div class="agents-list-words">
        <span>${text}</span>
        ${typeof comment === "string" && comment ? html`<span class="hint">${comment}</span>` : nothing}
      </div>
      ${state === "new" ? html`<span class="badge good">${words.bindingNew}</span>` : nothing}
      ${state === "goes" ? html`<span class="badge warn">${words.bindingGoes}</span>` : nothing}
      <button
        class="button quiet square"
        aria-label=${label}
        title=${label}
        @click=${() => this.#toggle(binding, state)}
      >
        ${icon(state === "goes" ? "rewind" : "trash")}
      </button>
    </li>`;
  }

  #renderBar(count: number): TemplateResult {
    const words = this.words("agents");
    return html`<div class="row wrap agents-bar">
      <span class="hint" role="status">${words.bindingChanges(count)}</span>
      <button class="button quiet" @click=${() => (this.edits = NO_EDITS)}>${words.discard}</button>
      <button class="button primary" ?disabled=${this.isBusy} @click=${() => void this.#save()}>
        ${this.words("app").save}
      </button>
    </div>`;
  }

  #add(binding: Binding): void {
    this.isAdding = false;
    const { added, removed } = this.edits;
    if (!added.some((one) => isSame(one, binding))) this.edits = { added: [...added, binding], removed };
  }

  #toggle(binding: Binding, state: State): void {
    const { added, removed } = this.edits;
    const others = (list: readonly Binding[]): readonly Binding[] => list.filter((one) => !isSame(one, binding));
    if (state === "new") this.edits = { added: others(added), removed };
    else this.edits = { added, removed: state === "goes" ? others(removed) : [...removed, binding] };
  }

  async #save(): Promise<void> {
    const words = this.words("agents");
    const { edits, world } = this;
    this.isBusy = true;
    const isDone = await this.attempt(async () => {
      const { restarts } = await patchConfig(world, (parsed) => {
        const bindings = writtenBindings(parsed);
        if (!bindings) throw new Error(words.bindingsElsewhere);
        return { bindings: applyEdits(bindings, edits) };
      });
      world.notices.say(restarts ? words.savedRestarts : words.bindingsSaved);
    });
    this.isBusy = false;
    if (!isDone) return;
    this.edits = NO_EDITS;
    this.#config.again();
    this.dispatchEvent(new CustomEvent("agents-changed", { bubbles: true }));
  }
}

customElements.define("chela-agents-bindings", BindingsTab);
