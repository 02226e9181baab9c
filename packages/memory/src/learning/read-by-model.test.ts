// What a model read: believed where it stands in the owner's words, beside what rules find, put back, and forgotten.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FedEntry, ToldFact, UnreadEpisode } from "../messages.ts";
import { conversations, dump, entryOf, MAIN, MINUTE, setUp, START, type Scene } from "./learning.test-support.ts";

const ALL = { limit: 1000, offset: 0 };
const DAY = 24 * 60 * MINUTE;
const LATER = START + 30 * DAY;
const SAID = "We got the keys to the flat, at last. Herring gives me hives, so none of that. Our Nora starts school.";

/** `null`: about nobody, so about the speaker. */
type Telling = Partial<Omit<ToldFact, "subject">> & { readonly subject?: string | null };

function told({ subject = "herring", ...over }: Telling): ToldFact {
  const usual = { entryId: "e1", quote: "Herring gives me hives", slot: "allergy", value: "allergic", confidence: 0.7 };
  return { ...(usual as ToldFact), ...over, ...(subject === null ? {} : { subject }) };
}

function nextOf(scene: Scene): UnreadEpisode {
  const { next } = scene.learning.reading(LATER);
  if (!next) throw new Error("nothing is left to read");
  return next;
}

function read(scene: Scene, entries: readonly FedEntry[], ...facts: readonly ToldFact[]): number {
  return scene.learning.keepRead({ episode: nextOf(scene), entries, told: facts }).facts;
}

function teach(text = SAID, over: Partial<FedEntry> = {}): Scene & { readonly entries: FedEntry[] } {
  const scene = setUp();
  const entries = [entryOf(1, { text, ...over })];
  scene.feed(entries);
  return Object.assign(scene, { entries });
}

const byModel = (scene: Scene) => scene.learning.facts(ALL).facts.filter(({ by }) => by === "model");

describe("what a model says it read", () => {
  it("is a fact with the whole sentence, the time and the place of its entry, and never as sure as a rule", () => {
    using scene = teach();
    expect(read(scene, scene.entries, told({ confidence: 1 }))).toBe(1);
    expect(byModel(scene)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        kind: "preference",
        subject: "herring",
        text: "Herring gives me hives, so none of that.",
        confidence: 0.8,
        sessionKey: MAIN,
        sessionId: "s1",
        entryId: "e1",
        role: "user",
        at: START + MINUTE,
        isInPrompt: true,
        by: "model",
      },
    ]);
    expect(scene.learning.block(3000)).toContain("Herring gives me hives");
    expect(scene.learning.recall({ query: "who is allergic", limit: 5, minScore: 0 })[0]).toMatchObject({
      entryId: "e1",
    });
  });

  it.each<[string, Telling, string?]>([
    ["quotes what nobody said", { quote: "I hate herring with all my heart" }],
    ["joins words of two sentences", { quote: "at last. Herring gives" }],
    ["quotes nothing to speak of", { quote: "so" }],
    ["names another entry", { entryId: "e2" }],
    ["is about somebody the owner did not name", { subject: "Bertram" }],
    ["says of nobody what needs a subject", { subject: null }],
    ["gives the owner a name they did not say", { slot: "name", subject: null, value: "Bob" }],
    ["has a day without a day in it", { slot: "day", quote: "Our Nora starts school", subject: "school" }],
    ["is what somebody else said", { quote: "I love herring" }, 'Tom wrote "I love herring" again. Herring is out.'],
    ["is forwarded", { quote: "I love herring" }, "Look at that:\n> I love herring\nHerring is out."],
    ["is code", { quote: "I love herring" }, "```\nI love herring\n```\nHerring is out."],
    ["is a secret", { quote: "Herring is my" }, "Herring is my password. Herring is out of season."],
  ])("is nothing when it %s", (_how, over, text) => {
    using scene = teach(text);
    expect(read(scene, scene.entries, told(over))).toBe(0);
    expect(byModel(scene)).toEqual([]);
    // It was read all the same.
    expect(scene.learning.reading(LATER)).toMatchObject({ read: 1, waiting: 0 });
  });

  it("is nothing when it is from somebody else's entry, or from the agent's", () => {
    using scene = setUp();
    const entries = [
      entryOf(1, { text: "Hello." }),
      entryOf(2, { text: SAID, isOwner: false }),
      entryOf(3, { text: SAID, role: "assistant", isOwner: false }),
    ];
    scene.feed(entries);
    expect(read(scene, entries, told({ entryId: "e2" }), told({ entryId: "e3" }))).toBe(0);
  });

  it("has the day that stands in the sentence, and not the one the model works out", () => {
    using scene = teach("The people from the stove shop drop by tomorrow.");
    read(
      scene,
      scene.entries,
      told({ slot: "day", quote: "drop by tomorrow", subject: "stove shop", value: "2031-01-01" }),
    );
    expect(byModel(scene)).toMatchObject([{ kind: "date", subject: "stove shop", day: "2026-03-05" }]);
  });

  it("takes the place of what was older in the same slot, and is told of others as something else", () => {
    using scene = setUp();
    const entries = [
      entryOf(1, { text: "I live in Bergen." }),
      entryOf(2, { text: "We got the keys in Tromsø, and my aunt Gerda is off to Narvik." }),
    ];
    scene.feed(entries);
    const quote = "got the keys in Tromsø";
    const own = told({ entryId: "e2", slot: "home", quote, value: "Tromsø", subject: null });
    read(scene, entries, own, told({ entryId: "e2", slot: "home", quote, subject: "Gerda", value: "Narvik" }));
    expect(scene.learning.block(3000)).not.toContain("Bergen");
    expect(scene.learning.block(3000)).toContain("Tromsø");
    expect(byModel(scene).map(({ subject, kind }) => [subject, kind])).toEqual([
      ["owner", "entity"],
      ["Gerda", "entity"],
    ]);
  });

  it("is not written twice: asked again, or where a rule found the same", () => {
    using scene = teach("I love oolong tea. Nothing beats oolong tea.");
    const before = scene.learning.facts(ALL).total;
    const same = told({ slot: "taste", quote: "I love oolong", subject: "oolong tea", value: "likes" });
    const elsewhere = { ...same, quote: "Nothing beats oolong", value: "Likes" };
    const episode = nextOf(scene);
    const other = told({ slot: "favourite", quote: "I love oolong", subject: "tea", value: "oolong" });
    for (let asked = 0; asked < 2; asked += 1) {
      scene.learning.keepRead({ episode, entries: scene.entries, told: [same, elsewhere, other] });
      expect(scene.learning.facts(ALL).total).toBe(before + 1);
      expect(scene.learning.reading(LATER)).toMatchObject({ read: 1, waiting: 0 });
    }
    scene.learning.rebuild();
    scene.feed(scene.entries);
    expect(scene.learning.facts(ALL).total).toBe(before + 1);
  });
});

