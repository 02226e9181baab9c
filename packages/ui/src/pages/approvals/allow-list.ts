// The programs that run without a question: what exactly is allowed, when it was used, and how to change that.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { changeBook } from "./change-book.ts";
import { isWide, meaningOf } from "./pattern-words.ts";
import {
  allowsAny,
  EVERYBODY,
  namesProgram,
  programsOf,
  withoutProgram,
  withProgram,
  type AllowedProgram,
  type RuleBook,
} from "./rule-book.ts";

/** `<chela-allow-list .world .book .who .whoName>` */
class AllowList extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    book: { attribute: false },
    who: { attribute: false },
    whoName: { attribute: false },
    typed: { state: true },
    problem: { state: true },
  };
  declare book: RuleBook;
  declare who: string;
  declare whoName: string;
  /** What is being added. */
  declare typed: string;
  /** What is wrong with what was typed. */
  declare problem: string | undefined;

  constructor() {
    super();
    this.typed = "";
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("who")) this.problem = undefined;
  }

  override render(): TemplateResult {
    const words = this.words("approvals");
    const programs = programsOf(this.book, this.who);
    return html`<div class="stack">
      <div>
        <h2>${words.allowed}</h2>
        <p class="muted">
          ${words.allowedHow}
          ${this.who !== EVERYBODY && programsOf(this.book, EVERYBODY).length > 0 ? words.alsoEveryAgent : nothing}
        </p>
      </div>
      ${
        programs.length === 0
          ? html`<p class="approvals-none">${words.nothingAllowed}</p>`
          : html`<ul class="approvals-list">
              ${repeat(
                programs,
                ({ identity }) => identity,
                (program) => this.#renderProgram(program),
              )}
            </ul>`
      }
      ${this.#renderForm(programs)}
    </div>`;
  }

  #renderProgram(program: AllowedProgram): TemplateResult {
    const words = this.words("approvals");
    const name = program.pattern ?? words.notUnderstood;
    const { lastUsedAt, lastUsedCommand } = program;
    const used = lastUsedAt === undefined ? words.neverUsed : words.lastUsed(this.world.words.ago(lastUsedAt));
    return html`<li>
      <div class="approvals-program">
        ${program.pattern ? renderCommand(program) : html`<span class="problem">${words.notUnderstood}</span>`}
        <span class="hint"> ${[...this.#limits(program), used].join(" · ")} </span>
        ${
          lastUsedCommand && lastUsedCommand !== commandOf(program)
            ? html`<span class="hint">${words.usedFor} <code>${lastUsedCommand}</code></span>`
            : nothing
        }
      </div>
      <button
        class="button quiet square"
        aria-label=${words.removeName(name)}
        title=${words.remove}
        @click=${() => void this.#remove(program, name)}
      >
        ${icon("trash")}
      </button>
    </li>`;
  }

  #limits({ pattern, argv, argPattern, cwd, isPinned, isPlan, name }: AllowedProgram): string[] {
    const words = this.words("approvals");
    if (!pattern) return [];
    const args =
      argPattern === undefined
        ? argv
          ? argv.length === 0
            ? words.noArguments
            : ""
          : isPlan
            ? ""
            : words.anyArguments
        : words.argumentsLike(argPattern);
    return [
      name ? words.calledAs(name) : "",
      args,
      cwd ? words.onlyIn(cwd) : "",
      isPinned ? words.onlyUnchanged : "",
    ].filter(Boolean);
  }

  #renderForm(programs: readonly AllowedProgram[]): TemplateResult {
    const words = this.words("approvals");
    return html`<form
      class="field"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        void this.#add(event.target as HTMLFormElement, programs);
      }}
    >
      <label for="approvals-add">${words.add}</label>
      <div class="row">
        <input
          class="input mono"
          id="approvals-add"
          name="pattern"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          placeholder="/usr/bin/ls"
          aria-describedby="approvals-add-hint"
          aria-invalid=${this.problem ? "true" : nothing}
          @input=${(event: InputEvent) => this.#typing((event.target as HTMLInputElement).value)}
          required
        />
        <button class="button">${words.addButton}</button>
      </div>
      <div class="approvals-meaning" id="approvals-add-hint" aria-live="polite">
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        ${this.typed === "" ? html`<p class="hint">${words.addHow}</p>` : this.#renderMeaning(this.typed)}
        <p class="hint">${words.stillAsked}</p>
      </div>
    </form>`;
  }

  /** What would run without a question, told while somebody types it. */
  #renderMeaning(pattern: string): TemplateResult {
    const words = this.words("approvals");
    const meaning = meaningOf(pattern);
    switch (meaning.kind) {
      case "nothing":
        return html`<p class="hint">${words.addWrong} ${words.addHow}</p>`;
      case "file":
        return html`<p>${words.meansFile(meaning.path)}</p>`;
      case "name":
        return html`<p>${words.meansName(meaning.name)}</p>`;
      case "directory":
        return html`<p>
            ${meaning.isDeep ? words.meansBelow(meaning.directory) : words.meansDirectory(meaning.directory)}
          </p>
          ${isWide(pattern) ? html`<p class="problem">${words.meansWide}</p>` : nothing}`;
      case "pattern":
        return html`<p>${words.meansPattern(meaning.example)} ${meaning.isDeep ? words.meansDeep : words.meansFlat}</p>
          ${isWide(pattern) ? html`<p class="problem">${words.meansWide}</p>` : nothing}`;
    }
  }

  #typing(text: string): void {
    this.typed = text.trim();
    this.problem = undefined;
  }

  async #add(form: HTMLFormElement, programs: readonly AllowedProgram[]): Promise<void> {
    const words = this.words("approvals");
    const { who, whoName } = this;
    const pattern = String(new FormData(form).get("pattern") ?? "").trim();
    if (!namesProgram(pattern)) return void (this.problem = words.addWrong);
    if (allowsAny(programs, pattern)) return void (this.problem = words.addKnown);
    const text = [words.addText(pattern, whoName), isWide(pattern) ? words.meansWide : "", words.stillAsked];
    const question = { title: words.addTitle, text: text.filter(Boolean).join(" "), yes: words.addButton };
    if (!(await this.world.notices.ask({ ...question, isDangerous: isWide(pattern) }))) return;
    const entry = { id: crypto.randomUUID(), pattern };
    const isAdded = await this.attempt(
      () =>
        changeBook(this.world.wire, (book) =>
          allowsAny(programsOf(book, who), pattern) ? undefined : withProgram(book, who, entry),
        ),
      words.added,
    );
    if (!isAdded) return;
    form.reset();
    this.typed = "";
  }

  async #remove({ identity }: AllowedProgram, name: string): Promise<void> {
    const words = this.words("approvals");
    const { who } = this;
    const text = words.removeText(name);
    const question = { title: words.removeTitle, text, yes: words.remove, isDangerous: true };
    if (!(await this.world.notices.ask(question))) return;
    await this.attempt(() => changeBook(this.world.wire, (book) => withoutProgram(book, who, identity)), words.removed);
  }
}

function renderCommand(program: AllowedProgram): TemplateResult {
  return html`<code class="approvals-command">${commandOf(program)}</code>`;
}

function commandOf({ pattern, argv = [] }: AllowedProgram): string {
  return [pattern, ...argv.map(quoted)].join(" ");
}

/** As a shell would need it, so that where an argument ends can be seen. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

customElements.define("chela-allow-list", AllowList);
