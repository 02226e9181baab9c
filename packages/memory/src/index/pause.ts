// Lets others be served between two steps of long work.

export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