describe("what rules find", () => {
  const derived = (scene: Scene) => {
    const { episodes, facets, open, mark } = dump(scene.store);
    return {
      episodes,
      open,
      mark,
      facets: facets?.filter((row) => (row as { drawn_by: string }).drawn_by === "rules"),
    };
  };

  it("is the same with and without a model, also when it is learned anew", () => {
    const entries = conversations(600);
    using without = setUp();
    without.feed(entries);
    const expected = derived(without);
    using scene = setUp();
    scene.feed(entries.slice(0, 400));
    let facts = 0;
    for (let next = scene.learning.reading(LATER).next; next; next = scene.learning.reading(LATER).next) {
      const episode = next;
      const own = entries.filter(
        ({ sessionId, seq }) => sessionId === episode.sessionId && seq >= episode.startSeq && seq <= episode.endSeq,
      );
      const all = own.map(({ entryId }) => told({ entryId, quote: "We talk of", slot: "told", subject: "talk" }));
      facts += scene.learning.keepRead({ episode, entries: own, told: all }).facts;
    }
    expect(facts).toBeGreaterThan(20);
    scene.feed(entries.slice(400));
    expect(derived(scene)).toEqual(expected);
    const found = byModel(scene);
    scene.learning.rebuild();
    scene.feed(entries);
    expect(derived(scene)).toEqual(expected);
    expect(byModel(scene)).toEqual(found);
    expect(found).toHaveLength(facts);
  });
});

it("what was read comes back behind what rules find, also when it is read while all is learned anew", () => {
  using scene = setUp();
  const entries = [entryOf(1), entryOf(2, { text: "I love oolong tea." })];
  scene.feed(entries);
  const before = scene.learning.facts(ALL).facts;
  const episode = nextOf(scene);
  scene.learning.rebuild();
  scene.feed(entries.slice(0, 1));
  const same = told({ entryId: "e2", slot: "taste", quote: "I love oolong", subject: "oolong tea", value: "likes" });
  expect(scene.learning.keepRead({ episode, entries, told: [same] }).facts).toBe(1);
  scene.feed(entries.slice(1));
  expect(scene.learning.facts(ALL).facts).toEqual(before);
});

