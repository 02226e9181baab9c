// The table of episodes, and the ones that still go on.
import { integer, jsonList, number, optional, readable, rowReader, text, type StoredRow } from "@chela/sdk/rows";
import type { Store } from "../../index/store/store.ts";
import { lastAtOf, mostTelling, settle, type OpenEpisode, type Telling } from "../episode.ts";
import { episodeItem } from "./keys.ts";
import { summarise } from "../summary.ts";
import type { WordTable } from "./word-table.ts";

export interface EpisodeRow {
  readonly number: number;
  readonly id: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly startEntryId: string;
  readonly endedAt: number;
  readonly summary: string;
  readonly tellings: readonly Telling[];
}

export class EpisodeTable {
  readonly #store: Store;
  readonly #words: WordTable;

  constructor(store: Store, words: WordTable) {
    this.#store = store;
    this.#words = words;
  }

  get count(): number {
    return Number(this.#store.statement("SELECT count(*) AS count FROM episodes").get()?.["count"]);
  }

  openOf(sessionKey: string): OpenEpisode | undefined {
    const row = this.#store.statement("SELECT state FROM open_episodes WHERE session_key = ?").get(sessionKey);
    return row && (JSON.parse(String(row["state"])) as OpenEpisode);
  }

  keepOpen(sessionKey: string, open: OpenEpisode): void {
    this.#store
      .statement("INSERT OR REPLACE INTO open_episodes VALUES (?, ?, ?)")
      .run(sessionKey, lastAtOf(open), JSON.stringify(open));
  }

  dropOpen(sessionKey: string): void {
    this.#store.statement("DELETE FROM open_episodes WHERE session_key = ?").run(sessionKey);
  }

  /** Nothing was said in these sessions since then: their episodes are over. */
  closeSilent(since: number): void {
    const keys = this.#store
      .statement("SELECT session_key FROM open_episodes WHERE last_at < ?")
      .all(since)
      .map((row) => String(row["session_key"]));
    for (const key of keys) {
      this.#store.statement("UPDATE episodes SET is_open = 0 WHERE session_key = ? AND is_open = 1").run(key);
      this.dropOpen(key);
    }
  }

  write(sessionKey: string, episode: OpenEpisode, isOpen: boolean): OpenEpisode {
    const whole = settle(episode);
    const tellings = mostTelling(whole.tellings);
    const { id, sessionId, startEntryId, startSeq, startAt, entries, people, hasOwner, end } = whole;
    const place = [id, sessionKey, sessionId, startEntryId, end.entryId, startSeq, end.seq, entries];
    const told = [summarise(tellings), JSON.stringify(tellings), peopleText(people), Number(hasOwner), end.at, startAt];
    const written = this.#store
      .statement(
        `INSERT INTO episodes (id, session_key, session_id, start_turn_id, end_turn_id, start_seq, end_seq, entries,
           is_open, summary, sentences, people, has_owner, ended_at, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET end_turn_id = excluded.end_turn_id, end_seq = excluded.end_seq,
           entries = excluded.entries, is_open = excluded.is_open, summary = excluded.summary,
           sentences = excluded.sentences, people = excluded.people, has_owner = excluded.has_owner,
           ended_at = excluded.ended_at RETURNING number`,
      )
      .get(...place, Number(isOpen), ...told);
    this.#index(Number(written?.["number"]), tellings);
    return whole;
  }

  /** Only what stands for it; for forgetting. */
  retell(row: EpisodeRow, tellings: readonly Telling[]): void {
    this.#store
      .statement("UPDATE episodes SET summary = ?, sentences = ? WHERE number = ?")
      .run(summarise(tellings), JSON.stringify(tellings), row.number);
    this.#index(row.number, tellings);
  }

  /** It is not known any more that this person spoke in it. */
  leaveOut(personKey: string): void {
    this.#store
      .statement("UPDATE episodes SET people = rtrim(replace(people, ?1, '|'), '|') || '|' WHERE instr(people, ?1) > 0")
      .run(peopleText([personKey]));
  }

  remove(number: number): void {
    this.#store.statement("DELETE FROM episodes WHERE number = ?").run(number);
    this.#words.remove(episodeItem(number));
  }

  byNumber(number: number): EpisodeRow | undefined {
    return this.rows("WHERE number = ?", number)[0];
  }

  ofPerson(personKey: string): EpisodeRow[] {
    return this.rows("WHERE instr(people, ?) > 0", peopleText([personKey]));
  }

  numbersIn(sessionKeys: readonly string[]): number[] {
    const sql = "SELECT number FROM episodes WHERE session_key IN (SELECT value FROM json_each(?))";
    return this.#store
      .statement(sql)
      .all(JSON.stringify(sessionKeys))
      .map(({ number }) => Number(number));
  }

  /** `where` is ours: SQL after the name of the table. */
  rows(where: string, ...values: readonly (string | number)[]): EpisodeRow[] {
    const rows = this.#store.statement(`SELECT * FROM episodes ${where}`).all(...values);
    return readable(rows, toEpisodeRow);
  }

  /** It is found by every sentence that is kept of it. */
  #index(number: number, tellings: readonly Telling[]): void {
    this.#words.remove(episodeItem(number));
    if (tellings.length === 0) return;
    this.#words.add(episodeItem(number), tellings.map(({ text }) => text).join(" "));
  }
}

const toEpisodeRow: (row: StoredRow) => EpisodeRow = rowReader(
  { table: "episodes", named: "id" },
  {
    number: integer("number"),
    id: text("id"),
    sessionKey: text("session_key"),
    sessionId: text("session_id"),
    startEntryId: text("start_turn_id"),
    endedAt: number("ended_at"),
    summary: text("summary"),
    tellings: jsonList("sentences", {
      entryId: text("entryId"),
      seq: number("seq"),
      position: number("position"),
      score: number("score"),
      text: text("text"),
      person: optional(text("person")),
    }),
  },
);

function peopleText(people: readonly string[]): string {
  return people.length > 0 ? `|${people.join("|")}|` : "";
}
