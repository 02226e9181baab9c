// The table of facts: how they are written, found again and taken away.
import { defined } from "@chela/sdk/base";
import { flag, integer, number, oneOf, optional, readable, rowReader, text, type StoredRow } from "@chela/sdk/rows";
import { FACT_KINDS, type Fact, type FactKind, type FactWish, type FedEntry, type Subject } from "../../messages.ts";
import type { Store } from "../../index/store/store.ts";
import type { DrawnFact } from "../rules/drawn-fact.ts";
import { factItem, keyOf, makeId } from "./keys.ts";
import type { WordTable } from "./word-table.ts";

export interface FactRow extends Omit<Fact, "isInPrompt"> {
  readonly number: number;
  readonly episodeId: string;
  readonly slot: string;
  readonly value: string;
  readonly subjectKey: string;
  readonly isAboutSpeaker: boolean;
  readonly seq: number;
  readonly position: number;
  readonly isOwner: boolean;
}

export interface FactSource {
  readonly entry: Omit<FedEntry, "text">;
  readonly episodeId: string;
  readonly position: number;
  readonly said: string;
  readonly by: Fact["by"];
}

const COLUMNS = `id, episode_id, facet_type, slot, value, confidence, subject, subject_key, is_about_speaker, text,
  session_key, session_id, entry_id, seq, position, role, person, person_key, at, day, is_owner, drawn_by`;
const INSERT = `INSERT OR IGNORE INTO facets (${COLUMNS}) VALUES (?${", ?".repeat(21)})`;

export class FactTable {
  readonly #store: Store;
  readonly #words: WordTable;
  readonly #agentId: string;

  constructor(store: Store, words: WordTable, agentId: string) {
    this.#store = store;
    this.#words = words;
    this.#agentId = agentId;
  }

