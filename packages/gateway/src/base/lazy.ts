// Opens something when somebody first needs it; until then nothing of it is loaded.

export interface Lazy<T> {
  /** Opens it, once; one that failed to open is tried again by the next who needs it. */
  (): Promise<T>;
  /** Undefined while nobody needed it. */
  known(): Promise<T> | undefined;
}

export function lazy<T>(open: () => Promise<T>): Lazy<T> {
  let opening: Promise<T> | undefined;
  const ask = (): Promise<T> => {
    if (opening) return opening;
    const mine = open();
    opening = mine;
    mine.catch(() => (opening = undefined));
    return mine;
  };
  return Object.assign(ask, { known: () => opening });
}
