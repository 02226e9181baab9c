// Expressions in plain words, and back.
import { expect, it } from "vitest";
import { readRhythm, writeTimes } from "./rhythm.ts";

it.each([
  ["30 7 * * 1-5", ["07:30"], { kind: "week", days: [1, 2, 3, 4, 5] }],
  ["30 7 * * MON-FRI", ["07:30"], { kind: "week", days: [1, 2, 3, 4, 5] }],
  ["0 30 7 * * *", ["07:30"], { kind: "every" }],
  ["0 9,18 * * 0-6", ["09:00", "18:00"], { kind: "every" }],
  ["0,30 9 * * 7,6", ["09:00", "09:30"], { kind: "week", days: [6, 0] }],
  ["0 8 1,15 * *", ["08:00"], { kind: "month", days: [1, 15] }],
])("reads the times of %s", (expression, times, days) => {
  expect(readRhythm(expression)).toEqual({ kind: "times", times, days });
});

it.each([
  ["*/15 * * * *", { kind: "minutes", every: 15 }],
  ["* * * * *", { kind: "minutes", every: 1 }],
  ["0 * * * *", { kind: "hours", every: 1, minute: 0 }],
  ["20 */6 * * *", { kind: "hours", every: 6, minute: 20 }],
])("reads the step of %s", (expression, rhythm) => {
  expect(readRhythm(expression)).toEqual(rhythm);
});

it.each([
  "*/7 * * * *",
  "*/15 9-17 * * 1-5",
  "0 9 * 1 *",
  "0 9 1 * 1",
  "0 9 L * *",
  "0 9 * * 5#2",
  "5 0 9 * * *",
  "99 9 * * *",
  "0 17-9 * * *",
  "hello",
  "",
  "@daily",
])("leaves %s as it is written", (expression) => {
  expect(readRhythm(expression)).toBeUndefined();
});

it("writes times that share their minutes, and no others", () => {
  expect(writeTimes(["07:30"], { kind: "every" })).toBe("30 7 * * *");
  expect(writeTimes(["18:30", "07:30"], { kind: "week", days: [5, 1, 2, 4, 3] })).toBe("30 7,18 * * 1-5");
  expect(writeTimes(["07:00", "07:30", "08:00", "08:30"], { kind: "month", days: [1, 15] })).toBe("0,30 7,8 1,15 * *");
  expect(writeTimes(["07:30", "18:00"], { kind: "every" })).toBeUndefined();
});

it("reads what it has written", () => {
  for (const days of [{ kind: "every" }, { kind: "week", days: [6, 0] }, { kind: "month", days: [31] }] as const) {
    const written = writeTimes(["06:05", "22:05"], days) ?? "";
    expect(readRhythm(written)).toEqual({ kind: "times", times: ["06:05", "22:05"], days });
  }
});
