// The form: sections at the side, a search over all keys, and the fields of the place somebody is at.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MethodResult } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute, type Route } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { Watching } from "../../state/live.ts";
import { draftsOf } from "../../settings/drafts.ts";
import { renderField, renderInside } from "./fields.ts";
import type { FormContext } from "./form-context.ts";
import { formatPath, type Path } from "../../settings/json-place.ts";
import { KeyPlaces } from "./key-places.ts";
import { helpOf, labelOf } from "./labels.ts";
import { rootSpot, spotAt, type Spot } from "./schema.ts";
import { listFields, searchFields, type FoundKey } from "./search.ts";
import { sectionsInUse } from "./sections.ts";
import { renderTree } from "./tree.ts";

const MOST_FOUND = 40;

class ConfigForm extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    route: { attribute: false },
    reference: { attribute: false },
    problems: { attribute: false },
    query: { state: true },
    showsAll: { state: true },
    opened: { state: true },
  };
  declare route: Route;
  declare reference: MethodResult<"config.schema">;
  /** What the gateway said of the last try to save, by path. */
  declare problems: ReadonlyMap<string, string>;
  declare query: string;
  declare showsAll: boolean;
  /** Sections that somebody opened or closed. */
  declare opened: ReadonlyMap<string, boolean>;
  readonly #watching = new Watching(this);
  #root: Spot = rootSpot({});
  #places = new KeyPlaces({});
  #fields: readonly Spot[] = [];

  constructor() {
    super();
    this.query = "";
    this.showsAll = false;
    this.opened = new Map();
    this.problems = new Map();
  }

  override willUpdate(changed: PropertyValues<{ route: Route; reference: unknown; problems: unknown }>): void {
    const before = changed.get("route");
    if (before && before !== this.route) this.query = "";
    if (!changed.has("reference")) return;
    this.#root = rootSpot(this.reference.schema);
    this.#places = new KeyPlaces(this.reference.uiHints);
    this.#fields = [];
  }

  override updated(changed: PropertyValues<{ route: Route }>): void {
    const before = changed.get("route");
    // Another section begins at its beginning.
    if (before && formatPath(before.rest) !== formatPath(this.route.rest)) this.closest(".main")?.scrollTo(0, 0);
  }

  override render(): TemplateResult {
    const words = this.words("config");
    const { form: draft } = draftsOf(this.world);
    this.#watching.show(draft.now, draft.newer, draft.wrong);
    return html`<div class="config-tools">
        <label class="config-search">
          ${icon("search")}<span class="seen-by-readers">${words.search}</span>
          <input
            class="input"
            type="search"
            placeholder=${words.search}
            .value=${this.query}
            @input=${(event: Event) => (this.query = (event.target as HTMLInputElement).value)}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            .checked=${this.showsAll}
            @change=${(event: Event) => (this.showsAll = (event.target as HTMLInputElement).checked)}
          />${words.showAll}
        </label>
      </div>
      <div class="config-split">
        ${renderTree(this.#root, this.route.rest, this.#context(this.showsAll ? "all" : "usual"))} ${this.#renderMain()}
      </div>`;
  }

  #context(shows: FormContext["shows"]): FormContext {
    const { form: draft } = draftsOf(this.world);
    return {
      words: this.words("config"),
      draft,
      hints: this.reference.uiHints,
      places: this.#places,
      shows,
      isOpen: (path, otherwise) => this.opened.get(formatPath(path)) ?? otherwise,
      setOpen: (path, isOpen) => {
        const name = formatPath(path);
        if (this.opened.get(name) !== isOpen) this.opened = new Map([...this.opened, [name, isOpen]]);
      },
      problemAt: (path) => draft.wrong.value.get(formatPath(path)) ?? this.problems.get(formatPath(path)),
      setProblem: (path, text) => draft.mark(formatPath(path), text),
    };
  }

  #renderMain(): TemplateResult {
    if (this.query.trim() !== "") return this.#renderFound();
    return this.route.rest.length === 0 ? this.#renderInUse() : this.#renderPlace(this.route.rest);
  }

  #renderInUse(): TemplateResult {
    const words = this.words("config");
    const form = this.#context("set");
    const sections = sectionsInUse(this.#root, form);
    return html`<div class="config-main">
      <header class="config-head">
        <h2>${words.inUse}</h2>
        <p class="muted">${sections.length > 0 ? words.inUseHow : words.nothingSet}</p>
      </header>
      ${sections.map(
        (spot) =>
          html`<section class="config-part">
            <header>
              <h3>${labelOf(spot.pattern)}</h3>
              <a href=${writeRoute("config", spot.path)}>${words.openSection}</a>
            </header>
            ${renderInside(spot, form)}
          </section>`,
      )}
    </div>`;
  }

  #renderPlace(path: Path): TemplateResult {
    const words = this.words("config");
    const spot = spotAt(this.#root, path);
    if (!spot) return html`<div class="config-main"><p class="empty">${words.noSuchKey(formatPath(path))}</p></div>`;
    const help = helpOf(this.reference.uiHints, spot);
    const form = this.#context(this.showsAll ? "all" : "usual");
    return html`<div class="config-main">
      <header class="config-head">
        ${this.#renderCrumbs(path)}
        <h2>${labelOf(path.at(-1) ?? "")}</h2>
        ${help ? html`<p class="muted">${help}</p>` : nothing}
      </header>
      ${renderInside(spot, form)}
      ${
        this.showsAll
          ? nothing
          : html`<button class="button quiet config-more" @click=${() => (this.showsAll = true)}>
              ${icon("chevronDown")}${words.showAllHere}
            </button>`
      }
    </div>`;
  }

  #renderCrumbs(path: Path): TemplateResult | typeof nothing {
    if (path.length < 2) return nothing;
    return html`<p class="config-crumbs">
      ${path.slice(0, -1).map((key, at) => {
        const above = path.slice(0, at + 1);
        return html`<a href=${writeRoute("config", above)}>${labelOf(key)}</a> ${icon("chevronRight")}`;
      })}
    </p>`;
  }

  #renderFound(): TemplateResult {
    const words = this.words("config");
    if (this.#fields.length === 0) this.#fields = listFields(this.#root);
    const found = searchFields(this.#fields, this.reference.uiHints, this.query, MOST_FOUND);
    const form = this.#context("all");
    const count = found.length === MOST_FOUND ? words.foundMost(MOST_FOUND) : words.found(found.length);
    return html`<div class="config-main">
      <p class="muted" role="status">${count}</p>
      <div class="config-fields">
        ${found.map((one) => (one.isSingle ? renderField(one.spot, form, true) : this.#renderPointer(one)))}
      </div>
    </div>`;
  }

  /** A key that each entry of a list or record has: where to look for it. */
  #renderPointer({ spot }: FoundKey): TemplateResult {
    const words = this.words("config");
    const entry = spot.path.findIndex((_key, at) => /\*|\[\]/.test(this.#patternAt(spot, at + 1)));
    const above = spot.path.slice(0, Math.max(entry, 1));
    const help = helpOf(this.reference.uiHints, spot);
    return html`<div class="config-field">
      <div class="config-about">
        <span class="config-label">${labelOf(spot.path.at(-1) ?? "")}</span>
        ${help ? html`<span class="hint">${help}</span>` : nothing}
        <code class="config-path">${spot.pattern}</code>
      </div>
      <div class="config-control">
        <a class="button small" href=${writeRoute("config", above)} @click=${() => (this.query = "")}>
          ${words.openAt(formatPath(above))}
        </a>
      </div>
    </div>`;
  }

  #patternAt(spot: Spot, length: number): string {
    return spotAt(this.#root, spot.path.slice(0, length))?.pattern ?? "";
  }
}

customElements.define("chela-config-form", ConfigForm);
