// Everybody who is known as a person, in memory: read once, and kept up to date by the ledger's own commits.
import { spenderName, type Change, type Ledger, type Person, type PersonRole } from "@chela/sdk";
import { findSender } from "./find-person.ts";

/** A limit on what a person's model calls may cost, as budgets understand it. */
interface PersonBudget {
  readonly scope: "person";
  readonly name: string;
  readonly period: "day";
  readonly usd: number;
}

export class People {
  readonly #ledger: Pick<Ledger, "people">;
  #people: readonly Person[] = [];
  #budgets: readonly PersonBudget[] = [];

  constructor(ledger: Pick<Ledger, "people" | "onCommit">) {
    this.#ledger = ledger;
    ledger.onCommit(({ commits }) => {
      for (const changes of commits) for (const change of changes) this.#follow(change);
    });
  }

  /** To be awaited before the first message is judged, and before anybody can change people. */
  async load(): Promise<void> {
    this.#set(await this.#ledger.people());
  }

  /** By name. */
  get all(): readonly Person[] {
    return this.#people;
  }

  get(id: string): Person | undefined {
    return this.#people.find((person) => person.id === id);
  }

  /** Who a sender is, by any of their ids. */
  of(channel: string, account: string, ids: readonly string[]): Person | undefined {
    return this.#people.length === 0 ? undefined : findSender(this.#people, { channel, account, ids });
  }

  /** Whether somebody with one of these roles can be met on this account. */
  hasOn(channel: string, account: string, roles: readonly PersonRole[]): boolean {
    return this.#people.some(
      ({ role, ids }) =>
        roles.includes(role) &&
        ids.some((id) => id.channel === channel && (id.account === undefined || id.account === account)),
    );
  }

  /** Limits on money, by the name under which a person's spending is counted. */
  budgets(): readonly PersonBudget[] {
    return this.#budgets;
  }

  #follow(change: Change): void {
    if (change.kind !== "person-put" && change.kind !== "person-delete") return;
    const id = change.kind === "person-put" ? change.person.id : change.id;
    const others = this.#people.filter((person) => person.id !== id);
    this.#set(change.kind === "person-put" ? [...others, change.person] : others);
  }

  #set(people: readonly Person[]): void {
    this.#people = people.toSorted((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
    this.#budgets = people.flatMap((person) => {
      const usd = person.quota?.costPerDay;
      const name = spenderName({ id: "", person });
      return usd === undefined ? [] : [{ scope: "person", name, period: "day", usd } as const];
    });
  }
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
