// Method handlers collected from what rooms contribute; a family is loaded when one of its methods is called for the first time.
import type { Contribution, MethodFamily } from "@chela/sdk";
import type { CallContext, Handlers } from "@chela/sdk/protocol";
import { lazy } from "../../base/lazy.ts";

type AnyHandler = (params: unknown, call: CallContext) => unknown;

/** That none of the declared methods is missing is proved by a test: it cannot be seen in the types of a list. */
export function collectHandlers<House>(house: House, contributions: ReadonlyArray<Contribution<House>>): Handlers {
  const collected = new Map<string, AnyHandler>();
  for (const { id, methods = [] } of contributions)
    for (const family of methods)
      for (const [name, handler] of handlersOf(family, house)) {
        if (collected.has(name)) throw new Error(`the method ${name} is contributed twice, the second time by ${id}`);
        collected.set(name, handler);
      }
  return Object.fromEntries(collected) as Handlers;
}

function handlersOf<House>(family: MethodFamily<House>, house: House): Array<readonly [string, AnyHandler]> {
  const loaded = lazy(async () => (await family.load(house)) as Readonly<Record<string, AnyHandler>>);
  return Object.keys(family.specs).map((name) => [
    name,
    async (params, call) => (await loaded())[name]?.(params, call),
  ]);
}
