// A person: what they may do, who they are on each channel, and how much of their limits is used.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { renderBudgetMeter } from "../../parts/chart/budget-meter.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import type { Words } from "../../words/index.ts";
import { writeId, type PeopleWords, type Person, type PersonId } from "./person-facts.ts";
import "../../parts/menu.ts";

type Budget = MethodAnswer<"usage.budgets">["budgets"][number];

type Used = MethodAnswer<"people.list">["used"][string];

interface PersonView {
  readonly person: Person;
  /** Messages of this hour and of today; undefined where they are not counted. */
  readonly used: Used | undefined;
  /** US dollars of the last thirty days; undefined while nobody knows. */
  readonly spent: number | undefined;
  /** Of today's limit, if there is one. */
  readonly budget: Budget | undefined;
  labelOf(channel: string): string;
}

export interface PersonActions {
  edit(person: Person): void;
  link(person: Person): void;
  unlink(person: Person, id: PersonId): void;
  remove(person: Person): void;
}

const TONES = { owner: "bad", approver: "warn", member: "info", guest: "" } as const;

export function renderPerson(view: PersonView, all: Words, actions: PersonActions): TemplateResult {
  const words = all.of("people");
  const { person } = view;
  const { name, role, note } = person;
  const choices: MenuChoice[] = [
    { id: "edit", icon: "edit", label: words.edit },
    { id: "link", icon: "link", label: words.link },
    { id: "remove", icon: "trash", label: words.remove, isDangerous: true },
  ];
  const choose = ({ detail: { id } }: CustomEvent<MenuChoice>): void => {
    if (id === "edit" || id === "link" || id === "remove") actions[id](person);
  };
  return html`<article class="card people-person" aria-label=${name}>
    <header>
      <h2><bdi>${name}</bdi> <code class="muted">${person.id}</code></h2>
      <span class="badge ${TONES[role]}">${words[`role_${role}`]}</span>
      <chela-menu label=${words.actions(name)} .icon=${"more"} .choices=${choices} @menu-choose=${choose}></chela-menu>
    </header>
    <p class="muted">${words[`role_${role}How`]}</p>
    ${renderIds(view, words, actions)} ${renderLimits(view, all)}
    ${note ? html`<p class="people-note">${note}</p>` : nothing}
  </article>`;
}

function renderIds({ person, labelOf }: PersonView, words: PeopleWords, actions: PersonActions): TemplateResult {
  return html`<ul class="people-ids" aria-label=${words.idsOf(person.name)}>
    ${person.ids.map((id) => {
      const label = words.unlinkName(writeId(id), person.name);
      return html`<li>
        <span>${labelOf(id.channel)}</span> <code><bdi>${id.id}</bdi></code>
        ${id.account ? html`<span class="muted">${words.onAccount(id.account)}</span>` : nothing}
        <button
          class="button quiet square small"
          aria-label=${label}
          title=${words.unlink}
          @click=${() => actions.unlink(person, id)}
        >
          ${icon("close")}
        </button>
      </li>`;
    })}
    <li class="people-add-id">
      <button class="button quiet small" aria-label=${words.linkName(person.name)} @click=${() => actions.link(person)}>
        ${icon("plus")}${words.link}
      </button>
    </li>
  </ul>`;
}

function renderLimits({ person: { name, quota = {} }, used, spent, budget }: PersonView, all: Words): TemplateResult {
  const words = all.of("people");
  const { messagesPerHour, messagesPerDay, costPerDay } = quota;
  const facts = [
    messagesPerHour === undefined ? "" : words.usedThisHour(used?.thisHour ?? 0, messagesPerHour),
    messagesPerDay === undefined ? "" : words.usedToday(used?.today ?? 0, messagesPerDay),
    costPerDay === undefined || budget?.usd ? "" : words.costPerDay(all.money(costPerDay)),
  ].filter(Boolean);
  const isFree = Object.keys(quota).length === 0;
  return html`<div class="people-limits">
    ${budget?.usd ? renderSpentToday(budget, name, all) : nothing}
    <p class="hint">
      ${[...(isFree ? [words.noLimits] : facts), spent === undefined ? "" : words.spentLately(all.money(spent))].filter(Boolean).join(" · ")}
    </p>
  </div>`;
}

function renderSpentToday({ usd, share }: Budget, name: string, all: Words): TemplateResult | typeof nothing {
  if (!usd) return nothing;
  const words = all.of("people");
  const text = words.spentToday(all.money(usd.spent), all.money(usd.limit));
  return html`<p class="hint">${text}</p>
    ${renderBudgetMeter(share, { label: words.todayOf(name), text })}`;
}
