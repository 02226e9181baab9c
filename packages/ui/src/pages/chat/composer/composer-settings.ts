// The quiet row under the text: which model answers, how long it thinks, what becomes of further messages.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodParams } from "@chela/sdk/protocol";
import { Part } from "../../../app/part.ts";
import { writeRoute } from "../../../app/route.ts";
import { icon } from "../../../parts/icon.ts";
import type { Picker } from "../../../parts/picker.ts";
import type { PickerChoice } from "../../../parts/picker-choices.ts";
import { agentOf } from "../../../state/session-title.ts";
import type { Settings } from "../conversation.ts";
import {
  findModel,
  modelChoices,
  modelName,
  QUEUE_MODES,
  THINKING_LEVELS,
} from "../../../conversations/model-choices.ts";
import "../../../parts/picker.ts";
import "../context-meter.ts";

type Patch = Omit<MethodParams<"sessions.patch">, "key">;
type Chosen = CustomEvent<PickerChoice>;

/** `<chela-composer-settings .world .sessionKey .settings @compact>` */
export class ComposerSettings extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    sessionKey: { attribute: false },
    settings: { attribute: false },
    wished: { state: true },
  };
  declare sessionKey: string;
  declare settings: Settings;
  /** What was chosen and is not confirmed yet: shown at once. */
  declare wished: Patch | undefined;
  readonly #models = this.asking(() => {
    const agentId = agentOf(this.sessionKey);
    return { method: "models.list", params: agentId ? { agentId } : {}, topics: ["models", "config"] };
  });

  /** Opens the list of models, for whoever asks for it elsewhere. */
  chooseModel(): void {
    this.querySelector<Picker>("chela-picker")?.open();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("settings") || changed.has("sessionKey")) this.wished = undefined;
  }

  override render(): TemplateResult {
    return html`<div class="composer-settings" role="group" aria-label=${this.words("composer").settings}>
      ${this.#renderModel()} ${this.#renderDemo()} ${this.#renderThinking()} ${this.#renderQueue()}
      <chela-context-meter
        .world=${this.world}
        .sessionKey=${this.sessionKey}
        .settings=${this.settings}
        @compact=${() => this.dispatchEvent(new CustomEvent("compact"))}
      ></chela-context-meter>
    </div>`;
  }

  #renderModel(): TemplateResult {
    const words = this.words("composer");
    const listed = this.#models.value;
    const chosen = this.#model();
    const text = chosen ?? listed?.default ?? this.settings.model;
    const isEmpty = listed?.models.length === 0;
    return html`<chela-picker
      label=${words.model}
      text=${text ? modelName(listed, text) : words.modelDefault}
      searchLabel=${words.modelSearch}
      note=${listed ? (isEmpty ? words.noModels : words.noModel) : this.#waitingNote()}
      .choices=${listed && !isEmpty ? modelChoices(listed, words, this.world.words) : []}
      .chosen=${chosen ?? ""}
      @picker-choose=${({ detail }: Chosen) => void this.#change({ model: detail.id || null })}
    ></chela-picker>`;
  }

  /** Who talks for a while with something that cannot think has forgotten where that was said. */
  #renderDemo(): TemplateResult | typeof nothing {
    const words = this.words("composer");
    if (!(this.#model() ?? this.#models.value?.default)?.startsWith("demo/")) return nothing;
    return html`<a
      class="badge warn composer-demo"
      href=${writeRoute("overview")}
      aria-label=${words.demoConnect}
      title=${words.demo}
      >${icon("warning")}<span>${words.demoConnect}</span></a
    >`;
  }

  #renderThinking(): TemplateResult {
    const words = this.words("composer");
    const listed = this.#models.value;
    const chosen = this.#chosen("thinkingLevel", this.settings.thinkingLevel);
    const levels = findModel(listed, this.#model() ?? listed?.default)?.thinkingLevels ?? THINKING_LEVELS;
    const choices = levels.map((level) => {
      const hint = level === "off" || level === "xhigh" ? words[`thinking_${level}Hint`] : undefined;
      return { id: level, label: words[`thinking_${level}`], ...(hint ? { hint } : {}) };
    });
    const usual = { id: "", label: words.thinking_default, hint: words.thinking_defaultHint };
    // Said once for the whole list: a level that changes nothing is no choice.
    const cannot = levels.length === 1 ? { ...usual, hint: words.thinkingNone } : usual;
    const level = THINKING_LEVELS.find((one) => one === chosen);
    return html`<chela-picker
      .icon=${"thinking"}
      label=${words.thinking}
      text=${level ? words[`thinking_${level}`] : words.thinking}
      value=${level ? words[`thinking_${level}`] : words.thinking_default}
      explains=${words.thinkingExplained}
      .choices=${[cannot, ...choices]}
      .chosen=${chosen ?? ""}
      @picker-choose=${({ detail }: Chosen) =>
        void this.#change({ thinkingLevel: THINKING_LEVELS.find((one) => one === detail.id) ?? null })}
    ></chela-picker>`;
  }

  #renderQueue(): TemplateResult {
    const words = this.words("composer");
    // Two names each for the same.
    const chosen = this.#chosen("queueMode", this.settings.queueMode)
      ?.replace("+", "-")
      .replace(/^queue$/, "steer");
    const mode = QUEUE_MODES.find((one) => one === chosen);
    const choices = QUEUE_MODES.map((one) => ({
      id: one,
      label: words[`queue_${one}`],
      hint: words[`queue_${one}Hint`],
    }));
    return html`<chela-picker
      .icon=${"explain"}
      label=${words.queue}
      text=${mode ? words[`queue_${mode}`] : words.queue}
      value=${mode ? words[`queue_${mode}`] : words.queue_default}
      explains=${words.queueExplained}
      .choices=${[{ id: "", label: words.queue_default, hint: words.queue_defaultHint }, ...choices]}
      .chosen=${chosen ?? ""}
      @picker-choose=${({ detail }: Chosen) =>
        void this.#change({ queueMode: QUEUE_MODES.find((one) => one === detail.id) ?? null })}
    ></chela-picker>`;
  }

  #waitingNote(): string {
    const { state } = this.#models;
    return state.kind === "failed" ? state.error.message : this.words("composer").loading;
  }

  /** The model chosen for this conversation, if any. */
  #model(): string | undefined {
    return this.#chosen("model", this.settings.modelOverride);
  }

  #chosen(field: "model" | "thinkingLevel" | "queueMode", known: string | undefined): string | undefined {
    const wished = this.wished?.[field];
    return wished === undefined ? known : (wished ?? undefined);
  }

  async #change(patch: Patch): Promise<void> {
    this.wished = { ...this.wished, ...patch };
    const isDone = await this.attempt(() => this.world.wire.call("sessions.patch", { key: this.sessionKey, ...patch }));
    if (!isDone) this.wished = undefined;
  }
}

customElements.define("chela-composer-settings", ComposerSettings);
