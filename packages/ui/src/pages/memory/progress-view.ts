// Progress of the index while it is being filled: told by events, and by the state that was asked for.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MemoryProgress, MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";

export type MemoryStatus = MethodAnswer<"memory.status">["agents"][number];

/** `<chela-memory-progress .world .agentId .status>`: nothing is shown when there is nothing to do. */
class ProgressView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agentId: { attribute: false },
    status: { attribute: false },
    told: { state: true },
  };
  declare agentId: string;
  declare status: MemoryStatus | undefined;
  /** The newest event. */
  declare told: MemoryProgress | undefined;
  #stops: ReadonlyArray<() => void> = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const { wire } = this.world;
    this.#stops = [
      wire.on("memory.progress", (progress) => {
        if (progress.agentId === this.agentId) this.told = progress.done < progress.of ? progress : undefined;
      }),
      // The end may have been missed; what is asked for anew says where it is.
      wire.onResync(() => (this.told = undefined)),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("agentId")) this.told = undefined;
    const isOver = changed.has("status") && this.status?.isIndexing === false;
    if (isOver && this.told?.phase !== "learning") this.told = undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const now = this.told ?? (this.status?.isIndexing ? this.status.progress : undefined);
    if (!now || now.done >= now.of) return nothing;
    const share = now.done / Math.max(1, now.of);
    const text = this.words("memory")[`phase_${now.phase}`];
    return html`<div class="banner memory-progress">
      ${icon("info")}
      <span role="status">${text}</span>
      <progress max="1" .value=${share} aria-label=${text}></progress>
      <span class="memory-percent">${this.world.words.number(share, { style: "percent" })}</span>
    </div>`;
  }
}

customElements.define("chela-memory-progress", ProgressView);
