// Model servers that run on the gateway's machine: one click each.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../asked.ts";
import { renderProblem } from "./problem-view.ts";
import { takeModel, type Problem, type SetupAnswer } from "./take-model.ts";

type Server = MethodAnswer<"setup.scan">["servers"][number];

class LocalServers extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    trying: { state: true },
    problem: { state: true },
  };
  /** The server that is being asked. */
  declare trying: string | undefined;
  declare problem: { readonly server: string; readonly problem: Problem } | undefined;
  readonly #scan = this.asking(() => ({ method: "setup.scan", params: {}, topics: [] }));

  override render(): TemplateResult {
    const words = this.words("setup");
    const { state } = this.#scan;
    const isLooking = state.kind === "waiting" || (state.kind === "here" && state.isOld);
    const retry = { label: this.words("app").retry, run: () => this.#scan.again() };
    return html`<section class="setup-way">
      <header class="row">
        <h3>${words.here}</h3>
        <button class="button quiet small setup-again" ?disabled=${isLooking} @click=${() => this.#scan.again()}>
          ${words.lookAgain}
        </button>
      </header>
      <div aria-live="polite">
        ${
          isLooking
            ? html`<p class="hint">${words.looking}</p>`
            : renderAsked(state, ({ servers }) => this.#renderServers(servers), retry)
        }
      </div>
    </section>`;
  }

  #renderServers(servers: readonly Server[]): TemplateResult {
    if (servers.length === 0) return html`<p class="hint">${this.words("setup").noneHere}</p>`;
    return html`<ul class="setup-servers">
      ${servers.map((server) => html`<li>${this.#renderServer(server)}</li>`)}
    </ul>`;
  }

  #renderServer(server: Server): TemplateResult {
    const words = this.words("setup");
    const { kind, label, baseUrl, models } = server;
    const isTrying = this.trying === kind;
    return html`<form class="setup-server" @submit=${(event: SubmitEvent) => void this.#submitted(event, server)}>
        <div class="setup-server-words">
          <strong>${label}</strong>
          <span class="hint">${baseUrl}</span>
        </div>
        ${
          models.length === 0
            ? html`<span class="hint">${words.noModels}</span>`
            : html`<select class="input" name="model" aria-label=${words.modelOf(label)} ?disabled=${isTrying}>
                  ${models.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
                </select>
                <button
                  class="button primary"
                  aria-label=${words.useOf(label)}
                  aria-disabled=${this.trying === undefined ? "false" : "true"}
                >
                  ${words.use}
                </button>`
        }
      </form>
      ${isTrying ? html`<p class="hint" role="status">${words.testing(label)} ${words.testingLong}</p>` : nothing}
      ${this.problem?.server === kind ? renderProblem(this.problem.problem, words.whatItSaid) : nothing}`;
  }

  async #submitted(event: SubmitEvent, { kind }: Server): Promise<void> {
    event.preventDefault();
    if (this.trying !== undefined) return;
    const model = String(new FormData(event.target as HTMLFormElement).get("model") ?? "");
    this.trying = kind;
    this.problem = undefined;
    const outcome = await takeModel(this.world.wire, { provider: kind }, model);
    this.trying = undefined;
    if (outcome.kind === "refused") this.problem = { server: kind, problem: outcome.problem };
    else this.dispatchEvent(new CustomEvent<SetupAnswer>("model-taken", { detail: outcome.taken, bubbles: true }));
  }
}

customElements.define("chela-setup-local", LocalServers);
