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

  it("says the same before and after it is compiled", () => {
    const said = (value: unknown) => JSON.stringify(Named().safeParse(value));
    const values = [{ name: "ada" }, { name: "" }, { name: "ada", tags: ["a", "b", "c"] }, { name: 1, more: 2 }, null];
    const first = values.map(said);
    for (let round = 0; round < 100; round++) expect(values.map(said)).toEqual(first);
  });

  it("is compiled when it has read many values, not for a few", () => {
    const compiled = countCompiled();
    const Rare = once(() => z.object({ kind: z.literal("rare"), size: z.number() }));
    const read = () => Rare().safeParse({ kind: "rare", size: 1 });
    for (let times = 0; times < 50; times++) read();
    expect(compiled.count()).toBe(0);
    for (let times = 0; times < 100; times++) read();
    expect(compiled.count()).toBe(1);
    compiled.stop();
  });
});

/** Counts functions that are made from text. */
function countCompiled(): { count(): number; stop(): void } {
  const real = globalThis.Function;
  let made = 0;
  globalThis.Function = new Proxy(real, {
    construct(target, parts) {
      made += parts.some((part) => String(part).includes("payload")) ? 1 : 0;
      return Reflect.construct(target, parts) as object;
    },
  });
  return { count: () => made, stop: () => void (globalThis.Function = real) };
}
