// Records a voice note in the place of the text: how long, how loud, done or away with it.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { icon } from "../../../parts/icon.ts";
import { styled } from "../../../parts/styled.ts";
import { problemOf, VoiceRecording, type MicrophoneProblem } from "./voice-recording.ts";

/** `<chela-voice-recorder .world @voice-done @voice-cancel @voice-problem>`: records as long as it is on the page. */
class VoiceRecorder extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, recording: { state: true } };
  declare recording: VoiceRecording | undefined;
  #frame = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.#frame);
    this.recording?.release();
    this.recording = undefined;
  }

  override render(): TemplateResult {
    const words = this.words("composer");
    const seconds = this.recording ? Math.floor((Date.now() - this.recording.startedAt) / 1000) : 0;
    const share = `${Math.round((this.recording?.level ?? 0) * 100)}%`;
    return html`<div
      class="voice"
      role="group"
      aria-label=${words.recording}
      @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
    >
      <i class="voice-light" ?data-on=${this.recording !== undefined}></i>
      <span class="voice-time" role="timer">${clockOf(seconds)}</span>
      <span class="voice-level" ${styled({ "--share": share })}></span>
      <button
        type="button"
        class="button quiet square"
        aria-label=${words.recordingCancel}
        title=${words.recordingCancel}
        @click=${() => this.#tell("voice-cancel")}
      >
        ${icon("close")}
      </button>
      <button
        type="button"
        class="button primary square round"
        aria-label=${words.recordingDone}
        title=${words.recordingDone}
        ?disabled=${!this.recording}
        @click=${() => void this.#finish()}
      >
        ${icon("check")}
      </button>
    </div>`;
  }

  async #start(): Promise<void> {
    try {
      const recording = await VoiceRecording.start();
      // Whoever said yes may have gone away meanwhile.
      if (!this.isConnected) return recording.release();
      this.recording = recording;
      await this.updateComplete;
      this.querySelector<HTMLElement>(".primary")?.focus();
      this.#draw();
    } catch (error) {
      this.#tell<MicrophoneProblem>("voice-problem", problemOf(error));
    }
  }

  #draw(): void {
    this.requestUpdate();
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === "Escape") this.#tell("voice-cancel");
  }

  async #finish(): Promise<void> {
    const { recording } = this;
    if (recording) this.#tell<File>("voice-done", await recording.stop());
  }

  #tell<T>(name: string, detail?: T): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

customElements.define("chela-voice-recorder", VoiceRecorder);
