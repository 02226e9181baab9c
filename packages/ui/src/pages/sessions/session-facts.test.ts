// What is told of a session's context and model.
import { expect, test } from "vitest";
import type { SessionRow } from "./filter.ts";
import { contextOf, modelOf } from "./session-facts.ts";

const row: SessionRow = { key: "agent:main:main", kind: "direct", updatedAt: 1, totalTokensFresh: true };
const defaults = { modelProvider: "lab", model: "usual", contextTokens: 1000 };

test("how full it is, as far as its room is known", () => {
  expect(contextOf(row, defaults)).toBeUndefined();
  expect(contextOf({ ...row, totalTokens: 250 }, defaults)).toEqual({ used: 250, room: 1000, share: 0.25 });
  expect(contextOf({ ...row, totalTokens: 250, contextTokens: 500 }, defaults)).toMatchObject({ share: 0.5 });
  expect(contextOf({ ...row, totalTokens: 250 }, undefined)).toEqual({ used: 250 });
});

test("the model that was chosen comes before the one that answered last, and that before the usual one", () => {
  const answered = { ...row, model: "last", modelProvider: "shop" };
  expect(modelOf(row, undefined)).toBeUndefined();
  expect(modelOf(row, defaults)).toEqual({ id: "usual", ref: "lab/usual", isChosen: false });
  expect(modelOf(answered, defaults)).toEqual({ id: "last", ref: "shop/last", isChosen: false });
  expect(modelOf({ ...answered, modelOverride: "mine", providerOverride: "home" }, defaults)).toEqual({
    id: "mine",
    ref: "home/mine",
    isChosen: true,
  });
});
