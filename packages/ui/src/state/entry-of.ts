// Looks into a table of ours under a name that somebody else chose: no table has an entry called "constructor".
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
