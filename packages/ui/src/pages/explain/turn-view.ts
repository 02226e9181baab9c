// Explains one turn: first the answer to "why", then every step, what the model was given, and what it cost.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon, type IconName } from "../../parts/icon.ts";
import { KnownNames } from "../../state/known-names.ts";
import { shortKey } from "../../state/session-title.ts";
import { Ticking } from "../../state/ticking.ts";
import { findEntry } from "./find-entry.ts";
import { renderPrompt } from "./prompt-card.ts";
import type { Telling } from "./step-words.ts";
import { withQuestions, type Run } from "./steps.ts";
import { toneOf, verdictOf } from "./verdict.ts";
import { verdictWords } from "./verdict-words.ts";
import "./waterfall.ts";

const SECOND_MS = 1000;
const ICONS: Readonly<Record<ReturnType<typeof toneOf>, IconName>> = {
  good: "check",
  warn: "pause",
  bad: "warning",
  info: "info",
};

/** `<chela-explain-turn .world .runId>`: the id of a run or of a message. */
class TurnView extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, runId: { attribute: false } };
  declare runId: string;
  readonly #names = new KnownNames(this, () => this.world);
  readonly #run = this.asking(() => ({
    method: "runs.explain",
    params: { id: this.runId },
    topics: ["runs", "deliveries"],
  }));

  readonly #questions = this.asking(() =>
    this.#run.value?.state === "running" && this.world.wire.has("exec.approval.list")
      ? { method: "exec.approval.list", params: {}, topics: ["approvals"] }
      : undefined,
  );

  constructor() {
    super();
    this.addController(new Ticking(this, SECOND_MS, () => this.#goesOn));
  }

  get #goesOn(): boolean {
    const run = this.#run.value;
    return run !== undefined && (run.state !== "done" || run.delivery.some(({ state }) => state === "pending"));
  }

  get #telling(): Telling {
    const words = this.words("explain");
    return {
      words,
      format: this.world.words,
      channel: (id) => this.#names.channel(id, words.ownChannel),
      agent: (id) => this.#names.agent(id),
    };
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#run.again() };
    return html`<p class="explain-back">
        <a class="button quiet small" href=${writeRoute("explain")}
          >${icon("chevronLeft")}${this.words("explain").back}</a
        >
      </p>
      ${renderAsked(this.#run.state, (run) => this.#renderTurn(this.#asked(run)), retry)}`;
  }

  #asked(run: Run): Run {
    const pending = this.#questions.value?.pending ?? [];
    const asked = pending.map(({ request, createdAtMs }) => ({
      sessionKey: request.sessionKey ?? "",
      at: createdAtMs,
    }));
    return withQuestions(run, asked);
  }

  #renderTurn(run: Run): TemplateResult {
    const telling = this.#telling;
    const now = Date.now();
    return html`<div class="explain-turn">
      ${this.#renderVerdict(run, telling, now)}
      <chela-explain-waterfall
        .world=${this.world}
        .run=${run}
        .telling=${telling}
        .now=${now}
      ></chela-explain-waterfall>
      ${run.prompt ? renderPrompt(run.prompt, telling) : nothing} ${this.#renderUsage(run)} ${this.#renderNotes(run)}
    </div>`;
  }

  #renderVerdict(run: Run, telling: Telling, now: number): TemplateResult {
    const words = this.words("explain");
    const verdict = verdictOf(run, now);
    const tone = toneOf(verdict);
    return html`<section class="card explain-verdict" data-tone=${tone}>
      <div class="explain-why">
        <span class="explain-why-icon">${icon(ICONS[tone])}</span>
        <h2>${verdictWords(verdict, telling)}</h2>
      </div>
      <dl class="explain-key-facts">
        ${this.#keyFacts(run, telling).map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      <div class="row wrap">
        <button type="button" class="button" @click=${() => void this.#openChat(run)}>
          ${icon("chat")}${words.openChat}
        </button>
        <span class="row explain-id">
          <span class="mono cut" title=${run.runId}>${run.runId}</span>
          <button
            type="button"
            class="button quiet square small"
            aria-label=${words.copyId}
            title=${words.copyId}
            @click=${() => void this.#copyId(run)}
          >
            ${icon("copy")}
          </button>
        </span>
      </div>
    </section>`;
  }

  #keyFacts(run: Run, { words, format, channel, agent }: Telling): ReadonlyArray<readonly [string, unknown]> {
    const { startedAt, endedAt, usage } = run;
    const tokens = usage.reduce((sum, one) => sum + one.tokens, 0);
    const calls = usage.reduce((sum, one) => sum + one.calls, 0);
    const unpriced = usage.reduce((sum, one) => sum + one.missingCostEntries, 0);
    const cost = usage.reduce((sum, one) => sum + one.cost, 0);
    const list = writeRoute("explain", [], { session: run.sessionKey });
    return [
      [words.session, html`<a href=${list}>${shortKey(run.sessionKey)}</a>`],
      [words.agent, agent(run.agentId)],
      [words.channel, channel(run.channel)],
      ...(startedAt !== undefined && endedAt !== undefined
        ? [[words.took, format.duration(endedAt - startedAt)] as const]
        : []),
      ...(tokens > 0 ? [[words.tokens, format.compact(tokens)] as const] : []),
      ...(calls > 0 ? [[words.cost, unpriced >= calls ? words.notKnown : format.money(cost)] as const] : []),
    ];
  }

  #renderUsage({ usage }: Run): TemplateResult | typeof nothing {
    const words = this.words("explain");
    const format = this.world.words;
    if (usage.length === 0) return nothing;
    return html`<section class="card" aria-labelledby="explain-spent">
      <h2 id="explain-spent">${words.spent}</h2>
      <div class="table-scroll" tabindex="0" role="group" aria-label=${words.table}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">${words.model}</th>
              ${[words.calls, words.fact_read, words.fact_cached, words.fact_written, words.cost].map(
                (name) => html`<th scope="col" class="number">${name}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${usage.map(
              (row) =>
                html`<tr>
                  <th scope="row">${row.model}</th>
                  ${[row.calls, row.input, row.cacheRead, row.output].map(
                    (value) => html`<td class="number">${format.compact(value)}</td>`,
                  )}
                  <td class="number">
                    ${row.missingCostEntries >= row.calls ? words.notKnown : format.money(row.cost)}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #renderNotes({ notes, trace }: Run): TemplateResult | typeof nothing {
    const words = this.words("explain");
    if (!notes?.length && !trace) return nothing;
    return html`<section class="card explain-notes">
      ${
        notes?.length
          ? html`<h2>${words.notes}</h2>
              <ul>
                ${notes.map((note) => html`<li>${note}</li>`)}
              </ul>`
          : nothing
      }
      ${
        trace
          ? html`<details>
              <summary>${words.raw}</summary>
              <pre class="command" tabindex="0">${JSON.stringify(trace, null, 2)}</pre>
            </details>`
          : nothing
      }
    </section>`;
  }

  /** At the answer, where it can be found; else at the end of the conversation. */
  async #openChat({ sessionKey, startedAt, endedAt = Date.now() }: Run): Promise<void> {
    await this.attempt(async () => {
      const read = (from: number, limit: number) => this.world.wire.call("chat.page", { sessionKey, from, limit });
      const entry = startedAt === undefined ? undefined : await findEntry(read, { from: startedAt, to: endedAt });
      this.world.router.go("chat", [sessionKey], entry ? { entry } : {});
    });
  }

  async #copyId({ runId }: Run): Promise<void> {
    await this.attempt(() => navigator.clipboard.writeText(runId), this.words("app").copied);
  }
}

customElements.define("chela-explain-turn", TurnView);
