// Remembers what was worked out from the configuration until there is another one: it is asked for with every turn.
import type { ConfigStore } from "../rooms/config/room.ts";

/** More names than this are asked for only by somebody who makes them up. */
const MOST_NAMES = 1000;

export function rememberByConfig<T>(
  house: { readonly config: Pick<ConfigStore, "current"> },
  work: (name: string) => T,
): (name: string) => T {
  let of: object | undefined;
  const known = new Map<string, T>();
  return (name) => {
    const current = house.config.current();
    if (of !== current || known.size > MOST_NAMES) known.clear();
    of = current;
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = work(name);
    known.set(name, made);
    return made;
  };
}