  add(fact: DrawnFact, { entry, episodeId, position, said, by }: FactSource): void {
    const { kind, slot, value, confidence, day } = fact;
    const isAboutSpeaker = fact.about.kind === "speaker";
    const subject = fact.about.kind === "thing" ? fact.about.subject : speakerOf(entry);
    const subjectKey = keyOf(subject);
    const { sessionKey, sessionId, entryId, seq, role, person, at, isOwner } = entry;
    const id = makeId(this.#agentId, sessionKey, sessionId, entryId, position, kind, slot, subjectKey, value);
    const personKey = person === undefined ? null : keyOf(person);
    const told = [id, episodeId, kind, slot, value, confidence, subject, subjectKey, Number(isAboutSpeaker), said];
    const source = [sessionKey, sessionId, entryId, seq, position, role, person ?? null, personKey, at, day ?? null];
    const added = this.#store.statement(INSERT).run(...told, ...source, Number(isOwner), by);
    if (added.changes === 0) return;
    this.#words.add(factItem(Number(added.lastInsertRowid)), `${subject} ${value} ${said}`);
  }

  /** Whether the same was drawn from an entry before, whoever did it. */
  has(fact: DrawnFact, entry: Pick<FedEntry, "sessionKey" | "seq" | "person" | "isOwner">): boolean {
    const subject = fact.about.kind === "thing" ? fact.about.subject : speakerOf(entry);
    const where = "WHERE session_key = ? AND seq = ? AND facet_type = ? AND slot = ? AND subject_key = ?";
    const same = this.rows(where, entry.sessionKey, entry.seq, fact.kind, fact.slot, keyOf(subject));
    return same.some(({ value }) => keyOf(value) === keyOf(fact.value));
  }

  /** The topic of an episode changed before these entries. */
  moveTo(episodeId: string, from: { readonly episodeId: string; readonly seq: number }): void {
    this.#store
      .statement("UPDATE facets SET episode_id = ? WHERE episode_id = ? AND seq >= ?")
      .run(episodeId, from.episodeId, from.seq);
  }

  topicsOf(episodeId: string): FactRow[] {
    return this.rows("WHERE episode_id = ? AND facet_type = 'topic'", episodeId);
  }

  remove(facts: readonly { readonly number: number }[]): void {
    for (const { number } of facts) {
      this.#store.statement("DELETE FROM facets WHERE number = ?").run(number);
      this.#words.remove(factItem(number));
    }
  }

  get count(): number {
    return Number(this.#store.statement("SELECT count(*) AS count FROM facets").get()?.["count"]);
  }

  byNumber(number: number): FactRow | undefined {
    return this.rows("WHERE number = ?", number)[0];
  }

  /** `select` is ours: SQL that gives whole rows. */
  select(select: string): FactRow[] {
    return readable(this.#store.statement(select).all(), toFactRow);
  }

  numbersIn(sessionKeys: readonly string[]): number[] {
    const sql = "SELECT number FROM facets WHERE session_key IN (SELECT value FROM json_each(?))";
    return this.#store
      .statement(sql)
      .all(JSON.stringify(sessionKeys))
      .map(({ number }) => Number(number));
  }

  /** `where` is ours: SQL after the name of the table. */
  rows(where: string, ...values: readonly (string | number)[]): FactRow[] {
    return readable(this.#store.statement(`SELECT * FROM facets ${where}`).all(...values), toFactRow);
  }

  /** The newest first. */
  find(wish: FactWish): { readonly facts: FactRow[]; readonly total: number } {
    const { sql, values } = this.#filter(wish);
    const total = this.#store.statement(`SELECT count(*) AS count FROM facets ${sql}`).get(...values)?.["count"];
    const order = "ORDER BY seq DESC, position, id LIMIT ? OFFSET ?";
    return { facts: this.rows(`${sql} ${order}`, ...values, wish.limit, wish.offset), total: Number(total) };
  }

  /** What most is known about, the newest first among equals. */
  subjects({ search, limit }: { readonly search?: string; readonly limit: number }): Subject[] {
    const wanted = search === undefined ? "" : keyOf(search);
    const rows = this.#store
      .statement(
        `SELECT subject, group_concat(DISTINCT facet_type) AS kinds, count(*) AS facts, max(at) AS last_at FROM facets
         WHERE instr(subject_key, ?) > 0 OR ? = '' GROUP BY subject_key ORDER BY facts DESC, last_at DESC, subject_key LIMIT ?`,
      )
      .all(wanted, wanted, limit);
    return rows.map((row) => ({
      subject: String(row["subject"]),
      kinds: kindsIn(String(row["kinds"])),
      facts: Number(row["facts"]),
      lastAt: Number(row["last_at"]),
    }));
  }

  #filter({ subject, person, sessionKey, kind, search }: FactWish): { sql: string; values: string[] } {
    const wanted: [string, string | undefined][] = [
      ["subject_key = ?", subject === undefined ? undefined : keyOf(subject)],
      ["person_key = ?", person === undefined ? undefined : keyOf(person)],
      ["session_key = ?", sessionKey],
      ["facet_type = ?", kind],
    ];
    const given = wanted.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
    const words = search === undefined ? undefined : this.#words.expressionOfAll(search);
    if (words !== undefined) {
      given.push({ sql: "number * 2 IN (SELECT rowid FROM learned_words WHERE learned_words MATCH ?)", value: words });
    }
    return {
      sql: given.length > 0 ? `WHERE ${given.map(({ sql }) => sql).join(" AND ")}` : "",
      values: given.map(({ value }) => value),
    };
  }
}

function kindsIn(listed: string): FactKind[] {
  const names = new Set(listed.split(","));
  return FACT_KINDS.filter((kind) => names.has(kind)).toSorted();
}

/** Whose taste, home and habits a sentence tells. */
export function speakerOf({ person, isOwner }: Pick<FedEntry, "person" | "isOwner">): string {
  return person ?? (isOwner ? "owner" : "somebody");
}

export function toFact(row: FactRow, isInPrompt: boolean): Fact {
  const { id, kind, subject, text, confidence, sessionKey, sessionId, entryId, role, person, at, day, by } = row;
  const known = { id, kind, subject, text, confidence, sessionKey, sessionId, entryId, role, at, isInPrompt, by };
  return { ...known, ...defined({ person, day }) };
}

const toFactRow: (row: StoredRow) => FactRow = rowReader(
  { table: "facets", named: "id" },
  {
    number: integer("number"),
    id: text("id"),
    episodeId: text("episode_id"),
    kind: oneOf("facet_type", FACT_KINDS),
    slot: text("slot"),
    value: text("value"),
    confidence: number("confidence"),
    subject: text("subject"),
    subjectKey: text("subject_key"),
    isAboutSpeaker: flag("is_about_speaker"),
    text: text("text"),
    sessionKey: text("session_key"),
    sessionId: text("session_id"),
    entryId: text("entry_id"),
    seq: integer("seq"),
    position: integer("position"),
    role: oneOf("role", ["user", "assistant"]),
    person: optional(text("person")),
    at: number("at"),
    day: optional(text("day")),
    isOwner: flag("is_owner"),
    by: oneOf("drawn_by", ["rules", "model"]),
  },
);
