// Forgetting: what is forgotten is gone everywhere, stays gone when everything is learned anew, and may be taught again.
import { describe, expect, it } from "vitest";
import type { FedEntry, ForgetWish } from "../messages.ts";
import { createWordEmbedder, entryOf, MAIN, MINUTE, setUp, START, type Scene } from "./learning.test-support.ts";

const ALL = { limit: 1000, offset: 0 };
const OTHER = "agent:main:other";

const SAID: readonly FedEntry[] = [
  { text: "My sister Anna is coming over." },
  { text: "I prefer herbal tea. I live in Lisbon." },
  { text: "Annas Geburtstag ist am 3. Mai.", person: "Bob" },
  { text: "I prefer herbal tea!" },
  { text: "We decided to use Postgres.", sessionKey: OTHER, sessionId: "s2", person: "Bob", isOwner: false },
  { text: "My boss Peter agrees with Anna.", sessionKey: OTHER, sessionId: "s2" },
  { text: "Good morning to all of you.", at: START + 200 * MINUTE },
].map((over, place) => entryOf(place + 1, over));

async function teach(scene: Scene): Promise<void> {
  scene.feed(SAID);
  const embedder = createWordEmbedder();
  while ((await scene.learning.embedPending(embedder, 10)) > 0);
}

function textsOf({ learning }: Scene): string[] {
  return learning
    .facts(ALL)
    .facts.filter(({ kind }) => kind !== "topic")
    .map(({ text }) => text);
}

/** Every text there is in the file, in whatever table. */
function everything({ store }: Scene): string {
  const tables = store.db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    .all();
  return tables
    .filter(({ name }) => !/^(?:learned_words|chunks)/.test(String(name)))
    .flatMap(({ name }) => store.db.prepare(`SELECT * FROM ${String(name)}`).all())
    .map((row) => JSON.stringify(Object.values(row).filter((value) => typeof value === "string")))
    .join("\n")
    .toLowerCase();
}

