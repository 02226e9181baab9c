// One agent among the others: its face, what it thinks with, where it lives, and when it was last active.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { modelName } from "../../conversations/model-choices.ts";
import { agentName, endOfPath, type Agent } from "./agent-facts.ts";
import { renderAvatar } from "./avatar-view.ts";

class AgentCard extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    isDefault: { attribute: false },
    models: { attribute: false },
    sharedModel: { attribute: false },
  };
  declare agent: Agent;
  declare isDefault: boolean;
  declare models: MethodAnswer<"models.list"> | undefined;
  /** What agents without a model of their own use, if it is known. */
  declare sharedModel: string | undefined;
  readonly #newest = this.asking(() => ({
    method: "sessions.list",
    params: { agentId: this.agent.id, limit: 1 },
    topics: ["sessions"],
  }));

  override render(): TemplateResult {
    const words = this.words("agents");
    const { agent } = this;
    const { bindings = [] } = agent;
    const facts = [bindings.length > 0 ? words.bindingCount(bindings.length) : words.noBindings, ...this.#activity()];
    return html`<a class="card agents-card" href=${writeRoute("agents", [agent.id])}>
      ${renderAvatar(agent)}
      <div class="agents-card-words">
        <div class="row">
          <h2 class="cut">${agentName(agent)}</h2>
          ${this.isDefault ? html`<span class="badge info">${words.defaultBadge}</span>` : nothing}
        </div>
        <p class="muted cut">${this.#model()}</p>
        ${agent.workspace ? html`<p class="hint mono cut" title=${agent.workspace}>${endOfPath(agent.workspace)}</p>` : nothing}
        <p class="hint">${facts.join(" · ")}</p>
      </div>
    </a>`;
  }

  #model(): string {
    const ref = this.agent.model ?? this.sharedModel;
    return ref ? modelName(this.models, ref) : this.words("agents").usualModel;
  }

  #activity(): string[] {
    const words = this.words("agents");
    const answer = this.#newest.value;
    if (!answer) return [];
    const at = answer.sessions[0]?.updatedAt;
    return [at ? words.lastActive(this.world.words.ago(at)) : words.neverActive];
  }
}

customElements.define("chela-agents-card", AgentCard);