describe("a part of a conversation", () => {
  it("is read once it has been silent for long, or another began, the newest first", () => {
    using scene = setUp();
    scene.say("Hello.", { text: "Goodbye.", at: START + DAY });
    const reading = (now: number) => scene.learning.reading(now);
    expect(reading(START + DAY)).toMatchObject({ waiting: 1, nextAt: START + DAY + 45 * MINUTE + 1 });
    expect(reading(START + DAY).next).toMatchObject({ startSeq: 1, endSeq: 1, sessionKey: MAIN });
    expect(reading(START + DAY + 46 * MINUTE)).toMatchObject({ waiting: 2, next: { startSeq: 2 } });
    // Nothing of that changes what it is.
    expect(dump(scene.store)["open"]).toHaveLength(1);
  });

  it("is not read without the owner's words", () => {
    using scene = setUp();
    scene.say({ text: "Hello.", isOwner: false }, { text: "Hi.", role: "assistant", isOwner: false });
    expect(scene.learning.reading(LATER)).toEqual({ read: 0, waiting: 0 });
  });

  it("that goes on after it was read is read again", () => {
    using scene = teach();
    read(scene, scene.entries, told({}));
    scene.feed([entryOf(2, { text: "And another thing." })]);
    expect(nextOf(scene)).toMatchObject({ startSeq: 1, endSeq: 2 });
  });

  it("shows a model its sentences without secrets and without what was forgotten", () => {
    using scene = setUp();
    const entries = [
      entryOf(1, { text: "Marta came by. My password is hunter2.\n```\nlet marta = 1;\n```\nIt rained." }),
      entryOf(2, { text: "Nothing else." }),
    ];
    expect(scene.learning.readable(entries)).toEqual(["Marta came by. It rained.", "Nothing else."]);
    scene.feed(entries);
    scene.learning.forget({ kind: "subject", subject: "Marta" });
    expect(scene.learning.readable(entries)).toEqual(["It rained.", "Nothing else."]);
    scene.learning.forget({ kind: "session", sessionKey: MAIN });
    expect(scene.learning.readable(entries)).toEqual(["", ""]);
  });
});

describe("forgetting what a model read", () => {
  const words = (scene: Scene) => {
    scene.store.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const folder = dirname(scene.store.path);
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "latin1"))
      .join("");
  };

  it.each([
    ["a fact", (scene: Scene) => ({ kind: "fact" as const, id: byModel(scene)[0]?.id ?? "" })],
    ["a subject", () => ({ kind: "subject" as const, subject: "herring" })],
    ["a person", () => ({ kind: "person" as const, person: "Olga" })],
    ["a session", () => ({ kind: "session" as const, sessionKey: MAIN })],
  ])("%s takes it out of the file, and it is not asked for again when all is learned anew", (_what, wish) => {
    using scene = teach(SAID, { person: "Olga" });
    read(scene, scene.entries, told({ value: "hives and worse" }));
    expect(words(scene)).toContain("hives and worse");
    const kept = wish(scene);
    expect(scene.learning.forget(kept).facts).toBeGreaterThan(0);
    expect(words(scene)).not.toMatch(/hives/);
    scene.learning.rebuild();
    scene.feed(scene.entries);
    expect(byModel(scene)).toEqual([]);
    expect(scene.learning.reading(LATER).waiting).toBe(0);
    expect(scene.learning.recall({ query: "hives", limit: 5, minScore: 0 })).toEqual([]);
    expect(scene.learning.readable(scene.entries)[0]).not.toContain("hives");
  });

  it("a fact of a rule takes what a model read in the same sentence", () => {
    using scene = teach("My sister Anna gets hives from herring.");
    read(scene, scene.entries, told({ quote: "hives from herring" }));
    const rule = scene.learning.facts({ ...ALL, subject: "Anna" }).facts[0];
    scene.learning.forget({ kind: "fact", id: rule?.id ?? "" });
    expect(words(scene)).not.toMatch(/hives/);
  });

  it("a fact of a model takes what a rule found in the same sentence, for good", () => {
    using scene = teach("My sister Anna gets hives from herring.");
    read(scene, scene.entries, told({ quote: "hives from herring" }));
    scene.learning.forget({ kind: "fact", id: byModel(scene)[0]?.id ?? "" });
    expect(scene.learning.facts(ALL).total).toBe(0);
    scene.learning.rebuild();
    scene.feed(scene.entries);
    expect(scene.learning.facts(ALL).total).toBe(0);
  });

  it("while everything is learned anew takes what is not back yet", () => {
    using scene = teach();
    read(scene, scene.entries, told({}));
    scene.learning.rebuild();
    scene.learning.forget({ kind: "subject", subject: "herring" }, LATER);
    expect(words(scene)).not.toMatch(/hives/);
    scene.feed(scene.entries);
    expect(byModel(scene)).toEqual([]);
  });
});

it("what was read in a conversation that was deleted is gone, also while everything is learned anew", () => {
  using scene = teach();
  read(scene, scene.entries, told({}));
  scene.learning.rebuild();
  scene.store.transaction(() => scene.learning.takeOut(new Set(["s1"])));
  expect(scene.learning.reading(LATER)).toMatchObject({ read: 0, waiting: 0 });
  scene.feed(scene.entries);
  expect(byModel(scene)).toEqual([]);
  expect(scene.learning.reading(LATER)).toMatchObject({ read: 0, waiting: 1 });
});
