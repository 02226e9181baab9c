// What a fused score promises, whatever the weights are.
import { describe, expect, it } from "vitest";
import { fuseScores, type Scores } from "./fuse-scores.ts";

const USUAL = { vectorWeight: 0.7, textWeight: 0.3 };
const STEPS = [0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.9, 1];

describe("A fused score", () => {
  it.each<[string, Scores, number]>([
    ["nothing", {}, 0],
    ["nothing in both", { vector: 0, text: 0 }, 0],
    ["everything in both", { vector: 1, text: 1 }, 1],
    ["the least an answer has", { vector: 0.2 }, 0.35],
    ["far away", { vector: 0.15 }, 0.27],
    ["a question in other words", { vector: 0.35 }, 0.55],
    ["nearly the same sentence", { vector: 0.8 }, 0.91],
    ["one word of five", { text: 0.2 }, 0.0],
    ["half of the words", { text: 0.5 }, 0.12],
    ["all words", { text: 1 }, 0.59],
    ["all words, and near", { vector: 0.4, text: 1 }, 0.9],
    ["one word of five, and near", { vector: 0.4, text: 0.2 }, 0.61],
    ["a vector that points away", { vector: -0.2, text: 1 }, 0.59],
    ["a cosine that was rounded up", { vector: 1.00001 }, 0.97],
  ])("for %s is right", (_says, scores, expected) => {
    expect(fuseScores(scores, USUAL)).toBeCloseTo(expected, 2);
  });

  it("is between 0 and 1 and never falls when one of the two rises", () => {
    const weights = [USUAL, { vectorWeight: 0.3, textWeight: 0.7 }, { vectorWeight: 1, textWeight: 0 }];
    for (const weight of [...weights, { vectorWeight: 0, textWeight: 1 }, { vectorWeight: 0, textWeight: 0 }]) {
      for (const fixed of STEPS) {
        for (const [at, step] of STEPS.entries()) {
          const before = STEPS[at - 1] ?? 0;
          const byVector = fuseScores({ vector: step, text: fixed }, weight);
          const byText = fuseScores({ vector: fixed, text: step }, weight);
          expect(byVector).toBeGreaterThanOrEqual(fuseScores({ vector: before, text: fixed }, weight));
          expect(byText).toBeGreaterThanOrEqual(fuseScores({ vector: fixed, text: before }, weight));
          expect(byVector).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  it.each<[number, number, Scores, Scores]>([
    [1, 0, { vector: 0.4 }, { vector: 0.3, text: 1 }],
    [0, 1, { text: 0.4 }, { vector: 1, text: 0.3 }],
    [0.7, 0.3, { vector: 0.35, text: 1 }, { vector: 0.7 }],
    [0.7, 0.3, { vector: 0.4 }, { vector: 0.2, text: 0.4 }],
    [0.3, 0.7, { text: 0.9 }, { vector: 0.8 }],
  ])("with weights %f and %f of %j is above that of %j", (vectorWeight, textWeight, above, below) => {
    const weights = { vectorWeight, textWeight };
    expect(fuseScores(above, weights)).toBeGreaterThan(fuseScores(below, weights));
  });

  it("does not change with the size of the weights, only with their ratio", () => {
    const scores = { vector: 0.5, text: 0.5 };
    expect(fuseScores(scores, { vectorWeight: 7, textWeight: 3 })).toBeCloseTo(fuseScores(scores, USUAL), 9);
  });
});
