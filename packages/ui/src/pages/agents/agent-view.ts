// One agent: who it is, and the parts it is made of, one tab each.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { Part } from "../../app/part.ts";
import { writeRoute, type Route } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { agentName, type Agent, type Agents } from "./agent-facts.ts";
import { renderAvatar } from "./avatar-view.ts";
import "./bindings-tab.ts";
import "./files-tab.ts";
import "./identity-tab.ts";
import "./model-tab.ts";
import "./role-view.ts";
import "./tools-tab.ts";

const TABS = ["identity", "model", "files", "tools", "bindings"] as const;
type Tab = (typeof TABS)[number];

class AgentView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    route: { attribute: false },
    known: { attribute: false },
    agent: { attribute: false },
  };
  declare route: Route;
  declare known: Agents;
  declare agent: Agent;

  override render(): TemplateResult {
    const words = this.words("agents");
    const { agent, known } = this;
    const isDefault = agent.id === known.defaultId;
    return html`<nav class="back-link">
        <a href=${writeRoute("agents")}>${icon("chevronLeft")}${words.allAgents}</a>
      </nav>
      <header class="page-head">
        <div class="agents-head">
          ${renderAvatar(agent)}
          <div class="agents-head-words">
            <div class="row wrap">
              <h1>${agentName(agent)}</h1>
              ${isDefault ? html`<span class="badge info">${words.defaultBadge}</span>` : nothing}
            </div>
            <p class="hint mono">${agent.id}</p>
          </div>
        </div>
        <a class="button" href=${writeRoute("chat", [`agent:${agent.id}:${known.mainKey}`])}>
          ${icon("chat")}${words.talk}
        </a>
      </header>
      <nav class="tabs" aria-label=${words.tabs}>
        ${TABS.map(
          (tab) =>
            html`<a href=${writeRoute("agents", [agent.id, tab])} aria-current=${tab === this.#tab ? "page" : nothing}>
              ${words[`tab_${tab}`]}
            </a>`,
        )}
      </nav>
      <div class="agents-tab">${keyed(agent.id, this.#renderTab())}</div>`;
  }

  /** On a phone not all of them fit beside each other. */
  override updated(): void {
    this.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  get #tab(): Tab {
    return TABS.find((tab) => tab === this.route.rest[1]) ?? "identity";
  }

  #renderTab(): TemplateResult {
    const { world, agent, known, route } = this;
    switch (this.#tab) {
      case "identity":
        return html`<div class="agents-column">
          <chela-agents-identity .world=${world} .agent=${agent}></chela-agents-identity>
          <chela-agents-role .world=${world} .agent=${agent} .known=${known}></chela-agents-role>
        </div>`;
      case "model":
        return html`<chela-agents-model .world=${world} .agent=${agent}></chela-agents-model>`;
      case "files":
        return html`<chela-agents-files .world=${world} .agent=${agent} .name=${route.rest[2]}></chela-agents-files>`;
      case "tools":
        return html`<chela-agents-tools .world=${world} .agent=${agent}></chela-agents-tools>`;
      case "bindings":
        return html`<chela-agents-bindings .world=${world} .agent=${agent} .known=${known}></chela-agents-bindings>`;
    }
  }
}

customElements.define("chela-agents-agent", AgentView);
