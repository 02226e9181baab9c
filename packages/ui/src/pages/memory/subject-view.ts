// Facts about one person, thing or topic: each with where it was said, and ways to forget it.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import { kindName, subjectName } from "./fact-words.ts";
import { bySentence, type Sentence } from "./sentences.ts";
import { forgetFact, forgetPerson, forgetSession, forgetSubject, type Fact } from "./forget.ts";
import { linkTo, queryOf, type ChosenAgent } from "./place.ts";
import "../../parts/menu.ts";

type FactsAnswer = MethodAnswer<"memory.facts">;

const STEP = 50;
const MOST = 500;

/** `<chela-memory-subject .world .agent .subject>` */
class SubjectView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    subject: { attribute: false },
    limit: { state: true },
  };
  declare agent: ChosenAgent;
  declare subject: string;
  declare limit: number;
  readonly #facts = this.asking(() => ({
    method: "memory.facts",
    params: { agentId: this.agent.id, subject: this.subject, limit: this.limit },
    topics: ["memory"],
  }));
  /** Those that are here stay while more are asked for. */
  #known: FactsAnswer | undefined;

  constructor() {
    super();
    this.limit = STEP;
  }

  override willUpdate(): void {
    this.#known = this.#facts.value ?? this.#known;
  }

  override render(): TemplateResult {
    const words = this.words("memory");
    const { state } = this.#facts;
    const retry = { label: this.words("app").retry, run: () => this.#facts.again() };
    return html`<nav class="back-link">
        <a href=${linkTo(this.agent, ["known"])}>${icon("chevronLeft")}${words.allSubjects}</a>
      </nav>
      ${state.kind === "failed" || !this.#known ? renderAsked(state, () => nothing, retry) : this.#renderFacts(this.#known)}`;
  }

  #renderFacts({ facts, total, hasMore }: FactsAnswer): TemplateResult {
    const words = this.words("memory");
    const name = subjectName(this.subject, words);
    if (total === 0) return html`<div class="empty" role="status"><h2>${words.goneSubject(name)}</h2></div>`;
    return html`<section class="memory-subject" aria-labelledby="memory-subject">
      <header class="memory-bar">
        <div>
          <h2 id="memory-subject">${name}</h2>
          <p class="hint">${words.factCount(this.world.words.number(total), total)}</p>
        </div>
        <button class="button" @click=${() => void this.#forgetAll(total)}>${icon("trash")}${words.forgetAll}</button>
      </header>
      <ul class="memory-facts" aria-label=${words.facts}>
        ${repeat(
          bySentence(facts),
          ({ fact }) => fact.id,
          (sentence) => this.#renderSentence(sentence),
        )}
      </ul>
      ${
        hasMore && this.limit < MOST
          ? html`<button class="button" @click=${() => (this.limit = Math.min(MOST, this.limit * 2))}>
              ${words.moreFacts}
            </button>`
          : nothing
      }
    </section>`;
  }

  #renderSentence({ fact, kinds, isInPrompt, isReadByModel }: Sentence): TemplateResult {
    const words = this.words("memory");
    const { text, sessionKey, entryId } = fact;
    return html`<li class="memory-fact">
      <div class="memory-fact-words">
        <p>${text}</p>
        <p class="hint memory-fact-about">
          ${kinds.map((kind) => html`<span class="badge">${kindName(kind, words)}</span>`)}
          ${isReadByModel ? html`<span class="badge" title=${words.byModelHint}>${words.byModel}</span>` : nothing}
          ${isInPrompt ? html`<span class="badge info" title=${words.inPromptHint}>${words.inPrompt}</span>` : nothing}
          ${this.#about(fact).map((part) => html`<span>${part}</span>`)}
          <a href=${writeRoute("chat", [sessionKey], { entry: entryId })}>${words.whereSaid}</a>
        </p>
      </div>
      <chela-menu
        label=${words.actionsFor(text)}
        .icon=${"more"}
        .choices=${this.#choices(fact)}
        @menu-choose=${({ detail }: CustomEvent<MenuChoice>) => void this.#forget(detail.id, fact)}
      ></chela-menu>
    </li>`;
  }

  #about({ confidence, role, person, at, day }: Fact): string[] {
    const words = this.words("memory");
    const format = this.world.words;
    const by = role === "assistant" ? words.saidByAgent : person ? words.saidBy(person) : "";
    const about = day === undefined ? "" : words.aboutDay(dayOf(day, (ms, options) => format.date(ms, options)));
    const sure = words.sure(format.number(confidence, { style: "percent" }));
    return [sure, about, by, format.ago(at)].filter((part) => part !== "");
  }

  #choices({ person }: Fact): MenuChoice[] {
    const words = this.words("memory");
    return [
      { id: "fact", label: words.forgetFact, icon: "trash", isDangerous: true },
      ...(person ? [{ id: "person", label: words.forgetPerson(person), isDangerous: true }] : []),
      { id: "session", label: words.forgetSession, isDangerous: true },
    ];
  }

  async #forget(what: string, fact: Fact): Promise<void> {
    const { world, agent } = this;
    if (what === "fact") await forgetFact(world, agent.id, fact);
    if (what === "person" && fact.person) await forgetPerson(world, agent.id, fact.person);
    if (what === "session") await forgetSession(world, agent.id, fact.sessionKey);
    this.#facts.again();
  }

  async #forgetAll(total: number): Promise<void> {
    const { world, agent, subject } = this;
    const isForgotten = await forgetSubject(world, agent.id, subject, total);
    if (isForgotten) world.router.go("memory", ["known"], queryOf(agent));
  }
}

/** A day has no hour: noon of it is the same day in every zone it is shown in. */
function dayOf(day: string, write: (ms: number, options: Intl.DateTimeFormatOptions) => string): string {
  const ms = Date.parse(`${day}T12:00:00Z`);
  return Number.isNaN(ms) ? day : write(ms, { dateStyle: "medium", timeZone: "UTC" });
}

customElements.define("chela-memory-subject", SubjectView);
