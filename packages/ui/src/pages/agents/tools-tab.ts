// Tools of the agent, by family, and which of them it may use.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { Agent } from "./agent-facts.ts";
import { layerName } from "./tool-layers.ts";
import "../../parts/dialog.ts";
import "./tool-explained.ts";

type Catalog = MethodAnswer<"tools.catalog">;
type Tool = Catalog["groups"][number]["tools"][number];

class ToolsTab extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    tool: { state: true },
  };
  declare agent: Agent;
  /** The one that is being explained. */
  declare tool: string | undefined;
  readonly #catalog = this.asking(() => ({
    method: "tools.catalog",
    params: { agentId: this.agent.id },
    topics: ["config", "models"],
  }));

  override render(): TemplateResult {
    const words = this.words("agents");
    const retry = { label: this.words("app").retry, run: () => this.#catalog.again() };
    return html`${renderAsked(this.#catalog.state, (catalog) => this.#renderCatalog(catalog), retry)}
      <chela-dialog
        .isOpen=${this.tool !== undefined}
        label=${words.whyOf(this.tool ?? "")}
        closeLabel=${this.words("app").close}
        .content=${() =>
          html`<chela-agents-tool
            .world=${this.world}
            .agentId=${this.agent.id}
            .tool=${this.tool ?? ""}
          ></chela-agents-tool>`}
        @dialog-close=${() => (this.tool = undefined)}
      ></chela-dialog>`;
  }

  #renderCatalog({ groups, removed }: Catalog): TemplateResult {
    const words = this.words("agents");
    const all = groups.reduce((sum, { tools }) => sum + tools.length, 0);
    const why = removed && new Map(removed.map(({ tool, layer }) => [tool, layer]));
    const shown = groups.flatMap(({ tools }) => tools).filter(({ id }) => why?.has(id)).length;
    return html`<p class="muted agents-tools-sum">${why ? words.toolsSummary(all - shown, all) : words.toolsUnknown}</p>
      <div class="agents-tools">
        ${groups.map(
          ({ id, label, tools }) =>
            html`<section class="card" aria-labelledby="agents-tools-${id}">
              <h2 id="agents-tools-${id}">${label}</h2>
              <ul>
                ${tools.map((tool) => this.#renderTool(tool, why))}
              </ul>
            </section>`,
        )}
      </div>`;
  }

  #renderTool({ id, description }: Tool, why: ReadonlyMap<string, string> | undefined): TemplateResult {
    const words = this.words("agents");
    const layer = why?.get(id);
    return html`<li>
      <button class="agents-tool" ?data-denied=${layer !== undefined} @click=${() => (this.tool = id)}>
        ${why ? icon(layer === undefined ? "check" : "close") : icon("tool")}
        <span class="agents-tool-words">
          <span class="row wrap">
            <strong class="mono">${id}</strong>
            ${why ? html`<span class="seen-by-readers">${layer === undefined ? words.allowed : words.denied}</span>` : nothing}
            ${layer === undefined ? nothing : html`<span class="badge">${layerName(layer, words)}</span>`}
          </span>
          <span class="hint">${firstSentence(description)}</span>
        </span>
      </button>
    </li>`;
  }
}

/** Descriptions are written for models and may be long. */
function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

customElements.define("chela-agents-tools", ToolsTab);
