// Composer of messages: text, files, voice notes and commands. Writing never waits for the network.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { isTouched } from "../../../parts/floating.ts";
import { icon } from "../../../parts/icon.ts";
import { Watching } from "../../../state/live.ts";
import { draftOf, type Draft } from "./composer-draft.ts";
import type { ComposerText } from "./composer-text.ts";
import type { Conversation } from "../conversation.ts";
import { MOST_BYTES, MOST_FILES, type Refusal } from "./draft-files.ts";
import { DroppedFiles } from "./dropped-files.ts";
import { giveBackPreviews } from "./sent-previews.ts";
import { canRecord, type MicrophoneProblem } from "./voice-recording.ts";
import "./composer.css";
import "./composer-files.ts";
import "./composer-settings.ts";
import "./composer-text.ts";

const MICROPHONE_WORDS = {
  denied: "microphoneDenied",
  missing: "microphoneMissing",
  failed: "microphoneFailed",
} as const satisfies Record<MicrophoneProblem, string>;

/** `<chela-composer .world .conversation>` */
class Composer extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    trouble: { state: true },
    isRecording: { state: true },
  };
  declare conversation: Conversation;
  /** Why something could not be attached or recorded. */
  declare trouble: string | undefined;
  declare isRecording: boolean;
  readonly #watching = new Watching(this);
  readonly #dropped = new DroppedFiles(this, (files) => void this.#attach(files));
  #draft!: Draft;
  #stopPreviews: (() => void) | undefined;

  constructor() {
    super();
    this.isRecording = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("conversation")) this.#open(this.conversation);
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has("conversation")) this.#focusSoon();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopPreviews?.();
  }

  override render(): TemplateResult {
    const { state, key } = this.conversation;
    this.#watching.show(state, this.#draft.text, this.#draft.files.all);
    return html`<form class="composer" @submit=${(event: Event) => this.#submitted(event)}>
        ${this.#renderTrouble()}
        <div class="composer-box">
          <chela-composer-files
            .world=${this.world}
            .files=${this.#draft.files}
            @files-removed=${() => this.#box?.focus()}
          ></chela-composer-files>
          ${this.isRecording ? this.#renderRecorder() : this.#renderWriting()}
        </div>
        <chela-composer-settings
          .world=${this.world}
          .sessionKey=${key}
          .settings=${state.value.settings}
          @compact=${() => this.conversation.unsent.say("/compact")}
        ></chela-composer-settings>
      </form>
      ${this.#dropped.isOver ? this.#renderDropPlace() : nothing}`;
  }

  #renderTrouble(): TemplateResult | typeof nothing {
    if (!this.trouble) return nothing;
    const { dismiss } = this.words("app");
    return html`<div class="composer-trouble failure" role="alert">
      ${icon("warning")}
      <p>${this.trouble}</p>
      <button
        type="button"
        class="button quiet square small"
        aria-label=${dismiss}
        title=${dismiss}
        @click=${() => (this.trouble = undefined)}
      >
        ${icon("close")}
      </button>
    </div>`;
  }

  #renderWriting(): TemplateResult {
    return html`<div class="composer-line">${this.#renderTools()}${this.#renderText()}${this.#renderSend()}</div>`;
  }

  #renderTools(): TemplateResult {
    const words = this.words("composer");
    return html`<button
        type="button"
        class="button quiet square"
        aria-label=${words.attach}
        title=${words.attach}
        @click=${() => this.querySelector<HTMLInputElement>("input[type=file]")?.click()}
      >
        ${icon("attach")}
      </button>
      <input type="file" multiple hidden aria-label=${words.attach} @change=${(event: Event) => this.#picked(event)} />
      ${
        canRecord()
          ? html`<button
              type="button"
              class="button quiet square"
              aria-label=${words.record}
              title=${words.record}
              @click=${() => void this.#record()}
            >
              ${icon("microphone")}
            </button>`
          : nothing
      }`;
  }

  #renderText(): TemplateResult {
    return html`<chela-composer-text
      .world=${this.world}
      .conversation=${this.conversation}
      .draft=${this.#draft}
      @text-send=${() => void this.#send()}
      @text-stop=${() => this.#isAnswering() && void this.#stop()}
      @text-files=${({ detail }: CustomEvent<readonly File[]>) => void this.#attach(detail)}
    ></chela-composer-text>`;
  }

  #renderSend(): TemplateResult {
    const words = this.words("composer");
    const isAnswering = this.#isAnswering();
    const send = isAnswering ? words.sendNext : words.send;
    return html`${
        isAnswering
          ? html`<button
              type="button"
              class="button square round composer-stop"
              aria-label=${words.stop}
              title="${words.stop} (Esc)"
              @click=${() => void this.#stop()}
            >
              ${icon("stop")}
            </button>`
          : nothing
      }<button class="button primary square round" aria-label=${send} title=${send} ?disabled=${this.#draft.isEmpty}>
        ${icon("send")}
      </button>`;
  }

  #renderRecorder(): TemplateResult {
    return html`<chela-voice-recorder
      .world=${this.world}
      @voice-done=${({ detail }: CustomEvent<File>) => void this.#recorded(detail)}
      @voice-cancel=${() => this.#stopRecording()}
      @voice-problem=${({ detail }: CustomEvent<MicrophoneProblem>) => this.#stopRecording(detail)}
    ></chela-voice-recorder>`;
  }

  #renderDropPlace(): TemplateResult {
    return html`<div class="composer-drop" role="status">
      <p>${icon("attach")}${this.words("composer").dropHere}</p>
    </div>`;
  }

  get #box(): ComposerText | null {
    return this.querySelector("chela-composer-text");
  }

  #open({ key, unsent }: Conversation): void {
    this.#draft = draftOf(key);
    this.trouble = undefined;
    this.isRecording = false;
    this.#stopPreviews?.();
    this.#stopPreviews = giveBackPreviews(unsent);
  }

  /** Not before whatever led here has put the focus where it wanted. */
  #focusSoon(): void {
    if (isTouched()) return;
    setTimeout(() => {
      if (!document.querySelector("dialog[open]")) this.#box?.focus();
    });
  }

  #isAnswering(): boolean {
    return this.conversation.state.value.runs.some(({ state }) => state === "running");
  }

  #submitted(event: Event): void {
    event.preventDefault();
    void this.#send();
  }

  async #send(): Promise<void> {
    const { conversation } = this;
    const draft = this.#draft;
    this.trouble = undefined;
    // Without a file that was meant to go with it, a message may say something else.
    if (draft.files.isReading && !(await draft.files.settled())) return;
    if (draft.isEmpty) return;
    const text = draft.text.value.trim();
    draft.write("");
    conversation.unsent.say(text, draft.files.take());
    this.#box?.focus();
  }

  async #stop(): Promise<void> {
    const { key, unsent, state } = this.conversation;
    const draft = this.#draft;
    const answered = state.value.runs.flatMap((run) => (run.state === "running" ? [run.runId] : []));
    const waiting = unsent.all.value.filter(({ id }) => !answered.includes(id));
    await this.attempt(async () => {
      const { runIds } = await this.world.wire.call("chat.abort", { sessionKey: key });
      // What waited its turn was never said: the words come back.
      const back = waiting.flatMap(({ id, text }) => (runIds.includes(id) && text ? [text] : []));
      if (back.length > 0) draft.write([...back, draft.text.value].filter(Boolean).join("\n\n"));
    });
    this.#box?.focus();
  }

  #picked(event: Event): void {
    const field = event.target as HTMLInputElement;
    const files = [...(field.files ?? [])];
    // The same file can be picked again.
    field.value = "";
    void this.#attach(files);
  }

  async #attach(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    this.trouble = undefined;
    this.#box?.focus();
    const refusal = await this.#draft.files.add(files);
    if (refusal) this.trouble = this.#refusalWords(refusal);
  }

  #refusalWords(refusal: Refusal): string {
    const words = this.words("composer");
    const most = this.world.words.bytes(MOST_BYTES);
    switch (refusal.kind) {
      case "too-large":
        return refusal.isAlone
          ? words.tooLarge(refusal.name, this.world.words.bytes(refusal.bytes), most)
          : words.tooMuch(refusal.name, most);
      case "too-many":
        return words.tooMany(this.world.words.number(MOST_FILES));
      case "unreadable":
        return words.unreadable(refusal.name);
    }
  }

  async #record(): Promise<void> {
    this.trouble = undefined;
    this.isRecording = await this.attempt(() => import("./voice-recorder.ts"));
  }

  async #recorded(file: File): Promise<void> {
    this.#stopRecording();
    await this.updateComplete;
    await this.#attach([file]);
  }

  #stopRecording(problem?: MicrophoneProblem): void {
    this.isRecording = false;
    if (problem) this.trouble = this.words("composer")[MICROPHONE_WORDS[problem]];
    void this.updateComplete.then(() => this.#box?.focus());
  }
}

customElements.define("chela-composer", Composer);
