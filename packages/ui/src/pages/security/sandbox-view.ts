// The sandbox: whose commands are kept in one, what keeps it, which ones stand, and whether it holds.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { KnownNames } from "../../state/known-names.ts";
import { renderAdvice } from "./advice.ts";
import { whoIsKept, type KeptAgents } from "./kept.ts";
import "./self-test-view.ts";
import "./standing-view.ts";

type Status = MethodAnswer<"sandbox.status">;
type Backend = Status["backends"][number];

class SecuritySandbox extends Part {
  readonly #names = new KnownNames(this, () => this.world);
  readonly #status = this.asking(() => ({
    method: "sandbox.status",
    params: {},
    topics: ["sandboxes", "config", "agents"],
  }));
  readonly #config = this.asking(() => ({ method: "config.get", params: {}, topics: ["config"] }));

  override render(): TemplateResult {
    const words = this.words("security");
    const retry = { label: this.words("app").retry, run: () => this.#status.again() };
    return html`<section class="stack" aria-labelledby="security-sandbox">
      <header>
        <h2 id="security-sandbox">${words.sandbox}</h2>
        <p class="hint">${words.sandboxHow}</p>
      </header>
      ${renderAsked(this.#status.state, (status) => this.#renderStatus(status), retry)}
    </section>`;
  }

  #renderStatus(status: Status): TemplateResult {
    const { wire } = this.world;
    return html`${this.#renderKept(status)} ${this.#renderBackends(status)}
      <chela-security-standing .world=${this.world} .standing=${status.standing}></chela-security-standing>
      ${wire.has("sandbox.selftest") ? html`<chela-security-self-test .world=${this.world}></chela-security-self-test>` : nothing}`;
  }

  #renderKept(status: Status): TemplateResult {
    const config = this.#config.value?.config;
    if (config === undefined)
      return html`<div class="waiting" role="status" aria-busy="true"><span></span><span></span></div>`;
    const groups = whoIsKept(config, status);
    const words = this.words("security");
    return html`<div class="card security-kept">
      ${groups.map((group) => this.#renderGroup(group, groups.length > 1))}
      <a class="button quiet small" href=${writeRoute("config", ["agents"])}>${words.changeMode}</a>
    </div>`;
  }

  #renderGroup({ mode, isBroken, agents }: KeptAgents, isNamed: boolean): TemplateResult {
    const words = this.words("security");
    const [tone, state] = isBroken ? ["bad", words.broken] : mode === "off" ? ["warn", words.off] : ["good", words.on];
    const names = agents.map((id) => this.#names.agent(id)).join(", ");
    return html`<div class="security-kept-group">
      <span class="badge ${tone}">${state}</span>
      <div>
        <p>${isNamed ? html`<strong>${words.forAgents(names)}</strong> ` : nothing}${words[`mode_${mode}`]}</p>
        ${isBroken ? html`<p class="problem">${words.brokenHow}</p>` : nothing}
      </div>
    </div>`;
  }

  #renderBackends({ backends, chosen }: Status): TemplateResult {
    const words = this.words("security");
    return html`<div class="security-group">
      <h3>${words.backends}</h3>
      <ul class="security-list">
        ${backends.map((backend) => this.#renderBackend(backend, backend.id === chosen, chosen === undefined))}
      </ul>
    </div>`;
  }

  /** While another one does the work, what this one lacks is of interest to few. */
  #renderBackend({ id, check }: Backend, isUsed: boolean, isNeeded: boolean): TemplateResult {
    const words = this.words("security");
    const name = words[`backend_${id}`];
    if (check.kind === "ready") {
      return html`<li class="security-backend">
        <p class="row wrap">
          <strong>${name}</strong>
          <span class="badge good">${isUsed ? words.used : words.ready}</span>
          <span class="muted">${words.version(check.version)}</span>
        </p>
        ${check.notes.map((note) => html`<p class="hint">${note}</p>`)}
      </li>`;
    }
    return html`<li class="security-backend">
      <details ?open=${isNeeded}>
        <summary>
          <strong>${name}</strong> <span class="badge ${isNeeded ? "bad" : ""}">${words.unusable}</span>
        </summary>
        <p>${check.why}</p>
        <p>${renderAdvice(check.fix, this.world)}</p>
      </details>
    </li>`;
  }
}

customElements.define("chela-security-sandbox", SecuritySandbox);
