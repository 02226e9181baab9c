// Chooses the days that are looked at.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { isDate, localDate, USUAL_RANGES, type ChosenRange } from "./range.ts";

/** `<chela-usage-range .world .range @range-choose>`: the event's detail is the part of the address that says so. */
class RangePicker extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, range: { attribute: false } };
  declare range: ChosenRange;

  override render(): TemplateResult {
    const words = this.words("usage");
    const { choice, startDate, endDate } = this.range;
    return html`<div class="usage-ranges" role="group" aria-label=${words.range}>
        ${USUAL_RANGES.map((days) =>
          this.#renderChoice(words[`range_${days}`], choice === days, { days: String(days) }),
        )}
        ${this.#renderChoice(words.range_custom, choice === "custom", { from: startDate, to: endDate })}
      </div>
      ${choice === "custom" ? this.#renderDates() : nothing}`;
  }

  #renderChoice(label: string, isChosen: boolean, query: Readonly<Record<string, string>>): TemplateResult {
    return html`<button
      type="button"
      class="button quiet small"
      aria-pressed=${isChosen ? "true" : "false"}
      @click=${() => this.#choose(query)}
    >
      ${label}
    </button>`;
  }

  #renderDates(): TemplateResult {
    const words = this.words("usage");
    const { startDate, endDate } = this.range;
    const today = localDate(new Date());
    const field = (name: "from" | "to", value: string, min: string, max: string): TemplateResult =>
      html`<label>
        <span>${words[name]}</span>
        <input
          class="input"
          type="date"
          .value=${value}
          min=${min || nothing}
          max=${max}
          @change=${(event: Event) => this.#typed(name, (event.target as HTMLInputElement).value)}
        />
      </label>`;
    return html`<div class="usage-dates">
      ${field("from", startDate, "", endDate)} ${field("to", endDate, startDate, today)}
    </div>`;
  }

  #typed(name: "from" | "to", date: string): void {
    const { startDate, endDate } = this.range;
    if (!isDate(date)) return this.requestUpdate();
    const from = name === "from" ? date : startDate;
    const to = name === "to" ? date : endDate;
    // Whichever was typed is meant; the other one follows.
    this.#choose(from <= to ? { from, to } : { from: date, to: date });
  }

  #choose(query: Readonly<Record<string, string>>): void {
    this.dispatchEvent(new CustomEvent("range-choose", { detail: query }));
  }
}

customElements.define("chela-usage-range", RangePicker);
