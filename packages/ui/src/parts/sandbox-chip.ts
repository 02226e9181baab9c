// Chip that shows where the commands of a conversation run, and on demand what they see there.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../app/part.ts";
import { writeRoute } from "../app/route.ts";
import { readScope } from "../state/sandbox-scope.ts";
import { Beside } from "./beside.ts";
import { icon } from "./icon.ts";
import "./menu.css";
import "./sandbox-chip.css";

type Explained = MethodAnswer<"sandbox.explain">;

/** `<chela-sandbox-chip .world .sessionKey>` */
class SandboxChip extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    sessionKey: { attribute: false },
    isQuiet: { state: true },
  };
  declare sessionKey: string;
  /** The page has nothing better to do, and the words are there. */
  declare isQuiet: boolean;
  readonly #id = `sandbox-${crypto.randomUUID()}`;
  readonly #explained = this.asking(() =>
    this.isQuiet && this.world.wire.has("sandbox.explain")
      ? {
          method: "sandbox.explain",
          params: { sessionKey: this.sessionKey },
          topics: ["sandboxes", "config", "agents"],
        }
      : undefined,
  );
  readonly #details = new Beside(this);

  constructor() {
    super();
    this.isQuiet = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const begin = (): void => void this.#begin();
    if ("requestIdleCallback" in window) requestIdleCallback(begin, { timeout: 2000 });
    else setTimeout(begin, 500);
  }

  override render(): TemplateResult | typeof nothing {
    const explained = this.#explained.value;
    if (!explained) return nothing;
    const words = this.words("sandbox");
    const state = stateOf(explained);
    const label = words.label(words[state]);
    return html`<button
        type="button"
        class="button quiet small sandbox-chip"
        data-state=${state}
        popovertarget=${this.#id}
        aria-haspopup="dialog"
        aria-expanded=${this.#details.isOpen ? "true" : "false"}
        aria-label=${label}
        title=${label}
      >
        ${icon(state === "outside" ? "system" : "security")}<span>${words[state]}</span>
      </button>
      <div
        class="popover sandbox-details"
        popover
        id=${this.#id}
        role="dialog"
        aria-label=${words.title}
        @beforetoggle=${this.#details.opens}
        @toggle=${this.#details.toggled}
      >
        ${this.#details.isOpen ? this.#renderDetails(explained) : nothing}
      </div>`;
  }

  #renderDetails(explained: Explained): TemplateResult {
    const words = this.words("sandbox");
    const { check } = explained;
    return html`<div class="sandbox-scroll">
      <p>${words[`${stateOf(explained)}How`]}</p>
      ${check?.kind === "unusable" ? html`<p class="problem">${check.why} ${check.fix}</p>` : nothing}
      <dl class="pairs">
        ${this.#renderSees(explained)} ${fact(words.network, this.#network(explained))}
        ${fact(words.limits, this.#limits(explained))} ${fact(words.shared, this.#sharing(explained))}
        ${fact(words.keptBy, explained.backend)} ${fact(words.why, explained.why)}
      </dl>
      ${this.world.wire.has("security.audit") ? html`<a href=${writeRoute("security")} @click=${() => this.#details.hide()}>${words.more}</a>` : nothing}
    </div>`;
  }

  #renderSees({ mounts }: Explained): TemplateResult | typeof nothing {
    const words = this.words("sandbox");
    if (!mounts || mounts.length === 0) return nothing;
    return html`<dt>${words.sees}</dt>
      <dd>
        <ul class="sandbox-mounts">
          ${mounts.map(
            ({ inside, outside, isWritable }) =>
              html`<li>
                <code>${inside}</code>${isWritable ? nothing : html` <span class="badge">${words.readOnly}</span>`}
                <span class="hint">${outside}</span>
              </li>`,
          )}
        </ul>
      </dd>`;
  }

  #sharing({ scope = "" }: Explained): string | undefined {
    const read = readScope(scope);
    return read && this.words("sandbox")[`shared_${read.kind}`];
  }

  #network({ network }: Explained): string | undefined {
    return network === "none" ? this.words("sandbox").networkNone : network;
  }

  #limits({ limits }: Explained): string | undefined {
    if (!limits) return undefined;
    const words = this.words("sandbox");
    const { words: format } = this.world;
    return [
      words.memory(format.bytes(limits.memoryBytes)),
      words.processes(format.number(limits.processes)),
      words.time(format.duration(limits.cpuSeconds * 1000)),
      words.file(format.bytes(limits.fileBytes)),
      words.files(format.number(limits.openFiles)),
      ...(limits.cpus === undefined ? [] : [words.cpus(format.number(limits.cpus))]),
    ].join(", ");
  }

  /** It stands in several pages, so it brings its words along. */
  #begin(): Promise<boolean> {
    return this.attempt(async () => {
      await this.world.words.load("sandbox");
      this.isQuiet = true;
    });
  }
}

function stateOf({ isSandboxed, check, backend }: Explained): "inside" | "outside" | "broken" {
  if (!isSandboxed) return "outside";
  return backend === undefined || check?.kind === "unusable" ? "broken" : "inside";
}

function fact(name: string, value: string | undefined): TemplateResult | typeof nothing {
  if (!value) return nothing;
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

customElements.define("chela-sandbox-chip", SandboxChip);
