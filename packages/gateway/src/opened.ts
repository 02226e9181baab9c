// Opens a room when somebody first needs it; until then nothing of it is loaded.

export interface Opened<T> {
  open(): Promise<T>;
  /** Undefined while nobody needed it. */
  known(): Promise<T> | undefined;
}

/** Opens once; one that failed to open is tried again by the next who needs it. */
export function opened<T>(open: () => Promise<T>): Opened<T> {
  let room: Promise<T> | undefined;
  return {
    known: () => room,
    open() {
      if (room) return room;
      const opening = open();
      room = opening;
      opening.catch(() => (room = undefined));
      return opening;
    },
  };
}
