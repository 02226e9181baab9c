// A text that may be long: shown up to a bound, the rest on request.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import "../../../parts/editor/code-block.ts";

const MOST_CHARS = 20_000;
/** Near enough to the end to be taken for looking at it. */
const AT_END_PX = 40;

/**
 * `<chela-long-text .world .text .language .fetchWhole label .isLive>`: `fetchWhole` is there when the text itself is
 * only a part. A live text grows: its end is what counts.
 */
class LongText extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    text: { attribute: false },
    language: { attribute: false },
    label: {},
    isLive: { attribute: false },
    fetchWhole: { attribute: false },
    isWhole: { state: true },
    isBusy: { state: true },
  };
  declare text: string;
  /** Undefined: plain words, not code. */
  declare language: string | undefined;
  declare label: string;
  declare isLive: boolean | undefined;
  declare fetchWhole: (() => Promise<string>) | undefined;
  declare isWhole: boolean;
  declare isBusy: boolean;
  #fetched: string | undefined;
  #followsEnd = true;

  constructor() {
    super();
    this.isWhole = false;
    this.isBusy = false;
  }

  override updated(): void {
    const box = this.querySelector<HTMLElement>(".chat-tool-output");
    if (this.isLive && this.#followsEnd && box) box.scrollTop = box.scrollHeight;
  }

  override render(): TemplateResult {
    const whole = this.#fetched ?? this.text;
    const isShort = whole.length > MOST_CHARS && !this.isWhole;
    const shown = isShort ? (this.isLive ? whole.slice(-MOST_CHARS) : whole.slice(0, MOST_CHARS)) : whole;
    const hasMore = isShort || (this.fetchWhole !== undefined && this.#fetched === undefined);
    return html`${this.#renderText(shown)} ${hasMore ? this.#renderMore(whole.length) : nothing}`;
  }

  #renderText(text: string): TemplateResult {
    if (this.language !== undefined) {
      return html`<chela-code-block
        class="chat-tool-code"
        .text=${text}
        .language=${this.language}
      ></chela-code-block>`;
    }
    return html`<pre
      class="chat-tool-output"
      tabindex="0"
      role="region"
      aria-label=${this.label}
      @scroll=${(event: Event) => this.#scrolled(event)}
    >
${text}</pre>`;
  }

  #renderMore(chars: number): TemplateResult {
    const words = this.words("conversation");
    const isPart = this.fetchWhole !== undefined && this.#fetched === undefined;
    const label = isPart ? words.showEverything : words.showAll(this.world.words.bytes(chars));
    return html`<button
      class="button small chat-tool-more"
      ?disabled=${this.isBusy}
      @click=${() => void this.#showAll()}
    >
      ${label}
    </button>`;
  }

  #scrolled(event: Event): void {
    const { scrollTop, scrollHeight, clientHeight } = event.target as HTMLElement;
    this.#followsEnd = scrollHeight - scrollTop - clientHeight < AT_END_PX;
  }

  async #showAll(): Promise<void> {
    const { fetchWhole } = this;
    if (fetchWhole && this.#fetched === undefined) {
      this.isBusy = true;
      const isHere = await this.attempt(async () => (this.#fetched = await fetchWhole()));
      this.isBusy = false;
      if (!isHere) return;
    }
    this.isWhole = true;
  }
}

customElements.define("chela-long-text", LongText);
