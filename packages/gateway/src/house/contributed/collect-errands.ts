// Table of the kinds of errands: those that parts hand in, with what carries each out, loaded with the first of its kind.
import type { Contribution, ErrandHandler } from "@chela/sdk";
import { lazy } from "../../base/lazy.ts";

export type ErrandTable = ReadonlyMap<string, () => Promise<ErrandHandler>>;

export function collectErrands<House>(house: House, parts: ReadonlyArray<Contribution<House>>): ErrandTable {
  const table = new Map<string, () => Promise<ErrandHandler>>();
  for (const { id, errands = [] } of parts)
    for (const { kind, handler } of errands) {
      if (table.has(kind))
        throw new Error(`errands of the kind ${kind} are contributed twice, the second time by ${id}`);
      table.set(
        kind,
        lazy(() => handler(house)),
      );
    }
  return table;
}
