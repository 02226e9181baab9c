// Frames on the wire, as they go.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { FrameList, MOST_FRAMES, type ListedFrame } from "./seen-frames.ts";

class ConsoleFrames extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    frames: { state: true },
    filter: { state: true },
    isPaused: { state: true },
    opened: { state: true },
  };
  /** The newest first. */
  declare frames: readonly ListedFrame[];
  declare filter: string;
  declare isPaused: boolean;
  declare opened: number | undefined;
  readonly #list = new FrameList();
  #stop: (() => void) | undefined;

  constructor() {
    super();
    this.frames = [];
    this.filter = "";
    this.isPaused = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.world.wire.onFrame((frame) => {
      const listed = this.#list.list(frame);
      if (!this.isPaused) this.frames = [listed, ...this.frames].slice(0, MOST_FRAMES);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
  }

  override render(): TemplateResult {
    const words = this.words("console");
    const shown = this.#shown();
    return html`<section class="console-frames" aria-labelledby="console-frames-title">
      <header>
        <h2 id="console-frames-title">${words.frames}</h2>
        <button class="button small" aria-pressed=${this.isPaused} @click=${() => (this.isPaused = !this.isPaused)}>
          ${icon(this.isPaused ? "play" : "pause")}${this.isPaused ? words.resume : words.pause}
        </button>
        <button class="button small" ?disabled=${shown.length === 0} @click=${() => void this.#copy(shown)}>
          ${icon("copy")}${this.words("app").copy}
        </button>
        <button class="button small" ?disabled=${this.frames.length === 0} @click=${() => (this.frames = [])}>
          ${words.clear}
        </button>
      </header>
      <input
        class="input"
        type="search"
        aria-label=${words.filter}
        placeholder=${words.filter}
        .value=${this.filter}
        @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)}
      />
      ${
        shown.length === 0
          ? html`<p class="empty">${words.noFrames}</p>`
          : html`<ol class="console-list">
              ${repeat(
                shown,
                ({ id }) => id,
                (frame) => this.#renderFrame(frame),
              )}
            </ol>`
      }
    </section>`;
  }

  #renderFrame(frame: ListedFrame): TemplateResult {
    const words = this.words("console");
    const { id, at, way, kind, name, isFailure, text } = frame;
    const isOpen = this.opened === id;
    const time = this.world.words.date(at, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
    return html`<li>
      <button
        class="console-frame"
        aria-expanded=${isOpen}
        data-way=${way}
        @click=${() => (this.opened = isOpen ? undefined : id)}
      >
        <span class="seen-by-readers">${way === "in" ? words.received : words.sent}</span>
        <i aria-hidden="true">${way === "in" ? "↓" : "↑"}</i>
        <time>${time}</time>
        <span class="badge ${isFailure ? "bad" : ""}">${kind}</span>
        <code>${name}</code>
        <span class="hint">${this.world.words.bytes(text.length)}</span>
      </button>
      ${isOpen ? html`<pre class="console-text" tabindex="0">${text}</pre>` : nothing}
    </li>`;
  }

  #shown(): readonly ListedFrame[] {
    const wish = this.filter.trim().toLowerCase();
    if (wish === "") return this.frames;
    return this.frames.filter(({ name, kind }) => `${kind} ${name}`.toLowerCase().includes(wish));
  }

  async #copy(shown: readonly ListedFrame[]): Promise<void> {
    const text = shown.map(({ way, text }) => `${way === "in" ? "<" : ">"} ${text}`).join("\n");
    await this.attempt(() => navigator.clipboard.writeText(text), this.words("app").copied);
  }
}

customElements.define("chela-console-frames", ConsoleFrames);
