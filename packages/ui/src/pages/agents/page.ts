// The page of agents: all of them as cards, or one of them with everything that makes it.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Page } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { Agents } from "./agent-facts.ts";
import "./agent-card.ts";
import "./agent-view.ts";
import "./create-dialog.ts";
import "./page.css";

class AgentsPage extends Page {
  static override properties: PropertyDeclarations = { ...Page.properties, isCreating: { state: true } };
  declare isCreating: boolean;
  readonly #agents = this.asking(() => ({ method: "agents.list", params: {}, topics: ["agents"] }));
  readonly #models = this.asking(() => ({ method: "models.list", params: {}, topics: ["models", "config"] }));

  constructor() {
    super();
    this.isCreating = false;
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#agents.again() };
    const [id] = this.route.rest;
    return id === undefined
      ? html`${this.#renderHead()} ${renderAsked(this.#agents.state, (agents) => this.#renderAll(agents), retry)}`
      : renderAsked(this.#agents.state, (agents) => this.#renderOne(agents, id), retry);
  }

  #renderHead(): TemplateResult {
    const words = this.words("agents");
    return html`<header class="page-head">
      <div>
        <h1>${this.pageTitle("agents")}</h1>
        <p class="muted">${words.intro}</p>
      </div>
      <button class="button primary" @click=${() => (this.isCreating = true)}>${icon("plus")}${words.create}</button>
    </header>`;
  }

  #renderAll(known: Agents): TemplateResult {
    return html`<ul class="cards agents-cards">
        ${repeat(
          known.agents,
          ({ id }) => id,
          (agent) =>
            html`<li>
              <chela-agents-card
                .world=${this.world}
                .agent=${agent}
                .isDefault=${agent.id === known.defaultId}
                .models=${this.#models.value}
                .sharedModel=${this.#sharedModel(known)}
              ></chela-agents-card>
            </li>`,
        )}
      </ul>
      <chela-agents-create
        .world=${this.world}
        .known=${known}
        .models=${this.#models.value}
        .isOpen=${this.isCreating}
        @dialog-close=${() => (this.isCreating = false)}
        @agent-created=${(event: CustomEvent<string>) => this.#created(event.detail)}
      ></chela-agents-create>`;
  }

  /** The list of models tells what the default agent uses; that is everybody's unless it has one of its own. */
  #sharedModel({ agents, defaultId }: Agents): string | undefined {
    return agents.find(({ id }) => id === defaultId)?.model ? undefined : this.#models.value?.default;
  }

  #renderOne(known: Agents, id: string): TemplateResult {
    const words = this.words("agents");
    const agent = known.agents.find((one) => one.id === id);
    if (!agent) {
      return html`<div class="empty">
        <p>${this.#agents.state.kind === "here" && this.#agents.state.isOld ? nothing : words.unknownAgent(id)}</p>
        <a class="button" href=${writeRoute("agents")}>${words.allAgents}</a>
      </div>`;
    }
    return html`<chela-agents-agent
      .world=${this.world}
      .route=${this.route}
      .known=${known}
      .agent=${agent}
      @agents-changed=${() => this.#agents.again()}
    ></chela-agents-agent>`;
  }

  #created(id: string): void {
    this.isCreating = false;
    this.#agents.again();
    this.world.router.go("agents", [id]);
  }
}

customElements.define("chela-agents-page", AgentsPage);
