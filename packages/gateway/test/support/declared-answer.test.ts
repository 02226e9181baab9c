import { expect, it } from "vitest";
import * as z from "zod";
import { expectDeclared, undeclaredFields } from "./declared-answer.ts";

const schema = z.looseObject({
  id: z.string(),
  rows: z.array(z.object({ name: z.string(), more: z.looseObject({}).optional() })).optional(),
  by: z.record(z.string(), z.object({ count: z.int() }).nullable()).optional(),
  what: z
    .union([z.object({ kind: z.literal("a"), a: z.int() }), z.object({ kind: z.literal("b"), b: z.int() })])
    .optional(),
});

it.each([
  [{ id: "1" }, []],
  [{ id: "1", extra: 1 }, ["extra"]],
  [{ id: "1", constructor: 1 }, ["constructor"]],
  [{ id: "1", rows: [{ name: "x" }, { name: "y", size: 1, more: { anything: 1 } }] }, ["rows[].size"]],
  [{ id: "1", by: { a: { count: 1, cost: 2 }, b: null } }, ["by.*.cost"]],
  [{ id: "1", what: { kind: "b", b: 1, a: 2 } }, ["what.a"]],
])("%j", (value, undeclared) => {
  expect(undeclaredFields(schema as never, value)).toEqual(undeclared);
});

it("names the method and the field", () => {
  expect(() => expectDeclared("access.code", { code: "x", expiresAtMs: 1, basePath: "/", hint: "y" })).toThrow(
    "access.code gives what its result schema does not declare: hint",
  );
});
