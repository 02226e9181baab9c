import type { Terminal } from "@chela/sdk/command-line";
import { expect, it } from "vitest";
import { ProgressBar, progressLine } from "./progress-bar.ts";

it.each([
  ["at the start", { done: 0, of: 40, columns: 80 }, "Reading: 0 % (0 of 40) [--------------------]"],
  ["half way", { done: 20, of: 40, columns: 80 }, "Reading: 50 % (20 of 40) [##########----------]"],
  ["at the end", { done: 40, of: 40, columns: 80 }, "Reading: 100 % (40 of 40) [####################]"],
  ["beyond it", { done: 41, of: 40, columns: 80 }, "Reading: 100 % (40 of 40) [####################]"],
  ["with nothing to do", { done: 0, of: 0, columns: 80 }, "Reading: 100 % (0 of 0) [####################]"],
  ["on a narrow terminal", { done: 20, of: 40, columns: 38 }, "Reading: 50 % (20 of 40) [#####-----]"],
  ["on a tiny one", { done: 20, of: 40, columns: 20 }, "Reading: 50 % (20 o"],
])("tells how far it is %s", (_where, how, expected) => {
  const line = progressLine("Reading", how);
  expect(line).toBe(expected);
  expect(line.length).toBeLessThan(how.columns);
});

it.each([
  [true, true, "\r\u001b[KReading: 0 % (0 of 2) [--------------------]\r\u001b[K"],
  [true, false, ""],
  [false, true, ""],
])("is drawn over itself, for a person (%s) who wants to see it (%s)", (isInteractive, isWanted, expected) => {
  let written = "";
  const write = (text: string): void => void (written += text);
  const terminal = { columns: 80, isInteractive, write, control: write } as unknown as Terminal;
  const bar = new ProgressBar(terminal, isWanted);
  bar.clear();
  bar.show("Reading", 0, 2);
  bar.show("Reading", 0, 2);
  bar.clear();
  bar.clear();
  expect(written).toBe(expected);
});
