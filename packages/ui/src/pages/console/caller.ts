// Calls any method: its name, its parameters, what it takes, and what came back.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { Watching } from "../../state/live.ts";
import { WireFailure, wordsOf } from "../../wire/failure.ts";
import { CallHistory, type PastCall } from "./call-history.ts";
import { listParams } from "./param-list.ts";
import type { MethodReference } from "./method-schemas.ts";
import "../../parts/editor/code-block.ts";
import "../../parts/editor/editor.ts";

interface Outcome {
  readonly method: string;
  readonly isGood: boolean;
  readonly tookMs: number;
  readonly text: string;
}

type Describe = (name: string) => MethodReference | undefined;

class ConsoleCaller extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    method: { state: true },
    params: { state: true },
    problem: { state: true },
    isBusy: { state: true },
    outcome: { state: true },
    describe: { state: true },
  };
  declare method: string;
  declare params: string;
  declare problem: string | undefined;
  declare isBusy: boolean;
  declare outcome: Outcome | undefined;
  declare describe: Describe | undefined;
  readonly #history = new CallHistory();
  readonly #watching = new Watching(this);

  constructor() {
    super();
    this.method = "health";
    this.params = "{}";
    this.isBusy = false;
  }

  override firstUpdated(_changed: PropertyValues): void {
    void import("./method-schemas.ts").then(({ describeMethod }) => (this.describe = describeMethod));
  }

  override render(): TemplateResult {
    const words = this.words("console");
    this.#watching.show(this.world.wire.state);
    const methods = this.world.wire.hello?.features.methods ?? [];
    return html`<form
        class="console-call"
        @submit=${(event: SubmitEvent) => this.#submitted(event)}
        @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
      >
        <label class="field">
          <span>${words.method}</span>
          <input
            class="input mono"
            id="console-method"
            list="console-methods"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            .value=${this.method}
            @input=${(event: Event) => (this.method = (event.target as HTMLInputElement).value.trim())}
            @keydown=${(event: KeyboardEvent) => this.#recall(event)}
          />
          <datalist id="console-methods">${methods.map((name) => html`<option value=${name}></option>`)}</datalist>
        </label>
        ${this.#renderReference()}
        <div class="field">
          <span aria-hidden="true">${words.params}</span>
          <chela-editor
            class="console-params"
            .value=${this.params}
            .language=${"json"}
            .label=${words.params}
            @editor-change=${(event: CustomEvent<string>) => (this.params = event.detail)}
          ></chela-editor>
          ${this.problem ? html`<span class="problem" role="alert">${this.problem}</span>` : nothing}
        </div>
        <div class="row wrap">
          <button class="button primary" ?disabled=${this.isBusy || this.method === ""}>
            ${icon("play")}${words.call}
          </button>
          <span class="hint"><kbd>Ctrl ↵</kbd></span>
          ${this.#renderHistory()}
        </div>
      </form>
      ${this.outcome ? this.#renderOutcome(this.outcome) : nothing}`;
  }

  #renderReference(): TemplateResult | typeof nothing {
    const words = this.words("console");
    const reference = this.describe?.(this.method);
    if (!reference) return nothing;
    const params = listParams(reference.params);
    return html`<details class="console-reference" open>
      <summary>
        ${reference.says} ${reference.scope === "none" ? nothing : html`<span class="badge">${reference.scope}</span>`}
      </summary>
      ${
        params.length === 0
          ? html`<p class="hint">${words.noParams}</p>`
          : html`<ul>
              ${params.map(
                ({ name, isRequired, type }) =>
                  html`<li>
                    <code>${name}</code>
                    ${isRequired ? html`<span class="badge info">${words.required}</span>` : nothing}
                    <code class="muted">${type}</code>
                  </li>`,
              )}
            </ul>`
      }
    </details>`;
  }

  #renderHistory(): TemplateResult | typeof nothing {
    const words = this.words("console");
    const calls = this.#history.all;
    if (calls.length === 0) return nothing;
    return html`<select
      class="input console-history"
      aria-label=${words.history}
      @change=${(event: Event) => this.#pick(event.target as HTMLSelectElement)}
    >
      <option value="" .selected=${true}>${words.history}</option>
      ${calls.map(
        ({ method, params }, at) =>
          html`<option value=${at}>${`${method} ${params.replaceAll(/\s+/g, " ")}`.slice(0, 80)}</option>`,
      )}
    </select>`;
  }

  #renderOutcome({ method, isGood, tookMs, text }: Outcome): TemplateResult {
    const words = this.words("console");
    return html`<section class="console-outcome" aria-label=${words.result}>
      <p role="status">
        <span class="badge ${isGood ? "good" : "bad"}">${isGood ? words.ok : words.failed}</span>
        <code>${method}</code> <span class="hint">${this.world.words.duration(tookMs)}</span>
      </p>
      <chela-code-block .text=${text} .language=${"json"}></chela-code-block>
    </section>`;
  }

  #submitted(event: SubmitEvent): void {
    event.preventDefault();
    void this.#call();
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void this.#call();
  }

  /** Up and down go through the calls made before, when nothing is to be completed. */
  #recall(event: KeyboardEvent): void {
    const isKnown = this.method === "" || this.world.wire.has(this.method);
    if (!isKnown || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    const call = event.key === "ArrowUp" ? this.#history.older() : this.#history.newer();
    if (!call) return;
    event.preventDefault();
    this.#show(call);
  }

  #pick(select: HTMLSelectElement): void {
    const call = this.#history.all[Number(select.value)];
    if (call && select.value !== "") this.#show(call);
    select.value = "";
  }

  #show({ method, params }: PastCall): void {
    this.method = method;
    this.params = params;
    this.problem = undefined;
  }

  async #call(): Promise<void> {
    if (this.isBusy || this.method === "") return;
    const { method } = this;
    const params = this.#readParams();
    if (!params) return;
    this.isBusy = true;
    const start = performance.now();
    const told = (isGood: boolean, value: unknown): void => {
      const text = JSON.stringify(value, null, 2) ?? "null";
      this.outcome = { method, isGood, tookMs: performance.now() - start, text };
    };
    try {
      told(true, await this.world.wire.callAny(method, params.value));
    } catch (error) {
      told(false, error instanceof WireFailure ? failureParts(error) : { message: wordsOf(error) });
    } finally {
      this.isBusy = false;
      this.#history.add({ method, params: this.params });
    }
  }

  #readParams(): { readonly value: unknown } | undefined {
    try {
      const value: unknown = this.params.trim() === "" ? {} : JSON.parse(this.params);
      this.problem = undefined;
      return { value };
    } catch (error) {
      this.problem = `${this.words("console").badJson} ${wordsOf(error)}`;
      return undefined;
    }
  }
}

function failureParts({ code, message, details, retryAfterMs }: WireFailure): object {
  return {
    code,
    message,
    ...(details === undefined ? {} : { details }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

customElements.define("chela-console-caller", ConsoleCaller);
