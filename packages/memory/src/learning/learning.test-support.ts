// Conversations, and a memory to teach them to, for tests.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "../embedder.ts";
import { openStore, type Store } from "../index/store/store.ts";
import type { FedEntry } from "../messages.ts";
import { CASES } from "./rules/extract.test-support.ts";
import { Learning } from "./learning.ts";

export const MINUTE = 60_000;
export const START = Date.UTC(2026, 2, 4, 9);
export const MAIN = "agent:main:main";

export interface Scene extends Disposable {
  readonly store: Store;
  readonly learning: Learning;
  /** Feeds what is said to it next, as one batch. */
  say(...said: readonly (string | Partial<FedEntry>)[]): void;
  feed(entries: readonly FedEntry[], isAnew?: boolean): void;
}

export function setUp(): Scene {
  const folder = mkdtempSync(join(tmpdir(), "chela-learning-"));
  const store = openStore(join(folder, "memory.sqlite"), () => {});
  const learning = new Learning({ store, settings: { agentId: "main", timeZone: "UTC" }, log: () => {} });
  let seq = 0;
  const scene = {
    store,
    learning,
    say(...said: readonly (string | Partial<FedEntry>)[]) {
      const entries = said.map((one) => entryOf(++seq, typeof one === "string" ? { text: one } : one));
      scene.feed(entries);
    },
    feed(entries: readonly FedEntry[], isAnew = false) {
      const last = entries.at(-1);
      const mark = last ? { seq: last.seq, entryId: last.entryId } : learning.mark();
      store.transaction(() => learning.learn(entries, mark, isAnew));
    },
    [Symbol.dispose]() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return scene;
}

export function entryOf(seq: number, over: Partial<FedEntry> = {}): FedEntry {
  const common = { seq, sessionKey: MAIN, sessionId: "s1", entryId: `e${seq}`, at: START + seq * MINUTE };
  return { ...common, role: "user", text: "Hello there.", isOwner: true, ...over };
}

/** The same numbers for the same seed. */
export function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const THEMES = [
  "garden tomatoes soil compost watering seeds greenhouse harvest pruning beds slugs fertilizer mulch trellis",
  "database postgres index query migration replica backup schema latency vacuum partition deployment rollback cluster",
  "holiday lisbon hotel beach tram museum flights luggage passport restaurant booking itinerary sunset viewpoint",
  "guitar chords strumming amplifier pedals rehearsal setlist tuning melody rhythm recording studio microphone drummer",
].map((words) => words.split(" "));

/** Sessions side by side, with pauses, changes of topic, two people, and the sentences of the tables. */
export function conversations(count: number, seed = 7): FedEntry[] {
  const dice = createDice(seed);
  const themes = [0, 1, 2];
  let at = START;
  return Array.from({ length: count }, (_none, place) => {
    const session = dice(3);
    at += dice(40) === 0 ? 60 * MINUTE : dice(2 * MINUTE);
    if (dice(15) === 0) themes[session] = dice(THEMES.length);
    const theme = THEMES[themes[session] ?? 0] ?? [];
    const words = Array.from({ length: 6 + dice(20) }, () => theme[dice(theme.length)]).join(" ");
    const [sentence] = CASES[dice(CASES.length)] ?? [""];
    const isUser = dice(2) === 0;
    return entryOf(place + 1, {
      sessionKey: `agent:main:${session}`,
      sessionId: `s${session}-${Math.floor(place / 700)}`,
      at,
      role: isUser ? "user" : "assistant",
      text: `We talk of ${words}. ${dice(3) === 0 ? sentence : ""}`,
      isOwner: isUser && session === 0,
      ...(isUser && session === 1 ? { person: "Bob Miller" } : {}),
    });
  });
}

/** Everything that was derived; the numbers, which only tell rows apart, are left out. */
export function dump({ db }: Store): Record<string, unknown[]> {
  const columns = (table: string) =>
    db
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => String(name))
      .filter((name) => name !== "number");
  const rows = (table: string, order: string) =>
    db.prepare(`SELECT ${columns(table).join(", ")} FROM ${table} ORDER BY ${order}`).all();
  return {
    episodes: rows("episodes", "id"),
    facets: rows("facets", "id"),
    open: rows("open_episodes", "session_key"),
    mark: db.prepare("SELECT value FROM meta WHERE key = 'learning.mark'").all(),
    words: db.prepare("SELECT count(*) AS count FROM learned_words").all(),
  };
}

/** Two texts are near when they share words. */
export function createWordEmbedder(dimensions = 64): Embedder & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    provider: "test",
    model: "words",
    providerKey: "",
    asked,
    async embed(texts) {
      asked.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(dimensions).fill(0.001);
        for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? []) {
          let place = 7;
          for (const letter of word) place = (place * 31 + (letter.codePointAt(0) ?? 0)) % dimensions;
          vector[place] = (vector[place] ?? 0) + 1;
        }
        const length = Math.hypot(...vector);
        return vector.map((number) => number / length);
      });
    },
    async unload() {},
  };
}
