// Settings of one session: model, thinking, what is told of tools, whether anything is sent, and the queue.
import type { MethodParams } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { wordsOf } from "../../wire/failure.ts";
import { findModel, modelChoices, modelName, QUEUE_MODES, THINKING_LEVELS } from "../../conversations/model-choices.ts";
import type { SessionRow } from "./filter.ts";
import "../../parts/picker.ts";

type Patch = Omit<MethodParams<"sessions.patch">, "key">;
type Field = "model" | "thinkingLevel" | "verboseLevel" | "sendPolicy" | "queueMode" | "groupActivation";

const VERBOSE_LEVELS = ["off", "on", "full"] as const;
const SEND_POLICIES = ["allow", "deny"] as const;
const ACTIVATIONS = ["mention", "always"] as const;

interface Setting {
  readonly label: string;
  readonly explains?: string;
  readonly choices: readonly PickerChoice[];
  readonly chosen: string;
  readonly searchLabel?: string;
  readonly note?: string;
  patch(id: string): Patch;
}

/** `<chela-session-settings .world .row>` */
class SessionSettings extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    row: { attribute: false },
    wished: { state: true },
    problem: { state: true },
  };
  declare row: SessionRow;
  /** What was chosen and is not confirmed yet: shown at once. */
  declare wished: Patch;
  declare problem: string | undefined;
  readonly #models = this.asking(() => ({
    method: "models.list",
    params: this.row.agentId ? { agentId: this.row.agentId } : {},
    topics: ["models", "config"],
  }));

  #pending = 0;

  constructor() {
    super();
    this.wished = {};
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("row")) return;
    const before = changed.get("row") as SessionRow | undefined;
    if (before?.key !== this.row.key) this.problem = undefined;
    // What came after the last answer knows of every wish.
    if (this.#pending === 0) this.wished = {};
  }

  override render(): TemplateResult {
    const words = this.words("sessions");
    return html`<section aria-labelledby="sessions-settings">
      <h3 id="sessions-settings">${words.settings}</h3>
      <div class="sessions-settings">
        ${this.#renderSetting(this.#model())} ${this.#renderSetting(this.#thinking())}
        ${this.#renderSetting(this.#verbose())} ${this.#renderSetting(this.#queue())}
        ${this.#renderSetting(this.#sending())}
        ${this.row.kind === "group" ? this.#renderSetting(this.#activation()) : nothing}
      </div>
      ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
    </section>`;
  }

  #renderSetting({ label, explains, choices, chosen, searchLabel, note, patch }: Setting): TemplateResult {
    const text = choices.find(({ id }) => id === chosen)?.label ?? chosen;
    return html`<div class="sessions-setting">
      <span
        ><span aria-hidden="true">${label}</span
        >${explains ? html`<small class="hint">${explains}</small>` : nothing}</span
      >
      <chela-picker
        ?data-chosen=${chosen !== ""}
        label=${label}
        text=${text}
        searchLabel=${searchLabel ?? nothing}
        note=${note ?? nothing}
        .choices=${choices}
        .chosen=${chosen}
        @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => void this.#change(patch(detail.id))}
      ></chela-picker>
    </div>`;
  }

  #model(): Setting {
    const composer = this.words("composer");
    const { value: listed, state } = this.#models;
    const chosen = this.#chosen("model", modelOf(this.row));
    const choices = listed ? modelChoices(listed, composer, this.world.words) : [];
    // One that is not on the list any more is still in force.
    const isListed = chosen === "" || choices.some(({ id }) => id === chosen);
    return {
      label: composer.model,
      choices: isListed ? choices : [...choices, { id: chosen, label: modelName(listed, chosen) }],
      chosen,
      searchLabel: composer.modelSearch,
      note: state.kind === "failed" ? state.error.message : listed ? composer.noModel : composer.loading,
      patch: (id) => ({ model: id || null }),
    };
  }

  #thinking(): Setting {
    const composer = this.words("composer");
    const listed = this.#models.value;
    const model = this.#chosen("model", modelOf(this.row)) || listed?.default;
    const levels = findModel(listed, model)?.thinkingLevels ?? THINKING_LEVELS;
    const known = THINKING_LEVELS.filter((level) => levels.includes(level));
    return {
      label: composer.thinking,
      explains: composer.thinkingExplained,
      choices: [
        { id: "", label: composer.thinking_default, hint: composer.thinking_defaultHint },
        ...known.map((level) => ({ id: level, label: composer[`thinking_${level}`] })),
      ],
      chosen: this.#chosen("thinkingLevel", this.row.thinkingLevel),
      patch: (id) => ({ thinkingLevel: THINKING_LEVELS.find((level) => level === id) ?? null }),
    };
  }

  #verbose(): Setting {
    const words = this.words("sessions");
    return {
      label: words.verbose,
      explains: words.verboseExplained,
      choices: this.#withUsual(
        VERBOSE_LEVELS.map((level) => ({
          id: level,
          label: words[`verbose_${level}`],
          hint: words[`verbose_${level}Hint`],
        })),
      ),
      chosen: this.#chosen("verboseLevel", this.row.verboseLevel),
      patch: (id) => ({ verboseLevel: VERBOSE_LEVELS.find((level) => level === id) ?? null }),
    };
  }

  #queue(): Setting {
    const composer = this.words("composer");
    // Two names each for the same.
    const known = this.row.queueMode?.replace("+", "-").replace(/^queue$/, "steer");
    return {
      label: composer.queue,
      explains: composer.queueExplained,
      choices: [
        { id: "", label: composer.queue_default, hint: composer.queue_defaultHint },
        ...QUEUE_MODES.map((mode) => ({
          id: mode,
          label: composer[`queue_${mode}`],
          hint: composer[`queue_${mode}Hint`],
        })),
      ],
      chosen: this.#chosen("queueMode", known),
      patch: (id) => ({ queueMode: QUEUE_MODES.find((mode) => mode === id) ?? null }),
    };
  }

  #sending(): Setting {
    const words = this.words("sessions");
    return {
      label: words.sending,
      explains: words.sendingExplained,
      choices: this.#withUsual(
        SEND_POLICIES.map((policy) => ({
          id: policy,
          label: words[`sending_${policy}`],
          hint: words[`sending_${policy}Hint`],
        })),
      ),
      chosen: this.#chosen("sendPolicy", this.row.sendPolicy),
      patch: (id) => ({ sendPolicy: SEND_POLICIES.find((policy) => policy === id) ?? null }),
    };
  }

  #activation(): Setting {
    const words = this.words("sessions");
    return {
      label: words.activation,
      explains: words.activationExplained,
      choices: this.#withUsual(ACTIVATIONS.map((one) => ({ id: one, label: words[`activation_${one}`] }))),
      chosen: this.#chosen("groupActivation", this.row.groupActivation),
      patch: (id) => ({ groupActivation: ACTIVATIONS.find((one) => one === id) ?? null }),
    };
  }

  #withUsual(choices: readonly PickerChoice[]): PickerChoice[] {
    const words = this.words("sessions");
    return [{ id: "", label: words.usual, hint: words.usualHint }, ...choices];
  }

  /** "" is what is configured. */
  #chosen(field: Field, known: string | undefined): string {
    const wished = this.wished[field];
    return (wished === undefined ? known : wished) ?? "";
  }

  async #change(patch: Patch): Promise<void> {
    const before = this.wished;
    this.wished = { ...before, ...patch };
    this.problem = undefined;
    this.#pending += 1;
    try {
      await this.world.wire.call("sessions.patch", { key: this.row.key, ...patch });
    } catch (error) {
      this.wished = before;
      // A notice would stand behind this window.
      this.problem = wordsOf(error);
    } finally {
      this.#pending -= 1;
    }
  }
}

function modelOf({ modelOverride, providerOverride }: SessionRow): string | undefined {
  return modelOverride === undefined ? undefined : `${providerOverride ?? ""}/${modelOverride}`;
}

customElements.define("chela-session-settings", SessionSettings);
