// People who wrote for the first time and wait to be let in.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { personName } from "../../state/names-of.ts";
import { whenOf } from "./when-of.ts";

type Person = MethodAnswer<"pairing.list">["requests"][number];

/** `<chela-channels-people .world .labels>` */
class PeopleView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    labels: { attribute: false },
    notifies: { state: true },
    busy: { state: true },
  };
  declare labels: Readonly<Record<string, string>>;
  /** Whether people are told that they are in. */
  declare notifies: boolean;
  /** The code that is being decided on. */
  declare busy: string | undefined;
  readonly #people = this.asking(() => ({ method: "pairing.list", params: {}, topics: ["pairing", "channels"] }));

  constructor() {
    super();
    this.notifies = true;
  }

  override render(): TemplateResult {
    const words = this.words("channels");
    const retry = { label: this.words("app").retry, run: () => this.#people.again() };
    return html`<section class="channels-section" aria-labelledby="channels-people">
      <h2 id="channels-people">${words.people}</h2>
      ${renderAsked(this.#people.state, ({ requests }) => this.#renderPeople(requests), retry)}
    </section>`;
  }

  #renderPeople(people: readonly Person[]): TemplateResult {
    const words = this.words("channels");
    if (people.length === 0) return html`<p class="muted">${words.nobodyWaits}</p>`;
    return html`<ul class="channels-list">
        ${repeat(
          people,
          ({ channel, accountId, id }) => `${channel} ${accountId} ${id}`,
          (person) => this.#renderPerson(person),
        )}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          .checked=${this.notifies}
          @change=${(event: Event) => (this.notifies = (event.target as HTMLInputElement).checked)}
        />
        <span>${words.notify}</span>
      </label>`;
  }

  #renderPerson(person: Person): TemplateResult {
    const words = this.words("channels");
    const name = personName(person);
    const isBusy = this.busy === person.code;
    const since = whenOf(Date.parse(person.createdAt), this.world.words, words);
    return html`<li class="channels-person">
      <div class="channels-account-words">
        <h3>${name}</h3>
        <p class="channels-quiet">
          ${words.personOn(this.labels[person.channel] ?? person.channel, person.id)} · ${since}
        </p>
      </div>
      <span class="channels-code"><span class="seen-by-readers">${words.code}</span> <code>${person.code}</code></span>
      <div class="channels-account-actions">
        <button
          class="button small"
          aria-label=${words.rejectOf(name)}
          ?disabled=${isBusy}
          @click=${() => void this.#reject(person)}
        >
          ${words.reject}
        </button>
        <button
          class="button small primary"
          aria-label=${words.approveOf(name)}
          ?disabled=${isBusy}
          @click=${() => void this.#approve(person)}
        >
          ${words.approve}
        </button>
      </div>
    </li>`;
  }

  #approve(person: Person): Promise<void> {
    const words = this.words("channels");
    const { channel, code, accountId } = person;
    return this.#decide(person, async () => {
      const params = { channel, code, accountId, notify: this.notifies };
      const { isOwner, note } = await this.world.wire.call("pairing.approve", params);
      const name = personName(person);
      const done = isOwner ? words.approvedOwner(name) : words.approved(name);
      this.world.notices.say(note ? `${done} ${note}` : done);
    });
  }

  #reject(person: Person): Promise<void> {
    const { channel, code, accountId } = person;
    return this.#decide(person, async () => {
      await this.world.wire.call("pairing.reject", { channel, code, accountId });
      this.world.notices.say(this.words("channels").rejected(personName(person)));
    });
  }

  async #decide({ code }: Person, run: () => Promise<void>): Promise<void> {
    this.busy = code;
    await this.attempt(run);
    this.busy = undefined;
  }
}

customElements.define("chela-channels-people", PeopleView);