describe("forgetting", () => {
  const cases: readonly {
    name: string;
    what: (scene: Scene) => ForgetWish;
    gone: RegExp;
    left: string[];
    counts: object;
  }[] = [
    {
      name: "a fact, wherever it was said, with all its sentences told",
      what: ({ learning }) => ({ kind: "fact", id: learning.facts({ ...ALL, search: "herbal" }).facts[0]?.id ?? "" }),
      gone: /herbal/,
      left: [
        "My boss Peter agrees with Anna.",
        "We decided to use Postgres.",
        "Annas Geburtstag ist am 3. Mai.",
        "I live in Lisbon.",
        "My sister Anna is coming over.",
      ],
      counts: { facts: 2, episodes: 0, chunks: 0, summaries: 1 },
    },
    {
      name: "a subject, with every sentence it is mentioned in",
      what: () => ({ kind: "subject", subject: "ANNA" }),
      gone: /anna/,
      left: ["We decided to use Postgres.", "I prefer herbal tea!", "I prefer herbal tea.", "I live in Lisbon."],
      counts: { facts: 3, episodes: 0, summaries: 2 },
    },
    {
      name: "a person, with what they said",
      what: () => ({ kind: "person", person: "bob" }),
      gone: /bob|postgres|geburtstag/,
      left: [
        "My boss Peter agrees with Anna.",
        "I prefer herbal tea!",
        "I prefer herbal tea.",
        "I live in Lisbon.",
        "My sister Anna is coming over.",
      ],
      counts: { facts: 2, episodes: 0, summaries: 2 },
    },
    {
      name: "a session",
      what: () => ({ kind: "session", sessionKey: OTHER }),
      gone: /postgres|peter|other/,
      left: [
        "I prefer herbal tea!",
        "Annas Geburtstag ist am 3. Mai.",
        "I prefer herbal tea.",
        "I live in Lisbon.",
        "My sister Anna is coming over.",
      ],
      counts: { facts: 2, episodes: 1, summaries: 0 },
    },
  ];

  it.each(cases)("takes away $name, for good", async ({ what, gone, left, counts }) => {
    using scene = setUp();
    await teach(scene);
    expect(everything(scene)).toMatch(gone);
    const forgotten = scene.learning.forget(what(scene));
    expect(forgotten).toMatchObject(counts);
    expect(forgotten.vectors).toBeGreaterThanOrEqual(forgotten.facts);
    expect(textsOf(scene).toSorted()).toEqual(left.toSorted());
    expect(everything(scene)).not.toMatch(gone);
    for (const { snippet } of scene.learning.recall({
      query: "anna herbal tea postgres peter lisbon",
      limit: 50,
      minScore: 0,
    })) {
      expect(snippet.toLowerCase()).not.toMatch(gone);
    }
    scene.learning.rebuild();
    scene.feed(SAID);
    expect(textsOf(scene).toSorted()).toEqual(left.toSorted());
    expect(everything(scene)).not.toMatch(gone);
  });

  it("leaves no word in the index behind", async () => {
    using scene = setUp();
    await teach(scene);
    const words = () =>
      scene.store.db
        .prepare("SELECT block FROM learned_words_data")
        .all()
        .map(({ block }) => Buffer.from(block as Uint8Array).toString("latin1"))
        .join("\n");
    expect(words()).toMatch(/ostgres/);
    scene.learning.forget({ kind: "session", sessionKey: OTHER });
    expect(words()).not.toMatch(/ostgres/);
  });

  it("leaves no vector, no word and no fact without the others", async () => {
    using scene = setUp();
    await teach(scene);
    scene.learning.forget({ kind: "person", person: "Bob" });
    scene.learning.forget({ kind: "subject", subject: "Anna" });
    const count = (sql: string) => Number(scene.store.db.prepare(sql).get()?.["count"]);
    const items = "SELECT number * 2 FROM facets UNION SELECT number * 2 + 1 FROM episodes";
    expect(count(`SELECT count(*) AS count FROM embeddings WHERE item NOT IN (${items})`)).toBe(0);
    expect(count(`SELECT count(*) AS count FROM learned_words WHERE rowid NOT IN (${items})`)).toBe(0);
    expect(count("SELECT sum(length(ids)) / 8 AS count FROM vector_blocks")).toBe(
      count("SELECT count(*) AS count FROM embeddings"),
    );
  });

  it("does not keep from learning what is said later", () => {
    using scene = setUp();
    scene.feed(SAID);
    scene.learning.forget({ kind: "subject", subject: "Anna" });
    scene.feed([entryOf(8, { at: START + 300 * MINUTE, text: "My sister Anna has moved." })]);
    expect(textsOf(scene)).toContain("My sister Anna has moved.");
    scene.learning.rebuild();
    scene.feed([...SAID, entryOf(8, { at: START + 300 * MINUTE, text: "My sister Anna has moved." })]);
    expect(textsOf(scene)).toContain("My sister Anna has moved.");
    expect(textsOf(scene)).not.toContain("My sister Anna is coming over.");
  });

  it("in the middle of an episode leaves nothing of it for its summary and topics", () => {
    using scene = setUp();
    const about = (seq: number) => entryOf(seq, { text: `Anna likes pottery number ${seq} and clay.` });
    scene.feed([1, 2, 3, 4, 5].map(about));
    expect(everything(scene)).toMatch(/pottery/);
    scene.learning.forget({ kind: "subject", subject: "Anna" });
    scene.feed([entryOf(6, { text: "The weather is nice today." })]);
    expect(everything(scene)).not.toMatch(/anna|pottery/);
  });

  it("of what is not known changes nothing", () => {
    using scene = setUp();
    scene.feed(SAID);
    const none = { facts: 0, episodes: 0, chunks: 0, vectors: 0, summaries: 0 };
    expect(scene.learning.forget({ kind: "fact", id: "nothing" })).toEqual(none);
    expect(scene.learning.forget({ kind: "person", person: "…" })).toEqual(none);
    expect(scene.learning.forget({ kind: "session", sessionKey: `${MAIN}x` })).toEqual(none);
    expect(textsOf(scene)).toHaveLength(7);
  });

  it("is undone together with everything else when it fails", () => {
    using scene = setUp();
    scene.feed(SAID);
    const before = textsOf(scene);
    const fails = () =>
      scene.store.transaction(() => {
        scene.learning.forget({ kind: "subject", subject: "Anna" });
        throw new Error("disk full");
      });
    expect(fails).toThrow("disk full");
    expect(textsOf(scene)).toEqual(before);
    scene.learning.rebuild();
    scene.feed(SAID);
    expect(textsOf(scene)).toEqual(before);
  });
});

describe("what others may keep of an entry", () => {
  const told = async (text: string): Promise<string | undefined> => {
    using scene = setUp();
    await teach(scene);
    scene.learning.forget({ kind: "subject", subject: "Anna" });
    return scene.learning.unforgotten(entryOf(1, { text }))?.text;
  };

  it.each([
    ["a quotation", "I like the sea.\n> Anna likes it, too.", "I like the sea."],
    ["code", "I like the sea.\n```\nlet Anna = 1;\n```", "I like the sea. ``` ```"],
    ["a very long sentence", `I like the sea. ${"and so on ".repeat(80)} with Anna.`, "I like the sea."],
    [
      "the end of a very long text",
      `${"The sea is calm. ".repeat(1500)}Anna is there.`,
      "The sea is calm. ".repeat(1500).trim(),
    ],
    ["all of it", "> Anna", undefined],
  ])("has a forgotten name in %s no more", async (_where, text, left) => {
    expect((await told(text))?.replaceAll(/\s+/g, " ")).toBe(left);
  });

  it("is the entry as it was, where nothing of it is forgotten", async () => {
    const text = "I like the sea.\n> So does Peter.";
    expect(await told(text)).toBe(text);
  });
});
