// The window in which a person is written down or changed: name, what they may do, limits, and a note.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { wordsOf } from "../../wire/failure.ts";
import { writtenId } from "./id-fields.ts";
import { isSure } from "./person-actions.ts";
import { freeId, readQuota, ROLES, type Draft, type Person, type Role } from "./person-facts.ts";
import "../../parts/dialog.ts";
import "./id-fields.ts";

/** `<chela-people-person .world .known .edited @dialog-close>`: open while something is edited. */
class PersonDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    known: { attribute: false },
    edited: { attribute: false },
    name: { state: true },
    chosen: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };
  declare known: readonly Person[];
  declare edited: Person | "new" | undefined;
  declare name: string;
  /** What they may do. */
  declare chosen: Role;
  declare problem: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.name = "";
    this.chosen = "guest";
    this.problem = "";
    this.isBusy = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("edited")) return;
    this.problem = "";
    this.name = this.#before?.name ?? "";
    this.chosen = this.#before?.role ?? "guest";
  }

  get #before(): Person | undefined {
    return this.edited === "new" ? undefined : this.edited;
  }

  override render(): TemplateResult {
    const words = this.words("people");
    return html`<chela-dialog
      .isOpen=${this.edited !== undefined}
      label=${this.#before ? words.editTitle(this.#before.name) : words.add}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("people");
    const app = this.words("app");
    const before = this.#before;
    const ids = this.known.map(({ id }) => id);
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#save(event)}>
      <label class="field">
        <span>${words.name}</span>
        <input
          class="input"
          name="name"
          maxlength="200"
          required
          autofocus
          autocomplete="off"
          .value=${this.name}
          @input=${(event: InputEvent) => (this.name = (event.target as HTMLInputElement).value)}
        />
        ${before || !this.name.trim() ? nothing : html`<span class="hint">${words.nameId(freeId(this.name, ids))}</span>`}
      </label>
      ${this.#renderRoles()}
      ${
        before
          ? nothing
          : html`<fieldset class="people-first-id">
              <legend>${words.firstId}</legend>
              <chela-people-id .world=${this.world}></chela-people-id>
            </fieldset>`
      }
      ${this.#renderLimits(before)}
      <label class="field">
        <span>${words.note}</span>
        <textarea class="input" name="note" rows="2" maxlength="2000" .value=${before?.note ?? ""}></textarea>
      </label>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <footer class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${app.cancel}</button>
        <button class="button primary" ?disabled=${this.isBusy}>${before ? app.save : words.addButton}</button>
      </footer>
    </form>`;
  }

  #renderRoles(): TemplateResult {
    const words = this.words("people");
    return html`<fieldset class="people-roles">
      <legend>${words.role}</legend>
      ${ROLES.map(
        (role) =>
          html`<label class="people-role">
            <input
              type="radio"
              name="role"
              value=${role}
              .checked=${role === this.chosen}
              @change=${() => (this.chosen = role)}
            />
            <span><strong>${words[`role_${role}`]}</strong><span class="hint">${words[`role_${role}How`]}</span></span>
          </label>`,
      )}
    </fieldset>`;
  }

  #renderLimits(before: Person | undefined): TemplateResult {
    const words = this.words("people");
    const { messagesPerHour, messagesPerDay, costPerDay } = before?.quota ?? {};
    const field = (name: string, label: string, value: number | undefined, step: string): TemplateResult =>
      html`<label class="field">
        <span>${label}</span>
        <input
          class="input"
          type="number"
          name=${name}
          min="0"
          step=${step}
          .value=${value === undefined ? "" : String(value)}
        />
      </label>`;
    return html`<fieldset class="people-limit-fields">
      <legend>${words.limits}</legend>
      <div>
        ${field("messagesPerHour", words.limitHour, messagesPerHour, "1")}
        ${field("messagesPerDay", words.limitDay, messagesPerDay, "1")}
        ${field("costPerDay", words.limitCost, costPerDay, "any")}
      </div>
      <p class="hint">${words.limitsHow}</p>
    </fieldset>`;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const before = this.#before;
    const draft = this.#draft(event.target as HTMLFormElement, before);
    this.problem = "";
    if (!(await isSure(this.world, before, draft))) return;
    this.isBusy = true;
    try {
      await this.world.wire.call("people.put", { person: draft, ifUpdatedAt: before?.updatedAt ?? null });
      const words = this.words("people");
      this.world.notices.say(before ? words.saved(draft.name) : words.added(draft.name));
      this.#close();
    } catch (error) {
      this.problem = wordsOf(error);
    } finally {
      this.isBusy = false;
    }
  }

  #draft(form: HTMLFormElement, before: Person | undefined): Draft {
    const typed = new FormData(form);
    const given = (name: string): string => String(typed.get(name) ?? "").trim();
    const quota = readQuota({
      messagesPerHour: given("messagesPerHour"),
      messagesPerDay: given("messagesPerDay"),
      costPerDay: given("costPerDay"),
    });
    const name = given("name");
    const first = writtenId(form);
    return {
      id:
        before?.id ??
        freeId(
          name,
          this.known.map(({ id }) => id),
        ),
      name,
      role: this.chosen,
      ids: before?.ids ?? (first ? [first] : []),
      ...(quota ? { quota } : {}),
      ...(given("note") ? { note: given("note") } : {}),
    };
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-people-person", PersonDialog);
