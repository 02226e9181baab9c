// The page of people: one human over all their ids, what each may do, and how much they may ask for.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Page } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { KnownChannels } from "./known-channels.ts";
import { forget, takeUp, unlinkId } from "./person-actions.ts";
import { renderPerson, type PersonActions } from "./person-card.ts";
import { inOrder, spenderOf, type Person } from "./person-facts.ts";
import { renderSuggestions } from "./suggestions.ts";
import "./link-dialog.ts";
import "./page.css";
import "./person-dialog.ts";

/** How far back spending is summed up. */
const DAYS = 30;
const MOST_SPENDERS = 1000;

class PeoplePage extends Page {
  static override properties: PropertyDeclarations = {
    ...Page.properties,
    edited: { state: true },
    linked: { state: true },
  };
  /** Who is being written down or changed. */
  declare edited: Person | "new" | undefined;
  /** Who is being given another id. */
  declare linked: Person | undefined;
  readonly #channels = new KnownChannels(this, () => this.world);
  readonly #people = this.asking(() => ({ method: "people.list", params: {}, topics: ["people", "usage"] }));
  readonly #suggestions = this.asking(() =>
    this.world.wire.has("people.suggest")
      ? { method: "people.suggest", params: {}, topics: ["people", "config"] }
      : undefined,
  );
  readonly #spent = this.asking(() => ({
    method: "usage.by",
    params: { dimension: "person", days: DAYS, limit: MOST_SPENDERS },
    topics: ["usage"],
  }));
  readonly #budgets = this.asking(() => ({
    method: "usage.budgets",
    params: {},
    topics: ["usage", "people", "config"],
  }));

  override render(): TemplateResult {
    const words = this.words("people");
    const app = this.words("app");
    const people = this.#people.value?.people ?? [];
    const suggestions = this.#suggestions.value?.suggestions ?? [];
    return html`<header class="page-head">
        <h1>${this.pageTitle("people")}</h1>
        <button class="button primary" @click=${() => (this.edited = "new")}>
          ${icon("plus")}<span>${words.add}</span>
        </button>
      </header>
      <div class="people-sections">
        ${
          suggestions.length > 0
            ? renderSuggestions(
                suggestions,
                this.world.words,
                (one) =>
                  void takeUp(
                    this.world,
                    one,
                    people.find(({ id }) => id === one.id),
                  ),
              )
            : nothing
        }
        ${renderAsked(this.#people.state, (answer) => this.#renderPeople(answer.people), {
          label: app.retry,
          run: () => this.#people.again(),
        })}
      </div>
      <chela-people-person
        .world=${this.world}
        .known=${people}
        .edited=${this.edited}
        @dialog-close=${() => (this.edited = undefined)}
      ></chela-people-person>
      <chela-people-link
        .world=${this.world}
        .person=${this.linked}
        @dialog-close=${() => (this.linked = undefined)}
      ></chela-people-link>`;
  }

  #renderPeople(people: readonly Person[]): TemplateResult {
    const words = this.words("people");
    if (people.length === 0) {
      return html`<div class="empty">
        <p class="people-empty-title">${words.nobody}</p>
        <p>${words.nobodyHow}</p>
        <button class="button" @click=${() => (this.edited = "new")}>${words.add}</button>
      </div>`;
    }
    const actions: PersonActions = {
      edit: (person) => (this.edited = person),
      link: (person) => (this.linked = person),
      unlink: (person, id) => void unlinkId(this.world, person, id),
      remove: (person) => void forget(this.world, person),
    };
    return html`<p class="muted">${words.how}</p>
      ${repeat(
        inOrder(people),
        ({ id }) => id,
        (person) => renderPerson(this.#viewOf(person), this.world.words, actions),
      )}`;
  }

  #viewOf(person: Person) {
    const name = spenderOf(person);
    const rows = this.#spent.value?.rows;
    return {
      person,
      used: this.#people.value?.used[person.id],
      spent: rows && (rows.find((row) => row.name === name)?.totalCost ?? 0),
      budget: this.#budgets.value?.budgets.find(
        ({ scope, of, period, usd }) =>
          scope === "person" && of === name && period === "day" && usd?.limit === person.quota?.costPerDay,
      ),
      labelOf: (channel: string) => this.#channels.label(channel),
    };
  }
}

customElements.define("chela-people-page", PeoplePage);
