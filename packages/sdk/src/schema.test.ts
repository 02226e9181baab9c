// Schemas say what fits and what does not; they never fail themselves.
import * as z from "zod";
import { describe, expect, it } from "vitest";
import { once } from "./schema.ts";

const Named = once(() => z.object({ name: z.string().min(1).max(5), tags: z.array(z.string()).max(2).optional() }));

describe("a schema", () => {
  it.each([
    [{ name: { length: { toString: 0 } } }],
    [{ name: "a", tags: { length: { toString: "x", valueOf: 1 } } }],
    [{ name: { length: { toString: null } }, tags: [] }],
  ])("does not take %j, and does not throw", (value) => {
    const { success, error } = Named().safeParse(JSON.parse(JSON.stringify(value)));
    expect(success).toBe(false);
    expect(error?.issues.length).toBeGreaterThan(0);
  });

  it("takes what fits, and is built once", () => {
    expect(Named().safeParse({ name: "ada" }).data).toEqual({ name: "ada" });
    expect(Named()).toBe(Named());
  });
});
