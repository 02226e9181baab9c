// What parts hand in belongs to exactly one of them, and nothing of a closed table is left without one.
import { expect, it } from "vitest";
import { ERRAND_KINDS, HOOK_EVENTS } from "@chela/sdk";
import { CONTRIBUTIONS } from "../contributions.ts";
import { collectErrands } from "./collect-errands.ts";

it("every event for hooks is told by one part", () => {
  const told = CONTRIBUTIONS.flatMap(({ hookEvents = [] }) => hookEvents);
  expect(told.toSorted()).toEqual(Object.keys(HOOK_EVENTS).toSorted());
});

it("every kind of errands is carried out by one part", () => {
  const kinds = CONTRIBUTIONS.flatMap(({ errands = [] }) => errands.map(({ kind }) => kind));
  expect(kinds.toSorted()).toEqual(ERRAND_KINDS.toSorted());
});

it("a kind that two parts bring is refused", () => {
  const part = (id: string) => ({
    id,
    says: id,
    errands: [{ kind: "cron" as const, handler: () => Promise.reject(new Error("not asked for")) }],
  });
  expect(() => collectErrands({}, [part("one"), part("two")])).toThrow("the kind cron are contributed twice");
});
