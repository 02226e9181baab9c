// Methods collected from what is contributed: what is declared of each, and its handler, loaded when it is first needed.
import type { Contribution, MethodFamily } from "@chela/sdk";
import { METHODS, type CallContext, type MethodSpec } from "@chela/sdk/protocol";
import { lazy } from "../base/lazy.ts";

type AnyHandler = (params: unknown, call: CallContext) => unknown;
type AnyHandlers = Readonly<Record<string, AnyHandler | undefined>>;

interface CollectedMethod {
  readonly spec: MethodSpec;
  readonly handle: AnyHandler;
}

export interface CollectedMethods {
  readonly byName: ReadonlyMap<string, CollectedMethod>;
  /** Of the methods clients are told of, in the order they know; what nobody has declared for all comes last. */
  readonly listed: readonly string[];
}

/** Resolves when what must not be overtaken is loaded: from then on clients may come. */
export async function collectMethods<House>(
  house: House,
  contributions: ReadonlyArray<Contribution<House>>,
): Promise<CollectedMethods> {
  const byName = new Map<string, CollectedMethod>();
  for (const { id, methods = [] } of contributions)
    for (const family of methods) {
      const handlerOf = await openFamily(family, house);
      for (const [name, spec] of Object.entries(family.specs)) {
        if (byName.has(name)) throw new Error(`the method ${name} is contributed twice, the second time by ${id}`);
        byName.set(name, { spec, handle: handlerOf(name) });
      }
    }
  const known = Object.keys(METHODS).filter((name) => byName.has(name));
  const added = [...byName.keys()].filter((name) => !Object.hasOwn(METHODS, name));
  return { byName, listed: [...known, ...added].filter((name) => byName.get(name)?.spec.unlisted !== true) };
}

async function openFamily<House>(family: MethodFamily<House>, house: House): Promise<(name: string) => AnyHandler> {
  const load = async (): Promise<AnyHandlers> => (await family.load(house)) as AnyHandlers;
  if (family.isLoadedFirst) {
    // Called in the instant in which the request is read, so that two requests are handled in their order.
    const handlers = await load();
    return (name) => requireHandler(handlers, name);
  }
  const loaded = lazy(load);
  return (name) => async (params, call) => requireHandler(await loaded(), name)(params, call);
}

function requireHandler(handlers: AnyHandlers, name: string): AnyHandler {
  const handler = handlers[name];
  if (!handler) throw new TypeError(`the method ${name} was contributed without a handler`);
  return handler;
}
