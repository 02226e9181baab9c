// Explains why a tool may be used or not: every layer in its order, the one that decided, and what to change.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { formatPath } from "../../settings/json-place.ts";
import { layerAdvice, layerKey, layerName } from "./tool-layers.ts";

type Explained = MethodAnswer<"tools.explain">;
type Step = Explained["steps"][number];

class ToolExplained extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agentId: { attribute: false },
    tool: { attribute: false },
  };
  declare agentId: string;
  declare tool: string;
  readonly #explained = this.asking(() => ({
    method: "tools.explain",
    params: { tool: this.tool, agentId: this.agentId },
    topics: ["config", "models"],
  }));
  readonly #config = this.asking(() => ({ method: "config.get", params: {}, topics: ["config"] }));

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#explained.again() };
    return renderAsked(this.#explained.state, (explained) => this.#renderExplained(explained), retry);
  }

  #renderExplained({ tool, allowed, decidedBy, steps, model }: Explained): TemplateResult {
    const words = this.words("agents");
    const silent = steps.filter(({ verdict }) => verdict === "absent").map(({ layer }) => layerName(layer, words));
    return html`<div class="stack agents-explained">
      <p class="agents-verdict" data-allowed=${allowed}>
        ${icon(allowed ? "check" : "close")}<strong>${allowed ? words.mayUse(tool) : words.mayNotUse(tool)}</strong>
      </p>
      <p class="hint">${words.layersHow} ${model ? words.toolsContext(model) : nothing}</p>
      <ol class="agents-layers">
        ${steps.filter(({ verdict }) => verdict !== "absent").map((step) => this.#renderStep(step, step.layer === decidedBy))}
      </ol>
      ${silent.length > 0 ? html`<p class="hint">${words.layersSilent(silent.join(", "))}</p>` : nothing}
      ${this.#renderChange(allowed, steps)}
    </div>`;
  }

  #renderStep({ layer, verdict, why }: Step, isDecisive: boolean): TemplateResult {
    const words = this.words("agents");
    return html`<li data-verdict=${verdict}>
      ${icon(verdict === "passed" ? "check" : "close")}
      <div>
        <span class="row wrap">
          <strong>${layerName(layer, words)}</strong>
          ${isDecisive ? html`<span class="badge bad">${words.decidedHere}</span>` : nothing}
        </span>
        <span class="hint">${why}</span>
      </div>
    </li>`;
  }

  /** Whoever wants it allowed has to change every layer that takes it away, not only the first. */
  #renderChange(isAllowed: boolean, steps: readonly Step[]): TemplateResult {
    const words = this.words("agents");
    const removing = steps.filter(({ verdict }) => verdict === "removed").map(({ layer }) => layer);
    return html`<section class="stack agents-change">
      <h3>${isAllowed ? words.toChangeAllowed : words.toChange}</h3>
      ${(isAllowed ? ["agent"] : removing).map((layer) => this.#renderAdvice(layer))}
    </section>`;
  }

  #renderAdvice(layer: string): TemplateResult {
    const words = this.words("agents");
    const key = layerKey(layer, this.#config.value?.parsed, this.agentId);
    return html`<div>
      <p>${layerAdvice(layer, words)}</p>
      ${
        key
          ? html`<div class="row wrap">
              <code>${formatPath(key)}</code>
              <a class="button small" href=${writeRoute("config", key)}>${words.openConfig}</a>
            </div>`
          : nothing
      }
    </div>`;
  }
}

customElements.define("chela-agents-tool", ToolExplained);
