// Meter of how full the conversation is, what it cost so far, and how to make room.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { Beside } from "../../parts/beside.ts";
import { styled } from "../../parts/styled.ts";
import type { Settings } from "./conversation.ts";

/** From here on the ring warns. */
const NEARLY_FULL = 0.8;
/** Everything a session ever used. */
const ALL_DAYS = 3660;

/** `<chela-context-meter .world .sessionKey .settings @compact>` */
class ContextMeter extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    sessionKey: { attribute: false },
    settings: { attribute: false },
    isQuiet: { state: true },
  };
  declare sessionKey: string;
  declare settings: Settings;
  /** The page has nothing better to do: only then the cost is asked for. */
  declare isQuiet: boolean;
  readonly #usage = this.asking(() =>
    this.isQuiet && this.settings.totalTokens
      ? { method: "sessions.usage", params: { key: this.sessionKey, days: ALL_DAYS, limit: 1 }, topics: ["usage"] }
      : undefined,
  );

  readonly #details = new Beside(this);

  constructor() {
    super();
    this.isQuiet = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const quiet = (): void => void (this.isQuiet = true);
    if ("requestIdleCallback" in window) requestIdleCallback(quiet, { timeout: 5000 });
    else setTimeout(quiet, 2000);
  }

  override render(): TemplateResult | typeof nothing {
    const share = this.#share();
    const cost = this.#cost();
    if (share === undefined && cost === undefined) return nothing;
    const words = this.words("composer");
    const said = [this.#contextWords(), cost].filter(Boolean).join("; ");
    return html`<button
        type="button"
        class="button quiet small meter"
        popovertarget="context-meter"
        aria-haspopup="dialog"
        aria-expanded=${this.#details.isOpen ? "true" : "false"}
        aria-label="${words.context}: ${said}"
        title=${said}
      >
        ${
          share === undefined
            ? nothing
            : html`<i
                  class="meter-ring"
                  ?data-full=${share >= NEARLY_FULL}
                  ${styled({ "--share": `${share * 100}%` })}
                ></i
                ><span>${this.#percent(share)}</span>`
        }
        ${cost ? html`<span class="meter-cost">${cost}</span>` : nothing}
      </button>
      <div
        class="popover meter-details"
        popover
        id="context-meter"
        role="dialog"
        aria-label=${words.context}
        @beforetoggle=${this.#details.opens}
        @toggle=${this.#details.toggled}
      >
        ${this.#details.isOpen ? this.#renderDetails() : nothing}
      </div>`;
  }

  #renderDetails(): TemplateResult {
    const words = this.words("composer");
    const { compactionCount } = this.settings;
    const totals = this.#usage.value?.totals;
    const context = this.#contextWords();
    return html`<dl class="pairs">
        ${
          context
            ? html`<dt>${words.contextRow}</dt>
                <dd>${context}</dd>`
            : nothing
        }
        ${
          compactionCount
            ? html`<dt>${words.compactedRow}</dt>
                <dd>${words.compactedTimes(compactionCount)}</dd>`
            : nothing
        }
        ${
          totals
            ? html`<dt>${words.tokensRow}</dt>
                <dd>${this.world.words.number(totals.totalTokens)}</dd>`
            : nothing
        }
        ${
          totals
            ? html`<dt>${words.costRow}</dt>
                <dd>${this.#costWords()}</dd>`
            : nothing
        }
      </dl>
      <p class="hint">${words.compactHint}</p>
      <button type="button" class="button small" @click=${() => this.#compact()}>${words.compact}</button>`;
  }

  #share(): number | undefined {
    const { totalTokens, contextTokens } = this.settings;
    return totalTokens === undefined || !contextTokens ? undefined : Math.min(1, totalTokens / contextTokens);
  }

  #percent(share: number): string {
    return this.world.words.number(share, { style: "percent", maximumFractionDigits: 0 });
  }

  #contextWords(): string | undefined {
    const words = this.words("composer");
    const { totalTokens = 0, contextTokens = 0, totalTokensFresh } = this.settings;
    const share = this.#share();
    if (share === undefined) return undefined;
    const [used, all] = [totalTokens, contextTokens].map((count) => this.world.words.compact(count));
    const said = words.contextUsed(used ?? "", all ?? "", this.#percent(share));
    return totalTokensFresh === false ? words.contextAbout(said) : said;
  }

  /** Undefined while it is nothing worth a place, or not known. */
  #cost(): string | undefined {
    const totals = this.#usage.value?.totals;
    return totals && totals.totalCost > 0 ? this.world.words.money(totals.totalCost) : undefined;
  }

  #costWords(): string {
    const words = this.words("composer");
    const totals = this.#usage.value?.totals;
    if (!totals) return words.costUnknown;
    const cost = this.world.words.money(totals.totalCost);
    if (totals.missingCostEntries === 0) return cost;
    return totals.totalCost > 0 ? words.costAtLeast(cost) : words.costUnknown;
  }

  #compact(): void {
    this.#details.hide();
    this.dispatchEvent(new CustomEvent("compact"));
  }
}

customElements.define("chela-context-meter", ContextMeter);
