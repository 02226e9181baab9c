// What must hold for any text: an edit is the plain replacement, and a diff leads from the old text to the new one.
import { afterEach, beforeEach, expect, test } from "vitest";
import { createYard, type Yard } from "./files.test-support.ts";
import { diffTexts } from "./line-diff.ts";

let yard: Yard;
beforeEach(() => {
  yard = createYard();
});
afterEach(() => yard[Symbol.dispose]());

/** The same numbers in every run, so that a failure can be looked at. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const LETTERS = ["a", "b", " ", "\n", "\n", "é", "“", "$&", "🙂", "\t", "end"];

function randomText(roll: (sides: number) => number, length: number): string {
  return Array.from({ length }, () => LETTERS[roll(LETTERS.length)]).join("");
}

test("an edit of a unique passage is the plain replacement", async () => {
  const roll = dice(7);
  let done = 0;
  for (let round = 0; round < 150; round++) {
    const text = randomText(roll, 5 + roll(60));
    const start = roll(text.length);
    const oldText = text.slice(start, start + 1 + roll(20));
    const newText = randomText(roll, roll(10));
    // Half an emoji is not text, and a passage that occurs twice is refused.
    if (!oldText.isWellFormed() || oldText === newText) continue;
    if (text.indexOf(oldText) !== text.lastIndexOf(oldText)) continue;
    yard.put("a.txt", text);
    const result = await yard.call("edit", { path: "a.txt", oldText, newText });
    expect(result, JSON.stringify({ text, oldText, newText })).toMatchObject({ kind: "done" });
    expect(yard.text("a.txt")).toBe(text.split(oldText).join(newText));
    done++;
  }
  expect(done).toBeGreaterThan(50);
});

test("a diff leads from the old text to the new one", () => {
  const roll = dice(11);
  for (let round = 0; round < 2_000; round++) {
    const before = randomText(roll, roll(120));
    const lines = before.split("\n");
    for (let changes = roll(6); changes > 0; changes--)
      lines.splice(roll(lines.length + 1), roll(4), ...randomText(roll, roll(8)).split("\n"));
    const after = lines.join("\n");
    const { diff, firstChangedLine } = diffTexts("a.txt", before, after);
    expect(applyDiff(before, diff), JSON.stringify({ before, after, diff })).toBe(after);
    expect(firstChangedLine).toBe(firstDifference(before, after));
  }
});

test("texts with very many differences still have a diff that fits", () => {
  const roll = dice(3);
  const lines = Array.from({ length: 3_000 }, () => `${roll(1_000)}`);
  const before = `${lines.join("\n")}\n`;
  const after = `${lines.map((line) => (roll(2) === 0 ? line : `${roll(1_000)}`)).join("\n")}\n`;
  expect(applyDiff(before, diffTexts("a.txt", before, after).diff)).toBe(after);
});

function firstDifference(before: string, after: string): number | undefined {
  if (before === after) return undefined;
  const [old, young] = [linesWithEnding(before), linesWithEnding(after)];
  let line = 0;
  while (old[line] !== undefined && old[line] === young[line]) line++;
  return line + 1;
}

function linesWithEnding(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Follows a unified diff to the letter: every context and removed line must be where it says. */
function applyDiff(before: string, diff: string): string {
  const old = linesWithEnding(before);
  const out: string[] = [];
  let at = 0;
  const body = diff
    .replace(/\n\\ No newline at end of file\n/g, "\0")
    .split(/(?<=[\n\0])/)
    .slice(2);
  for (const raw of body) {
    const header = /^@@ -(\d+),(\d+) \+(\d+),\d+ @@\n$/.exec(raw);
    if (header) {
      const start = Number(header[1]) - (header[2] === "0" ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
      continue;
    }
    const line = raw.slice(1).replace("\0", "");
    if (raw[0] !== "+" && old[at++] !== line) throw new Error(`line ${at} is not ${JSON.stringify(line)}`);
    if (raw[0] !== "-") out.push(line);
  }
  return [...out, ...old.slice(at)].join("");
}
