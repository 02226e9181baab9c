// The rules for running commands: whose they are, what they are, and what each choice means.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { changeBook } from "./change-book.ts";
import { policyOf } from "./policy.ts";
import { renderPolicy } from "./policy-view.ts";
import { agentsIn, EVERYBODY, RULES, ruleOf, withRule, type RuleBook, type RuleName } from "./rule-book.ts";
import "./allow-list.ts";

class ApprovalRules extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    who: { attribute: false },
    isSaving: { state: true },
  };
  /** The agent whose rules are shown, or all of them. */
  declare who: string;
  declare isSaving: boolean;
  readonly #book = this.asking(() => ({ method: "exec.approvals.get", params: {}, topics: ["approvals"] }));
  readonly #agents = this.asking(() => ({ method: "agents.list", params: {}, topics: ["agents"] }));

  readonly #config = this.asking(() => ({ method: "config.get", params: {}, topics: ["config"] }));

  constructor() {
    super();
    this.isSaving = false;
  }

  /** What somebody chose stays chosen in the field until the gateway says otherwise. */
  override updated(): void {
    for (const field of this.querySelectorAll<HTMLSelectElement>(".approvals-rule select"))
      if (!this.isSaving) field.value = field.dataset["value"] ?? "";
  }

  override render(): TemplateResult {
    const words = this.words("approvals");
    const retry = { label: this.words("app").retry, run: () => this.#book.again() };
    return html`<section class="stack">
      <div>
        <h2>${words.rules}</h2>
        <p class="muted">${words.rulesHow}</p>
      </div>
      ${renderAsked(this.#book.state, (snapshot) => this.#renderBook(snapshot), retry)}
    </section>`;
  }

  #renderBook({ file }: MethodAnswer<"exec.approvals.get">): TemplateResult {
    const words = this.words("approvals");
    const whoName = this.who === EVERYBODY ? words.everyAgent : this.who;
    const forWhom = this.who === EVERYBODY ? words.holdsForAll : words.holdsFor(this.who);
    const config = this.#config.value;
    return html`${this.#renderWhose(file)}
      ${config ? renderPolicy(policyOf(file, config.config, this.who), forWhom, words) : nothing}
      <div class="approvals-rules">
        ${(Object.keys(RULES) as RuleName[]).map((rule) => this.#renderRule(file, rule))}
      </div>
      <chela-allow-list .world=${this.world} .book=${file} .who=${this.who} .whoName=${whoName}></chela-allow-list>`;
  }

  #renderWhose(book: RuleBook): TemplateResult {
    const words = this.words("approvals");
    const known = this.#agents.value?.agents.map(({ id }) => id) ?? [];
    const named = [...new Set([EVERYBODY, ...known, ...agentsIn(book), this.who])];
    return html`<nav class="tabs" aria-label=${words.whose}>
      ${named.map(
        (id) =>
          html`<a
            href=${id === EVERYBODY ? writeRoute("approvals") : writeRoute("approvals", [id])}
            aria-current=${id === this.who ? "page" : nothing}
            >${id === EVERYBODY ? words.everyAgent : id}</a
          >`,
      )}
    </nav>`;
  }

  #renderRule(book: RuleBook, rule: RuleName): TemplateResult {
    const words = this.words("approvals");
    const value = ruleOf(book, this.who, rule);
    const hintId = `approvals-${rule}`;
    return html`<div class="field approvals-rule">
      <label for="${hintId}-field">${words[`rule_${rule}`]}</label>
      <select
        class="input"
        id="${hintId}-field"
        aria-describedby=${hintId}
        data-value=${value ?? ""}
        ?disabled=${this.isSaving}
        @change=${(event: Event) => void this.#choose(rule, value, event.target as HTMLSelectElement)}
      >
        ${this.#choicesOf(rule, value).map(
          ([choice, label]) => html`<option value=${choice} ?selected=${choice === (value ?? "")}>${label}</option>`,
        )}
      </select>
      <span class="hint" id=${hintId}>${this.#meaningOf(rule, value)}</span>
    </div>`;
  }

  #choicesOf(rule: RuleName, value: string | undefined): ReadonlyArray<readonly [string, string]> {
    const known = RULES[rule].map((choice) => [choice, this.#labelOf(rule, choice)] as const);
    const isListed = value === undefined || known.some(([choice]) => choice === value);
    return [
      ["", this.#unset(rule).label],
      ...known,
      ...(isListed ? [] : [[value, this.#labelOf(rule, value)] as const]),
    ];
  }

  /** What it means when nothing is said. The configuration knows no word for the case that nobody can be asked. */
  #unset(rule: RuleName): { readonly label: string; readonly how: string } {
    const words = this.words("approvals");
    if (this.who !== EVERYBODY) return { label: words.asEveryAgent, how: words.asEveryAgentHow };
    if (rule === "askFallback") return { label: words.notSet, how: words.notSetHow };
    return { label: words.asConfigured, how: words.asConfiguredHow };
  }

  #labelOf(rule: RuleName, value: string): string {
    return this.#word(`rule_${rule}_${value}`) ?? this.words("approvals").unknownValue(value);
  }

  #meaningOf(rule: RuleName, value: string | undefined): string {
    if (value === undefined) return this.#unset(rule).how;
    return this.#word(`rule_${rule}_${value}How`) ?? "";
  }

  /** Values come from a file that people edit: not each of them has words. */
  #word(name: string): string | undefined {
    const words = this.words("approvals");
    if (!Object.hasOwn(words, name)) return undefined;
    const word = words[name as keyof typeof words];
    return typeof word === "string" ? word : undefined;
  }

  async #choose(rule: RuleName, seen: string | undefined, field: HTMLSelectElement): Promise<void> {
    const value = field.value || undefined;
    const isMeant = value !== "full" || (await this.#isSure());
    if (isMeant) await this.#save(rule, seen, value);
    this.requestUpdate();
  }

  #isSure(): Promise<boolean> {
    const words = this.words("approvals");
    return this.world.notices.ask({
      title: words.everythingTitle,
      text: words.everythingText,
      yes: words.everythingYes,
      isDangerous: true,
    });
  }

  async #save(rule: RuleName, seen: string | undefined, value: string | undefined): Promise<void> {
    const words = this.words("approvals");
    const { who } = this;
    this.isSaving = true;
    await this.attempt(async () => {
      const isDone = await changeBook(this.world.wire, (book) =>
        ruleOf(book, who, rule) === seen ? withRule(book, who, rule, value) : undefined,
      );
      if (isDone) this.world.notices.say(words.saved);
      else this.world.notices.complain(words.changedMeanwhile);
    });
    this.isSaving = false;
    this.#book.again();
  }
}

customElements.define("chela-approval-rules", ApprovalRules);
