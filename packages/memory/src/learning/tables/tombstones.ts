// Remembers what was forgotten without knowing what it was: hashes only, so that learning anew does not bring it back.
import { hash, randomBytes } from "node:crypto";
import { GatewayError } from "@chela/sdk";
import { isObject, parseJson, wordsOf } from "@chela/sdk/base";
import type { Store } from "../../index/store/store.ts";

/** A sentence is buried where no rule could tell again what a model found in it. */
export type Scope = "fact" | "sentence" | "subject" | "person" | "session";

const SALT_KEY = "learning.salt";

interface WrittenTombs {
  readonly salt: string;
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * A tombstone holds for what was said until it was made, learned already or not. What is said later may teach again:
 * somebody who speaks of a person anew wants them known.
 */
export class Tombstones {
  readonly #store: Store;
  /** By scope and hash: until when. */
  readonly #known = new Map<string, number>();
  /** How many words names have; 0 when none is forgotten. */
  #longest = 0;
  #saltText: string | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.reload();
  }

  reload(): void {
    this.#known.clear();
    this.#saltText = undefined;
    this.#longest = 0;
    for (const row of this.#store.statement("SELECT * FROM forgotten").all()) {
      this.#known.set(`${String(row["scope"])}:${String(row["hash"])}`, Number(row["until_at"]));
      this.#longest = Math.max(this.#longest, Number(row["words"]));
    }
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** Part of the caller's transaction. */
  bury(scope: Scope, key: string, untilAt: number): void {
    const words = scope === "subject" || scope === "person" ? key.split(" ").length : 0;
    const hashed = this.#hash(key);
    this.#store.statement("INSERT OR REPLACE INTO forgotten VALUES (?, ?, ?, ?)").run(scope, hashed, words, untilAt);
    this.#known.set(`${scope}:${hashed}`, untilAt);
    this.#longest = Math.max(this.#longest, words);
  }

  holds(scope: Scope, key: string, at: number): boolean {
    if (this.#known.size === 0) return false;
    return at <= (this.#known.get(`${scope}:${this.#hash(key)}`) ?? -1);
  }

  /** Whether a text speaks of a forgotten person or subject. */
  isMentioned(text: string, at: number): boolean {
    if (this.#longest === 0) return false;
    for (const name of namesIn(text, this.#longest)) {
      const hashed = this.#hash(name);
      const untilAt = Math.max(this.#known.get(`subject:${hashed}`) ?? -1, this.#known.get(`person:${hashed}`) ?? -1);
      if (at <= untilAt) return true;
    }
    return false;
  }

  /** All of them, to be kept elsewhere too: this file can be made anew, what was forgotten cannot be asked for again. */
  write(): string {
    const rows = this.#store.statement("SELECT scope, hash, words, until_at FROM forgotten ORDER BY scope, hash").all();
    return JSON.stringify({ salt: this.#salt(), rows: rows.map((row) => Object.values(row)) } satisfies WrittenTombs);
  }

  /** Only where there are none: those of this file are hashed with a salt of its own. Part of the caller's transaction. */
  restore(written: string): void {
    if (this.#known.size > 0) return;
    const kept = parseJson(written);
    if (!isObject(kept) || typeof kept["salt"] !== "string" || !Array.isArray(kept["rows"])) throw unreadable();
    const { salt } = kept;
    const rows: readonly unknown[] = kept["rows"];
    this.#store.setMeta(SALT_KEY, salt);
    for (const row of rows) {
      if (!Array.isArray(row)) throw unreadable();
      const [scope, hashed, words, untilAt]: readonly unknown[] = row;
      this.#store
        .statement("INSERT OR REPLACE INTO forgotten VALUES (?, ?, ?, ?)")
        .run(String(scope), String(hashed), Number(words), Number(untilAt));
    }
    this.reload();
  }

  #hash(key: string): string {
    return hash("sha256", `${this.#salt()}\n${key}`).slice(0, 32);
  }

  #salt(): string {
    if (this.#saltText !== undefined) return this.#saltText;
    const known = this.#store.meta(SALT_KEY);
    const salt = known ?? randomBytes(16).toString("hex");
    if (known === undefined) this.#store.setMeta(SALT_KEY, salt);
    return (this.#saltText = salt);
  }
}

/** What was forgotten must not come back because the list of it cannot be read. */
function unreadable(): GatewayError {
  return new GatewayError("STORE_ROW", "the list of what was forgotten is not the JSON that was written");
}

/** Every run of up to so many words; "Annas" is also "Anna". */
function* namesIn(text: string, most: number): Iterable<string> {
  const words = Array.from(wordsOf(text), ({ word }) => word);
  for (let start = 0; start < words.length; start++) {
    for (let end = start + 1; end <= Math.min(words.length, start + most); end++) {
      const name = words.slice(start, end).join(" ");
      yield name;
      if (name.endsWith("s")) yield name.slice(0, -1);
    }
  }
}
