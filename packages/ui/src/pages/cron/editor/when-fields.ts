// Fields of a job's schedule: once, every so often, at times of the day, or as a cron expression says.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { weekdayName } from "../../../jobs/schedule-words.ts";
import { allZones, ownZone } from "../../../jobs/zone-time.ts";
import { icon } from "../../../parts/icon.ts";
import type { PickerChoice } from "../../../parts/picker-choices.ts";
import { renderChoice, renderSelect, renderText } from "./fields.ts";
import { UNITS, WHEN_KINDS, type WhenDraft } from "./when-draft.ts";
import "../../../parts/picker.ts";

/** Monday first. */
const WEEK = [1, 2, 3, 4, 5, 6, 0];
const MOST_TIMES = 12;

/** `<chela-cron-when .world .when>`; it bubbles `draft-change`. */
class WhenFields extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, when: { attribute: false } };
  declare when: WhenDraft;
  #zones: readonly PickerChoice[] | undefined;

  override render(): TemplateResult {
    const words = this.words("cron");
    const choices = WHEN_KINDS.map((id) => ({ id, label: words[`when_${id}`] }));
    const choice = { name: "cron-when", label: words.when, chosen: this.when.kind };
    return html`<div class="form">
      ${renderChoice(choice, choices, (kind) => this.#change({ kind }))} ${this.#renderKind()}
    </div>`;
  }

  #renderKind(): TemplateResult {
    const words = this.words("cron");
    const { when } = this;
    switch (when.kind) {
      case "once":
        return html`<div class="cron-line">
          ${renderText({ label: words.onceLabel, value: when.once, type: "datetime-local" }, (once) => this.#change({ once }))}
          ${this.#renderZone()}
        </div>`;
      case "every":
        return this.#renderEvery();
      case "times":
        return html`${this.#renderTimes()} ${this.#renderDays()} ${this.#renderZone()}`;
      case "expression":
        return html`${renderText(
          { label: words.expression, value: when.expression, isCode: true, hint: words.expressionHint },
          (expression) => this.#change({ expression }),
        )}
        ${this.#renderZone()}`;
    }
  }

  #renderEvery(): TemplateResult {
    const words = this.words("cron");
    const { count, unit } = this.when;
    const units = unit === "seconds" ? (["seconds", ...UNITS] as const) : UNITS;
    return html`<div class="cron-line">
      ${renderText({ label: words.everyCount, value: count, type: "number" }, (value) => this.#change({ count: value }))}
      ${renderSelect(
        { label: words.everyUnit, chosen: unit },
        units.map((id) => ({ id, label: words[`unit_${id}`] })),
        (value) => this.#change({ unit: value }),
      )}
    </div>`;
  }

  #renderTimes(): TemplateResult {
    const words = this.words("cron");
    const { times } = this.when;
    const set = (at: number, time: string): void =>
      this.#change({ times: times.map((one, index) => (index === at ? time : one)) });
    return html`<fieldset class="cron-times">
      <legend>${words.times}</legend>
      ${times.map(
        (time, at) =>
          html`<span class="cron-time">
            <input
              class="input"
              type="time"
              aria-label=${words.timeOf(at + 1)}
              .value=${time}
              @input=${(event: InputEvent) => set(at, (event.target as HTMLInputElement).value)}
            />
            ${
              times.length > 1
                ? html`<button
                    type="button"
                    class="button quiet square small"
                    aria-label=${words.removeTime(at + 1)}
                    title=${words.removeTime(at + 1)}
                    @click=${() => this.#change({ times: times.filter((_, index) => index !== at) })}
                  >
                    ${icon("close")}
                  </button>`
                : nothing
            }
          </span>`,
      )}
      ${
        times.length < MOST_TIMES
          ? html`<button
              type="button"
              class="button small"
              @click=${() => this.#change({ times: [...times, nextTime(times)] })}
            >
              ${icon("plus")}${words.addTime}
            </button>`
          : nothing
      }
    </fieldset>`;
  }

  #renderDays(): TemplateResult {
    const words = this.words("cron");
    const { rhythm, weekdays, monthDays } = this.when;
    const choices = [
      { id: "week", label: words.onWeekdays },
      { id: "month", label: words.onDaysOfMonth },
    ] as const;
    const choice = { name: "cron-days", label: words.days, chosen: rhythm, isPlain: true };
    return html`${renderChoice(choice, choices, (value) => this.#change({ rhythm: value }))}
    ${
      rhythm === "month"
        ? renderText({ label: words.monthDays, value: monthDays, hint: words.monthDaysHint }, (value) =>
            this.#change({ monthDays: value }),
          )
        : html`<div class="cron-week" role="group" aria-label=${words.onWeekdays}>
            ${WEEK.map((day) => this.#renderDay(day, weekdays))}
          </div>`
    }`;
  }

  #renderDay(day: number, weekdays: readonly number[]): TemplateResult {
    const isOn = weekdays.includes(day);
    const next = isOn ? weekdays.filter((one) => one !== day) : [...weekdays, day];
    return html`<button
      type="button"
      class="button small"
      aria-pressed=${isOn ? "true" : "false"}
      aria-label=${weekdayName(day, this.world.words, "long")}
      @click=${() => this.#change({ weekdays: WEEK.filter((one) => next.includes(one)) })}
    >
      ${weekdayName(day, this.world.words, "short")}
    </button>`;
  }

  #renderZone(): TemplateResult {
    const words = this.words("cron");
    const { zone, kind } = this.when;
    // One instant is one instant: it has no zone of its own afterwards.
    const gateways = kind === "once" ? [] : [{ id: "", label: words.zoneOfGateway }];
    this.#zones ??= allZones().map((id) => ({
      id,
      label: id.replaceAll("_", " "),
      ...(id === ownZone() ? { hint: words.zoneOwn } : {}),
    }));
    return html`<div class="field">
      <span>${words.zone}</span>
      <chela-picker
        class="cron-zone"
        label=${words.zone}
        text=${zone ? zone.replaceAll("_", " ") : kind === "once" ? ownZone() : words.zoneOfGateway}
        searchLabel=${words.zoneSearch}
        note=${words.zoneNone}
        .choices=${[...gateways, ...this.#zones]}
        .chosen=${zone}
        @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => this.#change({ zone: detail.id })}
      ></chela-picker>
    </div>`;
  }

  #change(change: Partial<WhenDraft>): void {
    const when = { ...this.when, ...change };
    this.dispatchEvent(new CustomEvent("draft-change", { detail: { when }, bubbles: true }));
  }
}

/** An hour after the last one, which an expression can say together with it. */
function nextTime(times: readonly string[]): string {
  const [hour = "8", minute = "00"] = (times.at(-1) || "08:00").split(":");
  return `${String((Number(hour) + 1) % 24).padStart(2, "0")}:${minute}`;
}

customElements.define("chela-cron-when", WhenFields);
