// Changes people. Each change is checked against everybody else, and stands in the audit trail by the same commit.
import { type Change, type Clock, type Ledger, type Person, type PersonId, OneAtATime } from "@chela/sdk";
import { checkIds, isSame, readWritten, sayId, type ReadId } from "./check-ids.ts";
import type { People } from "./directory.ts";
import { overlaps } from "./find-person.ts";

export interface PeopleChangesParts {
  readonly ledger: Pick<Ledger, "commit">;
  readonly clock: Clock;
  readonly people: Pick<People, "all" | "get">;
  readonly readId: ReadId;
}

/** A person as somebody wrote them down. */
export type PersonDraft = Omit<Person, "createdAt" | "updatedAt">;

export type PeopleOutcome<T> =
  | ({ readonly kind: "done" } & T)
  /** One sentence: what is wrong, and what to do. */
  | { readonly kind: "refused"; readonly why: string };

const MOST_IDS = 64;

export class PeopleChanges {
  readonly #parts: PeopleChangesParts;
  /** What was checked still holds when it is written. */
  readonly #turns = new OneAtATime();

  constructor(parts: PeopleChangesParts) {
    this.#parts = parts;
  }

  /**
   * Writes a person down, in place of what was known of them. With `ifUpdatedAt` only when nobody else changed them
   * since; null means that they must be new.
   */
  put(
    draft: PersonDraft,
    actor: string,
    ifUpdatedAt?: number | null,
  ): Promise<PeopleOutcome<{ readonly person: Person; readonly isNew: boolean }>> {
    return this.#turns.run("people", async () => {
      const before = this.#parts.people.get(draft.id);
      const stale = staleness(draft.id, before, ifUpdatedAt);
      if (stale !== undefined) return refuse(stale);
      const checked = await this.#check(draft.id, draft.ids);
      if (checked.kind === "refused") return checked;
      const person = await this.#write({ ...draft, ids: [...checked.ids] }, before, actor);
      return { kind: "done", person, isNew: before === undefined };
    });
  }

  /** Adds and takes away ids of somebody who is known. */
  link(
    id: string,
    { add = [], remove = [] }: { readonly add?: readonly PersonId[]; readonly remove?: readonly PersonId[] },
    actor: string,
  ): Promise<PeopleOutcome<{ readonly person: Person }>> {
    return this.#turns.run("people", async () => {
      const before = this.#parts.people.get(id);
      if (!before) return refuse(unknown(id));
      const kept = await this.#without(before, remove);
      if (kept.kind === "refused") return kept;
      const checked = await this.#check(id, [...kept.ids, ...add]);
      if (checked.kind === "refused") return checked;
      return { kind: "done", person: await this.#write({ ...before, ids: [...checked.ids] }, before, actor) };
    });
  }

  remove(id: string, actor: string): Promise<PeopleOutcome<{ readonly person: Person }>> {
    return this.#turns.run("people", async () => {
      const person = this.#parts.people.get(id);
      if (!person) return refuse(unknown(id));
      const detail = { step: "removed", role: person.role, ids: person.ids.map(sayId) };
      await this.#parts.ledger.commit([{ kind: "person-delete", id }, this.#event(id, actor, detail)]);
      return { kind: "done", person };
    });
  }

  /** Whose id this is; without an account, on any of them. */
  async whoHas(written: PersonId): Promise<Person[]> {
    const read = await readWritten(written, this.#parts.readId);
    if (read.kind === "refused") return [];
    return this.#parts.people.all.filter(({ ids }) => ids.some((known) => overlaps(known, read.id)));
  }

  async #check(id: string, ids: readonly PersonId[]) {
    const others = this.#parts.people.all.filter((person) => person.id !== id);
    const checked = await checkIds(ids, { others, readId: this.#parts.readId });
    if (checked.kind === "ids" && checked.ids.length > MOST_IDS) return refuse(`Nobody has more than ${MOST_IDS} ids.`);
    return checked;
  }

  async #without({ id, ids }: Person, remove: readonly PersonId[]) {
    let kept: readonly PersonId[] = ids;
    for (const written of remove) {
      const read = await readWritten(written, this.#parts.readId);
      // What was written down before the channel could say what it means can still be taken away.
      const wanted = [written, ...(read.kind === "id" ? [read.id] : [])];
      const rest = kept.filter((known) => !wanted.some((one) => overlaps(known, one)));
      if (rest.length === kept.length) return refuse(`${sayId(written)} is no id of ${id}.`);
      kept = rest;
    }
    return { kind: "ids" as const, ids: kept };
  }

  async #write(draft: PersonDraft, before: Person | undefined, actor: string): Promise<Person> {
    const now = this.#parts.clock.now();
    const updatedAt = before ? Math.max(now, before.updatedAt + 1) : now;
    const person = { ...draft, createdAt: before?.createdAt ?? now, updatedAt };
    const event = this.#event(person.id, actor, changeOf(before, person));
    await this.#parts.ledger.commit([{ kind: "person-put", person }, event]);
    return person;
  }

  #event(id: string, actor: string, detail: Readonly<Record<string, unknown>>): Change {
    const at = this.#parts.clock.now();
    return { kind: "audit-add", event: { at, action: "people", actor, target: id, outcome: "ok", detail } };
  }
}

/** What of a change decides over what somebody may do. */
function changeOf(before: Person | undefined, now: Person): Readonly<Record<string, unknown>> {
  const gone = (before?.ids ?? []).filter((id) => !now.ids.some((one) => isSame(one, id)));
  const come = now.ids.filter((id) => !before?.ids.some((one) => isSame(one, id)));
  return {
    step: before ? "changed" : "added",
    role: now.role,
    ...(before && before.role !== now.role ? { roleBefore: before.role } : {}),
    ...(come.length > 0 ? { linked: come.map(sayId) } : {}),
    ...(gone.length > 0 ? { unlinked: gone.map(sayId) } : {}),
    ...(now.quota ? { quota: now.quota } : {}),
    ...(before?.quota && !now.quota ? { quota: null } : {}),
  };
}

function staleness(id: string, before: Person | undefined, ifUpdatedAt: number | null | undefined): string | undefined {
  if (ifUpdatedAt === undefined) return undefined;
  if (ifUpdatedAt === null) return before && `There is already somebody with the id "${id}" (${before.name}).`;
  if (!before) return unknown(id);
  if (before.updatedAt === ifUpdatedAt) return undefined;
  return `${before.name} was changed meanwhile. Look at them again, and repeat what you want to change.`;
}

function unknown(id: string): string {
  return `Nobody has the id "${id}". \`chela people list\` shows who is known.`;
}

function refuse(why: string): { readonly kind: "refused"; readonly why: string } {
  return { kind: "refused", why };
}
