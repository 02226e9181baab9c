// What an editor is told of a run's words: everything, and nothing twice.
import { expect, test } from "vitest";
import { SaidText } from "./said-text.ts";

type Step = readonly ["grow" | "finish" | "conclude", string];

test.each<readonly [string, readonly Step[], string]>([
  [
    "words as they are written",
    [
      ["grow", "He"],
      ["grow", "Hello"],
      ["finish", "Hello"],
      ["conclude", "Hello"],
    ],
    "Hello",
  ],
  [
    "an answer that was never streamed",
    [
      ["finish", "Hello"],
      ["conclude", "Hello"],
    ],
    "Hello",
  ],
  ["an answer told with the end alone", [["conclude", "Hello"]], "Hello"],
  [
    "the rest that came with the commit",
    [
      ["grow", "Hel"],
      ["finish", "Hello"],
      ["conclude", "Hello"],
    ],
    "Hello",
  ],
  [
    "two messages with a call between",
    [
      ["grow", "One."],
      ["finish", "One."],
      ["grow", "Two."],
      ["conclude", "Two."],
    ],
    "One.Two.",
  ],
  [
    "a commit that is late",
    [
      ["grow", "One."],
      ["grow", "Tw"],
      ["finish", "One."],
      ["grow", "Two."],
      ["finish", "Two."],
      ["conclude", "Two."],
    ],
    "One.\n\nTwo.",
  ],
  [
    "the same words twice",
    [
      ["grow", "Yes."],
      ["finish", "Yes."],
      ["grow", "Yes."],
      ["finish", "Yes."],
    ],
    "Yes.Yes.",
  ],
  [
    "spaces at the end",
    [
      ["grow", "Hello \n"],
      ["finish", "Hello"],
      ["conclude", "Hello"],
    ],
    "Hello \n",
  ],
  [
    "nothing",
    [
      ["grow", ""],
      ["finish", ""],
      ["conclude", ""],
    ],
    "",
  ],
])("%s", (_what, steps, told) => {
  const said = new SaidText();
  expect(steps.map(([step, text]) => said[step](text)).join("")).toBe(told);
});
