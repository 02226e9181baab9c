// The steps of a turn on a common line of time; each opens to what is known of it. The same is there as a table.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { styled } from "../../parts/styled.ts";
import { factsOf, outcomeOf, titleOf, type Telling } from "./step-words.ts";
import { axisOf, placeOf, stepsOf, type Axis, type Run, type Step } from "./steps.ts";

const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** `<chela-explain-waterfall .world .run .telling .now>` */
class Waterfall extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    run: { attribute: false },
    telling: { attribute: false },
    now: { attribute: false },
    isTable: { state: true },
  };
  declare run: Run;
  declare telling: Telling;
  declare now: number;
  declare isTable: boolean;

  constructor() {
    super();
    this.isTable = false;
  }

  override render(): TemplateResult {
    const words = this.words("explain");
    const steps = stepsOf(this.run, this.now);
    const axis = axisOf(steps);
    return html`<section class="card" aria-labelledby="explain-way">
      <header>
        <h2 id="explain-way">${words.way}</h2>
        <button
          type="button"
          class="button quiet small"
          aria-pressed=${this.isTable ? "true" : "false"}
          @click=${() => (this.isTable = !this.isTable)}
        >
          ${words.table}
        </button>
      </header>
      ${this.isTable ? this.#renderTable(steps, axis) : this.#renderSteps(steps, axis)}
    </section>`;
  }

  #renderSteps(steps: readonly Step[], axis: Axis): TemplateResult {
    return html`<div class="explain-way">
      <div class="explain-axis" aria-hidden="true">
        ${TICKS.map(
          (at) =>
            html`<span ${styled({ "--at": `${at * 100}%` })}
              >${this.world.words.duration((axis.to - axis.from) * at)}</span
            >`,
        )}
      </div>
      ${repeat(
        steps,
        ({ key }) => key,
        (step) => this.#renderStep(step, axis),
      )}
    </div>`;
  }

  #renderStep(step: Step, axis: Axis): TemplateResult {
    const facts = factsOf(step, this.run, this.telling);
    const outcome = outcomeOf(step, this.run, this.telling);
    return html`<details class="explain-step" data-kind=${step.kind}>
      <summary>
        ${icon("chevronRight")}
        <span class="explain-step-name">
          <span class="cut">${titleOf(step, this.telling)}</span>
          ${outcome ? html`<small class="cut" data-tone=${step.tone}>${outcome}</small>` : nothing}
        </span>
        <span class="explain-track" aria-hidden="true">${this.#renderBar(step, axis)}</span>
        <span class="explain-step-time">${this.#lasts(step)}</span>
      </summary>
      <dl class="pairs explain-facts">
        ${facts.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    </details>`;
  }

  #renderBar(step: Step, axis: Axis): TemplateResult {
    const from = placeOf(step.from, axis);
    const to = placeOf(step.to, axis);
    const measures = { "--from": `${from * 100}%`, "--length": `${(to - from) * 100}%` };
    return html`<i
        class="explain-bar"
        data-tone=${step.tone}
        data-kind=${step.kind}
        ?data-open=${step.isOpen}
        ?data-beyond=${step.to > axis.to}
        title=${step.to > axis.to ? this.words("explain").later : nothing}
        ${styled(measures)}
      ></i
      >${this.#renderMark(step, axis)}`;
  }

  /** When the first words came; how long a person was waited for. */
  #renderMark(step: Step, axis: Axis): TemplateResult | typeof nothing {
    if (step.kind === "attempt" && step.attempt.firstTokenAt !== undefined) {
      const at = placeOf(step.attempt.firstTokenAt, axis);
      return html`<i class="explain-mark" ${styled({ "--from": `${at * 100}%` })}></i>`;
    }
    if (step.kind !== "tool" || !step.tool.approval) return nothing;
    const { askedAt, settledAt = step.to } = step.tool.approval;
    const from = placeOf(askedAt, axis);
    const length = placeOf(settledAt, axis) - from;
    return html`<i
      class="explain-bar explain-wait"
      ${styled({ "--from": `${from * 100}%`, "--length": `${length * 100}%` })}
    ></i>`;
  }

  #renderTable(steps: readonly Step[], axis: Axis): TemplateResult {
    const words = this.words("explain");
    return html`<div class="table-scroll" tabindex="0" role="group" aria-label=${words.table}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">${words.step}</th>
            <th scope="col">${words.outcome}</th>
            <th scope="col" class="number">${words.begins}</th>
            <th scope="col" class="number">${words.lasts}</th>
          </tr>
        </thead>
        <tbody>
          ${steps.map(
            (step) =>
              html`<tr>
                <th scope="row">${titleOf(step, this.telling)}</th>
                <td>${outcomeOf(step, this.run, this.telling)}</td>
                <td class="number">${this.world.words.duration(step.from - axis.from)}</td>
                <td class="number">${this.#lasts(step)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #lasts(step: Step): string {
    if (step.kind === "received") return "";
    const time = this.world.words.duration(step.to - step.from);
    return step.isOpen ? this.words("explain").still(time) : time;
  }
}

customElements.define("chela-explain-waterfall", Waterfall);
