// The window in which an id is added to somebody: the same human on another channel.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { wordsOf } from "../../wire/failure.ts";
import { writtenId } from "./id-fields.ts";
import { isSure } from "./person-actions.ts";
import { writeId, type Person } from "./person-facts.ts";
import "../../parts/dialog.ts";
import "./id-fields.ts";

/** `<chela-people-link .world .person @dialog-close>`: open while there is a person. */
class LinkDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    person: { attribute: false },
    problem: { state: true },
    isBusy: { state: true },
  };
  declare person: Person | undefined;
  declare problem: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.problem = "";
    this.isBusy = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("person")) this.problem = "";
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.person !== undefined}
      label=${this.words("people").linkTitle(this.person?.name ?? "")}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("people");
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#link(event)}>
      <p>${words.linkHow}</p>
      <chela-people-id .world=${this.world} .isNeeded=${true}></chela-people-id>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <footer class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${this.words("app").cancel}</button>
        <button class="button primary" ?disabled=${this.isBusy}>${words.linkButton}</button>
      </footer>
    </form>`;
  }

  async #link(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { person } = this;
    const added = writtenId(event.target as HTMLFormElement);
    if (!person || !added) return;
    this.problem = "";
    if (!(await isSure(this.world, person, { ...person, ids: [...person.ids, added] }))) return;
    this.isBusy = true;
    try {
      await this.world.wire.call("people.link", { id: person.id, add: [added] });
      this.world.notices.say(this.words("people").linked(writeId(added), person.name));
      this.#close();
    } catch (error) {
      this.problem = wordsOf(error);
    } finally {
      this.isBusy = false;
    }
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-people-link", LinkDialog);
