// The conversations that were led last.
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { sessionTitle } from "../../state/session-title.ts";
import { Ticking } from "../../state/ticking.ts";
import { whenOf } from "../../state/names-of.ts";

type SessionRow = MethodAnswer<"sessions.list">["sessions"][number];

const MOST = 6;
const MINUTE_MS = 60_000;

class RecentCard extends Part {
  readonly #sessions = this.asking(() => ({
    method: "sessions.list",
    params: { limit: MOST, includeDerivedTitles: true, includeLastMessage: true },
    topics: ["sessions"],
  }));

  constructor() {
    super();
    this.addController(new Ticking(this, MINUTE_MS));
  }

  override render(): TemplateResult {
    const words = this.words("overview");
    const retry = { label: this.words("app").retry, run: () => this.#sessions.again() };
    return html`<section class="card overview-card">
      <header>
        <h2>${words.recent}</h2>
        ${
          (this.#sessions.value?.total ?? 0) > MOST
            ? html`<a class="button quiet small" href=${writeRoute("sessions")}>${words.showAll}</a>`
            : nothing
        }
      </header>
      ${renderAsked(this.#sessions.state, ({ sessions }) => this.#renderRows(sessions), retry)}
    </section>`;
  }

  #renderRows(rows: readonly SessionRow[]): TemplateResult {
    const words = this.words("overview");
    if (rows.length === 0)
      return html`<p class="muted">${words.noRecent}</p>
        <p><a class="button small" href=${writeRoute("chat")}>${words.startChat}</a></p>`;
    return html`<ul class="overview-list">
      ${repeat(
        rows,
        ({ key }) => key,
        (row) =>
          html`<li class="overview-row">
            <a class="overview-row-words" href=${writeRoute("chat", [row.key])}>
              <span class="cut">${sessionTitle(row)}</span>
              <small class="cut">${row.lastMessagePreview || row.channel || nothing}</small>
            </a>
            <small class="overview-row-end"
              >${row.updatedAt === null ? nothing : whenOf(row.updatedAt, this.world.words, words)}</small
            >
          </li>`,
      )}
    </ul>`;
  }
}

customElements.define("chela-overview-recent", RecentCard);
