// Models that are tried when the first does not answer, in their order.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { findModel, modelChoices, modelName } from "../../conversations/model-choices.ts";
import "../../parts/picker.ts";

/** `<chela-agents-fallbacks .world .models .primary .fallbacks .shared @fallbacks-change>`: the detail is the new list or undefined. */
class FallbacksView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    models: { attribute: false },
    primary: { attribute: false },
    fallbacks: { attribute: false },
    shared: { attribute: false },
  };
  declare models: MethodAnswer<"models.list"> | undefined;
  /** What they stand in for: it is no choice here. */
  declare primary: string | undefined;
  /** Undefined: those of all agents. */
  declare fallbacks: readonly string[] | undefined;
  declare shared: readonly string[];

  override render(): TemplateResult {
    const words = this.words("agents");
    return html`<div class="field" role="group" aria-label=${words.fallbacks}>
      <span>${words.fallbacks}</span>
      ${this.fallbacks ? this.#renderOwn(this.fallbacks) : this.#renderShared()}
      <span class="hint">${words.fallbacksHint}</span>
    </div>`;
  }

  #renderShared(): TemplateResult {
    const words = this.words("agents");
    const names = this.shared.map((ref) => modelName(this.models, ref)).join(", ");
    return html`<div class="row wrap">
      <span>${names ? words.fallbacksShared(names) : words.fallbacksSharedNone}</span>
      <button class="button small" @click=${() => this.#tell([...this.shared])}>${words.ownFallbacks}</button>
    </div>`;
  }

  #renderOwn(fallbacks: readonly string[]): TemplateResult {
    const words = this.words("agents");
    const composer = this.words("composer");
    const [, ...all] = this.models ? modelChoices(this.models, composer, this.world.words) : [];
    return html`${
        fallbacks.length > 0
          ? html`<ol class="agents-fallbacks">
              ${fallbacks.map((ref, at) => this.#renderOne(fallbacks, ref, at))}
            </ol>`
          : html`<p class="muted">${words.fallbacksNone}</p>`
      }
      <div class="row wrap agents-pick">
        <chela-picker
          label=${words.addFallback}
          text=${words.addFallback}
          .icon=${"plus"}
          searchLabel=${composer.modelSearch}
          note=${this.models ? composer.noModel : composer.loading}
          .choices=${all.filter(({ id }) => id !== this.primary && !fallbacks.includes(id))}
          @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => this.#tell([...fallbacks, detail.id])}
        ></chela-picker>
        <button class="button quiet small" @click=${() => this.#tell(undefined)}>${words.sharedFallbacks}</button>
      </div>`;
  }

  #renderOne(fallbacks: readonly string[], ref: string, at: number): TemplateResult {
    const words = this.words("agents");
    const name = modelName(this.models, ref);
    const isUsable = !this.models || findModel(this.models, ref)?.usable !== false;
    return html`<li>
      <span class="cut" title=${ref}>${name}</span>
      ${isUsable ? nothing : html`<span class="badge warn">${words.notUsable}</span>`}
      <button
        class="button quiet square small"
        aria-label=${words.moveUp(name)}
        title=${words.moveUp(name)}
        ?disabled=${at === 0}
        @click=${() => this.#tell(movedUp(fallbacks, at))}
      >
        ${icon("chevronUp")}
      </button>
      <button
        class="button quiet square small"
        aria-label=${words.removeFallback(name)}
        title=${words.removeFallback(name)}
        @click=${() => this.#tell(fallbacks.toSpliced(at, 1))}
      >
        ${icon("close")}
      </button>
    </li>`;
  }

  #tell(fallbacks: readonly string[] | undefined): void {
    this.dispatchEvent(new CustomEvent("fallbacks-change", { detail: fallbacks }));
  }
}

function movedUp(list: readonly string[], at: number): readonly string[] {
  const [moved = ""] = list.slice(at, at + 1);
  return list.toSpliced(at, 1).toSpliced(at - 1, 0, moved);
}

customElements.define("chela-agents-fallbacks", FallbacksView);
