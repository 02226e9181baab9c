// Role of the agent among the others: whether it is the default, and how it is deleted.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { agentName, type Agent, type Agents } from "./agent-facts.ts";
import { patchConfig } from "./patch-config.ts";
import { defaultPatch } from "./written-agent.ts";

class RoleView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    known: { attribute: false },
    isBusy: { state: true },
  };
  declare agent: Agent;
  declare known: Agents;
  declare isBusy: boolean;

  constructor() {
    super();
    this.isBusy = false;
  }

  get #isDefault(): boolean {
    return this.agent.id === this.known.defaultId;
  }

  override render(): TemplateResult {
    const words = this.words("agents");
    const why = this.#whyItStays();
    return html`<section class="agents-role" aria-labelledby="agents-role">
      <h2 id="agents-role">${words.standing}</h2>
      <div class="agents-role-row">
        <p class="muted">${this.#isDefault ? words.isDefault : words.makeDefaultHow}</p>
        ${
          this.#isDefault
            ? nothing
            : html`<button class="button" ?disabled=${this.isBusy} @click=${() => void this.#makeDefault()}>
                ${words.makeDefault}
              </button>`
        }
      </div>
      <div class="agents-role-row">
        <p class="muted">${why ?? words.removeHow}</p>
        ${
          why
            ? nothing
            : html`<button class="button agents-delete" ?disabled=${this.isBusy} @click=${() => void this.#remove()}>
                ${icon("trash")}${words.remove}
              </button>`
        }
      </div>
    </section>`;
  }

  #whyItStays(): string | undefined {
    const words = this.words("agents");
    if (this.known.agents.length === 1) return words.cannotRemoveOnly;
    if (this.#isDefault) return words.cannotRemoveDefault;
    return this.agent.id === "main" ? words.cannotRemoveMain : undefined;
  }

  async #makeDefault(): Promise<void> {
    const { agent, known, world } = this;
    const words = this.words("agents");
    this.isBusy = true;
    await this.attempt(async () => {
      const { restarts } = await patchConfig(world, (parsed) => defaultPatch(parsed, known.agents, agent.id));
      world.notices.say(restarts ? words.savedRestarts : words.isDefaultNow(agentName(agent)));
    });
    this.isBusy = false;
    this.dispatchEvent(new CustomEvent("agents-changed", { bubbles: true }));
  }

  async #remove(): Promise<void> {
    const words = this.words("agents");
    const name = agentName(this.agent);
    const question = { title: words.removeTitle(name), text: words.removeText, yes: words.remove, isDangerous: true };
    if (!(await this.world.notices.ask(question))) return;
    this.isBusy = true;
    const isDone = await this.attempt(() => this.#delete(name));
    this.isBusy = false;
    if (isDone) this.world.router.go("agents");
  }

  async #delete(name: string): Promise<void> {
    const words = this.words("agents");
    const { notices, wire } = this.world;
    const { trash, left = [] } = await wire.call("agents.delete", { agentId: this.agent.id });
    notices.say(trash ? words.removedTo(name, trash) : words.removed(name));
    // It stays on the screen: whoever expects the files to be gone has to know.
    if (left.length > 0)
      notices.complain(words.removedLeft(left.map(({ path, why }) => `${path} (${why})`).join(", ")));
    this.dispatchEvent(new CustomEvent("agents-changed", { bubbles: true }));
  }
}

customElements.define("chela-agents-role", RoleView);
