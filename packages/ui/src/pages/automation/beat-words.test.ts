// What people read about a heartbeat.
import { expect, it } from "vitest";
import en from "./words.ts";
import { beatTone, beatWords } from "./beat-words.ts";

it.each([
  [{ status: "skipped", reason: "nothing-changed" }, "Skipped: nothing has changed", ""],
  [{ status: "skipped", reason: "a-reason-of-tomorrow" }, "Skipped: a-reason-of-tomorrow", ""],
  [{ status: "skipped", reason: "constructor" }, "Skipped: constructor", ""],
  [{ status: "skipped" }, "Skipped", ""],
  [{ status: "ok-token" }, "All well, nothing to tell", "good"],
  [{ status: "ok-empty", reason: "x" }, "All well, nothing to tell", "good"],
  [{ status: "sent" }, "Told something", "info"],
  [{ status: "failed", reason: "The model is away." }, "Failed: The model is away.", "bad"],
] as const)("%j is told as %j", (event, text, tone) => {
  expect(beatWords({ ts: 1, ...event }, en)).toBe(text);
  expect(beatTone({ ts: 1, ...event })).toBe(tone);
});
