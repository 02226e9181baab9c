// Handlers that are loaded when one of them is called for the first time: most gateways never need them.
import type { MethodName, Handlers } from "@chela/sdk/protocol";
import { lazy } from "../../base/lazy.ts";

/** Every method is still named where all are listed, so that none can be forgotten. */
export function later<M extends MethodName>(
  names: readonly M[],
  load: () => Promise<Pick<Handlers, M>>,
): Pick<Handlers, M> {
  const loaded = lazy(load);
  const handle = (name: M) => async (params: never, call: never) => {
    const handlers = await loaded();
    return handlers[name](params, call);
  };
  return Object.fromEntries(names.map((name) => [name, handle(name)])) as unknown as Pick<Handlers, M>;
}
