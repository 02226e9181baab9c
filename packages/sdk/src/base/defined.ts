// Leaves out what is not there: an optional member that is undefined is another thing than one that is missing.

type Missing<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** What is left of members of which some may be undefined. */
export type Defined<T> = { [K in Exclude<keyof T, Missing<T>>]: T[K] } & {
  [K in Missing<T>]?: Exclude<T[K], undefined>;
};

/** `{ a, ...defined({ b, c }) }`: `b` and `c` are members only where they have a value. Null is one. */
export function defined<const T extends object>(members: T): Defined<T> {
  const found: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) found[name] = members[name];
  return found as Defined<T>;
}
