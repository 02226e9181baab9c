// Explains: which turns there were, and how one of them came about.
import { html, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import "./list-view.ts";
import "./page.css";
import "./turn-view.ts";

class ExplainPage extends Page {
  override render(): TemplateResult {
    const { world } = this;
    const id = this.route.rest[0];
    return html`<header class="page-head">
        <h1>${this.pageTitle("explain")}</h1>
        ${this.#renderFind()}
      </header>
      ${
        id === undefined
          ? html`<chela-explain-list .world=${world} .query=${this.route.query}></chela-explain-list>`
          : html`<chela-explain-turn .world=${world} .runId=${id}></chela-explain-turn>`
      }`;
  }

  #renderFind(): TemplateResult {
    const words = this.words("explain");
    return html`<form class="row explain-find" role="search" @submit=${(event: SubmitEvent) => this.#find(event)}>
      <label class="explain-find-box">
        <span class="seen-by-readers">${words.find}</span>
        ${icon("search")}
        <input
          class="input"
          type="search"
          name="id"
          autocomplete="off"
          spellcheck="false"
          placeholder=${words.findHint}
        />
      </label>
      <button class="button">${words.findButton}</button>
    </form>`;
  }

  #find(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const id = String(new FormData(form).get("id") ?? "").trim();
    if (id === "") return;
    form.reset();
    this.world.router.go("explain", [id]);
  }
}

customElements.define("chela-explain-page", ExplainPage);
