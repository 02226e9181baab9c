// What sentences tell, and what they do not: two tables, one of them written after the patterns.
import { describe, expect, it } from "vitest";
import { dayOfTimeIn, writeDay } from "./days.ts";
import { CASES, SAID_AT, type Case } from "./extract.test-support.ts";
import { HELD_OUT } from "./extract-held-out.test-support.ts";
import { readSaid } from "./read-said.ts";
import { cutSentences } from "./sentences.ts";

function read(text: string, role: "user" | "assistant" = "user") {
  return readSaid(text, { role, saidOn: dayOfTimeIn("UTC")(SAID_AT) }).flatMap(({ facts }) => facts);
}

function tell(text: string): string[] {
  return read(text).map(
    ({ slot, about, value }) => `${slot}: ${about.kind === "speaker" ? "me" : about.subject} = ${value}`,
  );
}

function judge(cases: readonly Case[]): { precision: number; recall: number } {
  let [drawn, expected, right] = [0, 0, 0];
  for (const [sentence, ...tells] of cases) {
    const told = tell(sentence);
    drawn += told.length;
    expected += tells.length;
    right += told.filter((fact) => tells.includes(fact)).length;
  }
  return { precision: right / drawn, recall: right / expected };
}

describe("facts in sentences", () => {
  it.each(CASES)("%s", (sentence, ...tells) => {
    expect(tell(sentence).toSorted()).toEqual(tells.toSorted());
  });

  it("are found and not made up in sentences the patterns were not written for", () => {
    const { precision, recall } = judge(HELD_OUT);
    expect(precision).toBeGreaterThan(0.95);
    expect(recall).toBeGreaterThan(0.95);
  });

  it("of an agent are worth less, and are never tastes", () => {
    const said = "I love tea. The meeting with Anna is on 3 April. My sister Eva is here.";
    expect(read(said, "user").map(({ kind }) => kind)).toEqual(["preference", "date", "entity"]);
    const [date, ...others] = read(said, "assistant");
    expect(date).toMatchObject({ kind: "date", day: "2026-04-03", confidence: 0.51 });
    expect(others).toEqual([]);
  });
});

describe("sentences", () => {
  it.each<[string, string[]]>([
    ["One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]],
    ["Am 3. Mai um 10 Uhr. Danke.", ["Am 3. Mai um 10 Uhr.", "Danke."]],
    ["Dr. Hahn is in. Good.", ["Dr. Hahn is in.", "Good."]],
    ["- first\n- second thing", ["first", "second thing"]],
    ["before\n```\nI like code. Yes.\n```\nafter", ["before", "after"]],
    ["", []],
  ])("%j is cut into %j", (text, expected) => {
    expect(cutSentences(text).map(({ said }) => said)).toEqual(expected);
  });

  it("are shown up to a bound", () => {
    const [sentence] = cutSentences(`I like ${"very ".repeat(80)}much`);
    expect(sentence?.said.length).toBeLessThanOrEqual(240);
    expect(sentence?.said.endsWith("…")).toBe(true);
  });
});

describe("days", () => {
  it("are those of a zone when one is given", () => {
    const late = Date.UTC(2026, 2, 4, 23, 30);
    expect(writeDay(dayOfTimeIn("UTC")(late))).toBe("2026-03-04");
    expect(writeDay(dayOfTimeIn("Europe/Berlin")(late))).toBe("2026-03-05");
    expect(writeDay(dayOfTimeIn("America/Lima")(Date.UTC(2026, 2, 4, 2)))).toBe("2026-03-03");
  });
});

describe("secrets", () => {
  it.each([
    "My email is max@example.org and the key is Zk39fhQp1LmA82jfKq0sXw.",
    "I prefer sk-proj-abcdefghijklmnopqrstuv over others.",
    "My sister Anna has the card 4111 1111 1111 1111.",
    "Das Passwort meiner Schwester Anna ist geheim.",
    "See https://example.org/d/1A2b3C4d5E6f7G8h9I0jKlMnOp for my sister Anna.",
  ])("keep everything out of memory: %s", (sentence) => {
    expect(readSaid(sentence, { role: "user", saidOn: 20_000 })).toEqual([]);
  });

  it("are not seen in plain words with dashes", () => {
    expect(tell("I like https://example.org/how-to-bake-bread-in-2026 a lot")).not.toEqual([]);
  });
});
