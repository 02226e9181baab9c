// The lines on the page: only those in sight are made, and the end stays in sight until somebody scrolls up.
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import { Part } from "../../app/part.ts";
import { styled } from "../../parts/styled.ts";
import { restText, type LogLine } from "./log-line.ts";

const ROW_PIXELS = 26;
/** This near the end counts as the end. */
const NEAR_PIXELS = 40;

type Rows = Virtualizer<HTMLElement, HTMLElement>;

class LogList extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    lines: { attribute: false },
    count: { attribute: false },
    wraps: { attribute: false },
    follows: { attribute: false },
  };
  declare lines: readonly LogLine[];
  /** Lines are added to the same list; their number tells that there are more. */
  declare count: number;
  declare wraps: boolean;
  declare follows: boolean;
  #rows: Rows | undefined;
  #stop: (() => void) | undefined;
  #top = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    this.#stop = undefined;
    this.#rows = undefined;
  }

  override firstUpdated(): void {
    this.#start();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#start();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("wraps")) this.#rows?.measure();
    if (this.#rows) this.#setOptions(this.#rows);
  }

  override updated(): void {
    this.#rows?._willUpdate();
    if (this.follows) this.toEnd();
  }

  toEnd(): void {
    const box = this.#box;
    if (box) box.scrollTop = box.scrollHeight;
  }

  override render(): TemplateResult {
    const words = this.words("logs");
    const items = this.#rows?.getVirtualItems() ?? [];
    return html`<div
      class="logs-box"
      role="region"
      aria-label=${words.lines}
      tabindex="0"
      ?data-wraps=${this.wraps}
      @scroll=${() => this.#scrolled()}
    >
      <div class="logs-all" role="list" ${styled({ height: `${this.#rows?.getTotalSize() ?? 0}px` })}>
        ${repeat(
          items,
          ({ key }) => key,
          ({ index, start }) => {
            const line = this.lines[index];
            return line ? this.#renderRow(line, index, start) : html``;
          },
        )}
      </div>
    </div>`;
  }

  #renderRow(line: LogLine, index: number, start: number): TemplateResult {
    return html`<div
      class="logs-row"
      role="listitem"
      data-index=${index}
      data-level=${line.level}
      ${styled({ transform: `translateY(${start}px)` })}
      ${ref((row) => row instanceof HTMLElement && this.#rows?.measureElement(row))}
    >
      <button
        class="logs-line"
        @click=${() => this.#open(line)}
        @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
      >
        <time>${line.at === undefined ? "" : this.#timeText(line.at)}</time>
        <b>${line.level}</b>
        <span class="logs-of">${line.of}</span>
        <span class="logs-text">${line.text} <i>${restText(line)}</i></span>
      </button>
    </div>`;
  }

  #timeText(at: number): string {
    return this.world.words.date(at, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  }

  get #box(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".logs-box");
  }

  #start(): void {
    this.#rows = new Virtualizer(this.#options());
    this.#stop = this.#rows._didMount();
    this.requestUpdate();
  }

  #setOptions(rows: Rows): void {
    rows.setOptions(this.#options());
  }

  #options(): VirtualizerOptions<HTMLElement, HTMLElement> {
    return {
      count: this.lines.length,
      getScrollElement: () => this.#box,
      estimateSize: () => ROW_PIXELS,
      getItemKey: (index) => this.lines[index]?.id ?? index,
      overscan: 12,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => this.requestUpdate(),
    };
  }

  #scrolled(): void {
    const box = this.#box;
    if (!box) return;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PIXELS;
    const goesUp = box.scrollTop < this.#top;
    this.#top = box.scrollTop;
    // The end also moves away when lines turn out to be higher than thought; that is nobody's wish.
    const follows = isAtEnd || (this.follows && !goesUp);
    if (follows === this.follows) return;
    this.follows = follows;
    this.dispatchEvent(new CustomEvent<boolean>("log-follow", { detail: follows }));
  }

  #open(line: LogLine): void {
    this.dispatchEvent(new CustomEvent<LogLine>("log-open", { detail: line }));
  }

  /** Up and down go from line to line. */
  #pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const row = (event.currentTarget as HTMLElement).closest<HTMLElement>(".logs-row");
    const goal = Number(row?.dataset["index"]) + step;
    this.#rows?.scrollToIndex(goal, { align: "auto" });
    this.querySelector<HTMLElement>(`.logs-row[data-index="${goal}"] .logs-line`)?.focus({ preventScroll: true });
  }
}

export interface LogListElement extends HTMLElement {
  toEnd(): void;
}

customElements.define("chela-log-list", LogList);
