// List of what conversations taught: everybody and everything something is known about, and what stands in prompts.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { kindName, subjectName } from "./fact-words.ts";
import { linkTo, type ChosenAgent, type Query } from "./place.ts";
import "./subject-view.ts";

type Subject = MethodAnswer<"memory.subjects">["subjects"][number];
type Block = MethodAnswer<"memory.block">;

const PAUSE_MS = 200;
const MOST_SUBJECTS = 200;

/** `<chela-memory-known .world .agent .subject .query @query-change>`: without a subject all of them. */
class KnownView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    subject: { attribute: false },
    query: { attribute: false },
  };
  declare agent: ChosenAgent;
  declare subject: string | undefined;
  declare query: Query;
  readonly #subjects = this.asking(() => {
    if (this.subject !== undefined) return undefined;
    const { search } = this;
    const params = { agentId: this.agent.id, limit: MOST_SUBJECTS, ...(search ? { search } : {}) };
    return { method: "memory.subjects", params, topics: ["memory"] };
  });
  // What was said a moment ago is learned when subjects are asked for.
  readonly #block = this.asking(() =>
    this.subject === undefined && this.#listed
      ? { method: "memory.block", params: { agentId: this.agent.id }, topics: ["memory"] }
      : undefined,
  );
  /** Those of the last search stay until the next are here. */
  #listed: readonly Subject[] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get search(): string {
    return (this.query["search"] ?? "").trim();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override willUpdate(): void {
    this.#listed = this.#subjects.value?.subjects ?? this.#listed;
  }

  override render(): TemplateResult {
    const { world, agent, subject } = this;
    if (subject !== undefined) {
      const view = html`<chela-memory-subject
        .world=${world}
        .agent=${agent}
        .subject=${subject}
      ></chela-memory-subject>`;
      return html`${keyed(subject, view)}`;
    }
    return html`<div class="memory-known">
      <section aria-label=${this.words("memory").subjects}>${this.#renderSubjects()}</section>
      ${this.#block.value ? this.#renderBlock(this.#block.value) : nothing}
    </div>`;
  }

  #renderSubjects(): TemplateResult {
    const { state } = this.#subjects;
    const listed = this.#listed;
    const retry = { label: this.words("app").retry, run: () => this.#subjects.again() };
    if (state.kind === "failed" || !listed) return renderAsked(state, () => nothing, retry);
    if (listed.length === 0 && this.search === "") return this.#renderNothingYet();
    return html`<p class="hint">${this.words("memory").knownHow}</p>
      ${this.#renderSearch()} ${listed.length === 0 ? this.#renderNoMatch() : this.#renderTable(listed)}`;
  }

  #renderNothingYet(): TemplateResult {
    const words = this.words("memory");
    return html`<div class="empty">
      <h2>${words.nothingKnown}</h2>
      <p>${words.nothingKnownHow}</p>
      <a class="button" href=${writeRoute("chat", [], this.agent.isDefault ? {} : { agent: this.agent.id })}
        >${words.startChat}</a
      >
    </div>`;
  }

  #renderSearch(): TemplateResult {
    const words = this.words("memory");
    return html`<search>
      <label class="search-field memory-field">
        <span class="seen-by-readers">${words.searchSubjects}</span>
        ${icon("search")}
        <input
          class="input"
          type="search"
          autocomplete="off"
          maxlength="200"
          placeholder=${words.searchSubjectsHint}
          value=${this.search}
          @input=${(event: Event) => this.#typed((event.target as HTMLInputElement).value)}
        />
      </label>
    </search>`;
  }

  #renderNoMatch(): TemplateResult {
    const words = this.words("memory");
    return html`<div class="empty" role="status">
      <h2>${words.noSubject}</h2>
      <p>${words.noSubjectHow}</p>
    </div>`;
  }

  #renderTable(subjects: readonly Subject[]): TemplateResult {
    const words = this.words("memory");
    return html`<table class="table memory-table">
      <thead>
        <tr>
          <th scope="col">${words.subject}</th>
          <th scope="col" class="memory-wide">${words.kinds}</th>
          <th scope="col" class="number">${words.facts}</th>
          <th scope="col">${words.lastSaid}</th>
        </tr>
      </thead>
      <tbody>
        ${repeat(
          subjects,
          ({ subject }) => subject,
          (subject) => this.#renderRow(subject),
        )}
      </tbody>
    </table>`;
  }

  #renderRow({ subject, kinds, facts, lastAt }: Subject): TemplateResult {
    const format = this.world.words;
    const words = this.words("memory");
    return html`<tr>
      <th scope="row"><a href=${linkTo(this.agent, ["known", subject])}>${subjectName(subject, words)}</a></th>
      <td class="muted memory-wide">${kinds.map((kind) => kindName(kind, words)).join(", ")}</td>
      <td class="number">${format.number(facts)}</td>
      <td><time title=${format.date(lastAt)}>${format.ago(lastAt)}</time></td>
    </tr>`;
  }

  #renderBlock({ text, most }: Block): TemplateResult {
    const words = this.words("memory");
    const format = this.world.words;
    return html`<section class="card memory-block" aria-labelledby="memory-block">
      <h2 id="memory-block">${words.block}</h2>
      <p class="hint">${words.blockHow}</p>
      ${
        text === ""
          ? html`<p class="muted">${words.blockEmpty}</p>`
          : html`<pre tabindex="0" aria-labelledby="memory-block">${text}</pre>
              <p class="hint">${words.blockSize(format.number(text.length), format.number(most))}</p>`
      }
    </section>`;
  }

  #typed(search: string): void {
    clearTimeout(this.#timer);
    const detail = { ...this.query, search };
    this.#timer = setTimeout(() => this.dispatchEvent(new CustomEvent("query-change", { detail })), PAUSE_MS);
  }
}

customElements.define("chela-memory-known", KnownView);
