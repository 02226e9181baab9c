// The page of memory: what is remembered and found, the notes it is made of, what was learned, and how the index does.
import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { Page } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { linkTo, queryOf, type ChosenAgent, type Query } from "./place.ts";
import "../../parts/picker.ts";
import "./health-view.ts";
import "./known-view.ts";
import "./notes-view.ts";
import "./page.css";
import "./progress-view.ts";
import "./search-view.ts";

const TABS = [
  { id: "", title: "tabSearch" },
  { id: "notes", title: "tabNotes" },
  { id: "known", title: "tabKnown" },
  { id: "health", title: "tabHealth" },
] as const;

class MemoryPage extends Page {
  readonly #agents = this.asking(() => ({ method: "agents.list", params: {}, topics: ["agents"] }));
  readonly #status = this.asking(() => ({
    method: "memory.status",
    params: { agentId: this.#agent.id },
    topics: ["memory", "config"],
  }));

  override render(): TemplateResult {
    const words = this.words("memory");
    const title = this.pageTitle("memory");
    const agent = this.#agent;
    return html`<header class="page-head">
        <h1>${title}</h1>
        ${this.#renderAgents(agent)}
      </header>
      <nav class="tabs" aria-label=${title}>
        ${TABS.map(
          (tab) =>
            html`<a
              href=${linkTo(agent, tab.id ? [tab.id] : [])}
              aria-current=${tab.id === this.#tab ? "page" : nothing}
              >${words[tab.title]}</a
            >`,
        )}
      </nav>
      <chela-memory-progress
        .world=${this.world}
        .agentId=${agent.id}
        .status=${this.#status.value?.agents[0]}
      ></chela-memory-progress>
      ${this.#renderOff(agent)}
      <div class="memory-tab">${keyed(agent.id, this.#renderTab(agent))}</div>`;
  }

  get #agent(): ChosenAgent {
    const known = this.#agents.value;
    const defaultId = known?.defaultId ?? this.world.wire.hello?.snapshot.sessionDefaults?.defaultAgentId ?? "main";
    const id = this.route.query["agent"] ?? defaultId;
    return { id, name: this.#nameOf(id), isDefault: id === defaultId };
  }

  #nameOf(id: string): string {
    const agent = this.#agents.value?.agents.find((one) => one.id === id);
    return agent?.identity?.name || agent?.name || id;
  }

  get #tab(): (typeof TABS)[number]["id"] {
    return TABS.find(({ id }) => id === this.route.rest[0])?.id ?? "";
  }

  #renderAgents(agent: ChosenAgent): TemplateResult | typeof nothing {
    const agents = this.#agents.value?.agents ?? [];
    if (agents.length < 2) return nothing;
    return html`<chela-picker
      class="memory-agent"
      label=${this.words("memory").agent}
      text=${agent.name}
      .icon=${"agents"}
      .choices=${agents.map(({ id }) => ({ id, label: this.#nameOf(id) }))}
      .chosen=${agent.id}
      @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => this.#choose(detail.id)}
    ></chela-picker>`;
  }

  /** The same tab; a note or a subject of one agent is none of another's. */
  #choose(id: string): void {
    const { q = "" } = this.route.query;
    const isDefault = id === this.#agents.value?.defaultId;
    this.world.router.go("memory", this.#tab ? [this.#tab] : [], queryOf({ id, name: id, isDefault }, { q }));
  }

  #renderOff({ name }: ChosenAgent): TemplateResult | typeof nothing {
    const words = this.words("memory");
    if (this.#status.value?.agents[0]?.isOn !== false) return nothing;
    return html`<div class="banner warn memory-off" role="status">
      ${icon("warning")}
      <p><strong>${words.off(name)}</strong> ${words.offHow}</p>
      <a class="button small" href=${writeRoute("config", ["agents"])}>${words.toConfig}</a>
    </div>`;
  }

  #renderTab(agent: ChosenAgent): TemplateResult {
    const { world } = this;
    const { rest, query } = this.route;
    const changed = ({ detail }: CustomEvent<Query>): void =>
      world.router.replace("memory", rest, queryOf(agent, detail));
    switch (this.#tab) {
      case "notes":
        return html`<chela-memory-notes
          .world=${world}
          .agent=${agent}
          .path=${rest[1]}
          .line=${Number(query["line"] ?? 0)}
        ></chela-memory-notes>`;
      case "known":
        return html`<chela-memory-known
          .world=${world}
          .agent=${agent}
          .subject=${rest[1]}
          .query=${query}
          @query-change=${changed}
        ></chela-memory-known>`;
      case "health":
        return html`<chela-memory-health .world=${world} .agent=${agent}></chela-memory-health>`;
      default:
        return html`<chela-memory-search
          .world=${world}
          .agent=${agent}
          .query=${query}
          .status=${this.#status.value?.agents[0]}
          @query-change=${changed}
        ></chela-memory-search>`;
    }
  }
}

customElements.define("chela-memory-page", MemoryPage);
