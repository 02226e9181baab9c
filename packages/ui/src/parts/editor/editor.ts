// A text editor as an element. What it is made of comes with its first use; until then a plain field does.
import { css, html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { EditorHandle } from "./editor-view.ts";

export interface EditorProblem {
  /** From 1, as people count. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly level: "error" | "warning";
  readonly message: string;
}

export type EditorLanguage = "json" | "markdown" | "text";

/**
 * `<chela-editor .value .language .readOnly .label .problems @editor-change>`; the event's detail is the whole text.
 * It has a shadow root, because only there the editor's styles can be adopted, which the page's policy allows.
 */
export class Editor extends LitElement {
  static override properties: PropertyDeclarations = {
    value: { attribute: false },
    language: { attribute: false },
    readOnly: { attribute: false },
    label: { attribute: false },
    problems: { attribute: false },
  };
  static override styles = css`
    :host {
      display: block;
      min-height: 0;
      overflow: hidden;
      border: 1px solid var(--line-strong);
      border-radius: var(--round);
      background: var(--surface);
    }

    :host(:focus-within) {
      outline: 2px solid var(--accent);
      outline-offset: -1px;
    }

    .host {
      height: 100%;
    }

    textarea {
      box-sizing: border-box;
      width: 100%;
      height: 100%;
      min-height: inherit;
      padding: 0.5rem 0.75rem;
      border: 0;
      outline: none;
      background: none;
      color: inherit;
      font: 0.8125rem / 1.6 var(--mono);
      resize: none;
    }
  `;
  declare value: string;
  declare language: EditorLanguage;
  declare readOnly: boolean;
  declare label: string;
  declare problems: readonly EditorProblem[];
  #handle: EditorHandle | undefined;
  /** A place somebody asked for before there was an editor. */
  #goal: { readonly line: number; readonly column: number } | undefined;

  constructor() {
    super();
    this.value = "";
    this.language = "text";
    this.readOnly = false;
    this.label = "";
    this.problems = [];
  }

  /** Puts the cursor there and shows it. */
  jumpTo(line: number, column = 1): void {
    if (this.#handle) this.#handle.jumpTo(line, column);
    else this.#goal = { line, column };
  }

  override focus(): void {
    if (this.#handle) this.#handle.focus();
    else this.renderRoot.querySelector("textarea")?.focus();
  }

  override render(): TemplateResult {
    if (this.#handle) return html`<div class="host">${this.#handle.element}</div>`;
    return html`<textarea
      aria-label=${this.label}
      spellcheck="false"
      ?readonly=${this.readOnly}
      .value=${this.value}
      @input=${(event: InputEvent) => this.#changed((event.target as HTMLTextAreaElement).value)}
    ></textarea>`;
  }

  override firstUpdated(): void {
    void this.#load();
  }

  override updated(changed: PropertyValues): void {
    const handle = this.#handle;
    if (!handle) return;
    if (changed.has("value")) handle.setText(this.value);
    if (changed.has("language") || changed.has("readOnly") || changed.has("label")) handle.setUp(this);
    if (changed.has("problems")) handle.setProblems(this.problems);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#handle?.destroy();
    this.#handle = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.#load();
  }

  async #load(): Promise<void> {
    const { openEditor } = await import("./editor-view.ts");
    if (!this.isConnected || this.#handle) return;
    const hadFocus = this.renderRoot instanceof ShadowRoot && this.renderRoot.activeElement !== null;
    this.#handle = openEditor(this.renderRoot as ShadowRoot, this, (text) => this.#changed(text));
    this.#handle.setProblems(this.problems);
    this.requestUpdate();
    await this.updateComplete;
    if (hadFocus) this.focus();
    if (this.#goal) this.jumpTo(this.#goal.line, this.#goal.column);
    this.#goal = undefined;
  }

  #changed(text: string): void {
    this.value = text;
    this.dispatchEvent(new CustomEvent<string>("editor-change", { detail: text, bubbles: true }));
  }
}

customElements.define("chela-editor", Editor);
