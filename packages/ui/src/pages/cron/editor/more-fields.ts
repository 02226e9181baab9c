// Fields few jobs need: who carries it out and how, and what follows when something goes wrong.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { modelChoices, modelName, THINKING_LEVELS } from "../../../conversations/model-choices.ts";
import type { PickerChoice } from "../../../parts/picker-choices.ts";
import { renderCheck, renderSelect, renderText } from "./fields.ts";
import type { JobDraft } from "./job-draft.ts";
import "../../../parts/picker.ts";

/** `<chela-cron-more .world .draft>`; it bubbles `draft-change`. */
class MoreFields extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    draft: { attribute: false },
    isOpen: { state: true },
  };
  declare draft: JobDraft;
  declare isOpen: boolean;
  readonly #agents = this.asking(() => ({ method: "agents.list", params: {}, topics: ["agents"] }));
  readonly #models = this.asking(() =>
    this.isOpen && this.draft.what === "turn"
      ? {
          method: "models.list",
          params: this.draft.agentId ? { agentId: this.draft.agentId } : {},
          topics: ["models", "config"],
        }
      : undefined,
  );

  constructor() {
    super();
    this.isOpen = false;
  }

  override render(): TemplateResult {
    const words = this.words("cron");
    return html`<details
      class="card cron-more"
      .open=${this.isOpen}
      @toggle=${(event: ToggleEvent) => (this.isOpen = event.newState === "open")}
    >
      <summary>
        <h2>${words.moreSettings}</h2>
        <span class="hint">${words.moreHint}</span>
      </summary>
      ${this.isOpen ? this.#renderFields() : nothing}
    </details>`;
  }

  #renderFields(): TemplateResult {
    const words = this.words("cron");
    const { draft } = this;
    const isTurn = draft.what === "turn";
    return html`<div class="cron-more-fields">
      ${this.#renderAgent()} ${isTurn ? this.#renderModel() : nothing} ${isTurn ? this.#renderThinking() : nothing}
      ${
        draft.what === "command"
          ? renderText({ label: words.folder, value: draft.folder, isCode: true, hint: words.folderHint }, (folder) =>
              this.#change({ folder }),
            )
          : nothing
      }
      ${
        draft.what === "reminder"
          ? this.#renderWake()
          : renderText(
              {
                label: words.timeoutMinutes,
                value: draft.timeout,
                type: "number",
                hint: isTurn ? words.timeoutTurnHint : words.timeoutCommandHint,
              },
              (timeout) => this.#change({ timeout }),
            )
      }
      ${this.#renderRules()} ${this.#renderAlert()}
      ${
        draft.when.kind === "once"
          ? renderCheck(words.deletesItself, draft.deletesItself, (deletesItself) => this.#change({ deletesItself }))
          : nothing
      }
      ${renderText({ label: words.description, value: draft.description }, (description) => this.#change({ description }))}
    </div>`;
  }

  #renderAgent(): TemplateResult {
    const words = this.words("cron");
    const agents = (this.#agents.value?.agents ?? []).map(({ id, name }) => ({ id, label: name ?? id }));
    const missing = this.draft.agentId && !agents.some(({ id }) => id === this.draft.agentId);
    const known = missing ? [...agents, { id: this.draft.agentId, label: this.draft.agentId }] : agents;
    return renderSelect(
      { label: words.agent, chosen: this.draft.agentId },
      [{ id: "", label: words.usualAgent }, ...known],
      (agentId) => this.#change({ agentId }),
    );
  }

  #renderModel(): TemplateResult {
    const words = this.words("cron");
    const composer = this.words("composer");
    const listed = this.#models.value;
    const { model } = this.draft;
    return html`<div class="field">
      <span>${words.model}</span>
      <chela-picker
        label=${words.model}
        text=${model ? modelName(listed, model) : composer.modelDefault}
        searchLabel=${composer.modelSearch}
        note=${listed ? composer.noModel : composer.loading}
        .choices=${listed ? modelChoices(listed, composer, this.world.words) : []}
        .chosen=${model}
        @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => this.#change({ model: detail.id })}
      ></chela-picker>
    </div>`;
  }

  #renderThinking(): TemplateResult {
    const composer = this.words("composer");
    const levels = THINKING_LEVELS.map((id) => ({ id: id as string, label: composer[`thinking_${id}`] }));
    return renderSelect(
      { label: this.words("cron").thinking, chosen: this.draft.thinking },
      [{ id: "", label: composer.thinking_default }, ...levels],
      (thinking) => this.#change({ thinking }),
    );
  }

  #renderWake(): TemplateResult {
    const words = this.words("cron");
    return renderSelect(
      { label: words.wake, chosen: this.draft.wakeMode },
      [
        { id: "now", label: words.wake_now },
        { id: "next-heartbeat", label: words.wake_next },
      ],
      (wakeMode) => this.#change({ wakeMode }),
    );
  }

  #renderRules(): TemplateResult {
    const words = this.words("cron");
    const { catchUp, onCrash, what } = this.draft;
    const usualCrash = words[what === "command" ? "onCrash_report" : "onCrash_retry"];
    return html`${renderSelect(
      { label: words.catchUp, chosen: catchUp, hint: words.catchUpHint },
      [
        { id: "", label: words.usual(words.catchUp_once) },
        { id: "skip", label: words.catchUp_skip },
        { id: "all", label: words.catchUp_all },
      ],
      (value) => this.#change({ catchUp: value }),
    )}
    ${renderSelect(
      { label: words.onCrash, chosen: onCrash, hint: words.onCrashHint },
      [
        { id: "", label: words.usual(usualCrash) },
        { id: "retry", label: words.onCrash_retry },
        { id: "report", label: words.onCrash_report },
      ],
      (value) => this.#change({ onCrash: value }),
    )}`;
  }

  #renderAlert(): TemplateResult {
    const words = this.words("cron");
    const { alert, alertAfter } = this.draft;
    return html`${renderSelect(
      { label: words.alert, chosen: alert, hint: words.alertHint },
      [
        { id: "usual", label: words.usual(words.alert_usual) },
        { id: "after", label: words.alert_after },
        { id: "off", label: words.alert_off },
      ],
      (value) => this.#change({ alert: value }),
    )}
    ${
      alert === "after"
        ? renderText({ label: words.alertAfter, value: alertAfter, type: "number" }, (value) =>
            this.#change({ alertAfter: value }),
          )
        : nothing
    }`;
  }

  #change(change: Partial<JobDraft>): void {
    this.dispatchEvent(new CustomEvent("draft-change", { detail: change, bubbles: true }));
  }
}

customElements.define("chela-cron-more", MoreFields);
