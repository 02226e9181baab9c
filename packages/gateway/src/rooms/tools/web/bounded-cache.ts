// Remembers answers for a while, within a number of bytes; the oldest go first.
import type { Clock } from "@chela/sdk";

export interface BoundedCache<T> {
  get(key: string): T | undefined;
  /** Nothing is kept for 0 ms, nor what is larger than the whole cache. */
  put(key: string, value: T, keep: { readonly ms: number; readonly bytes: number }): void;
}

interface CachedAnswer<T> {
  readonly value: T;
  readonly until: number;
  readonly bytes: number;
}

export function createBoundedCache<T>(clock: Clock, maxBytes: number): BoundedCache<T> {
  const kept = new Map<string, CachedAnswer<T>>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      if (found.until > clock.steady()) return found.value;
      drop(key);
      return undefined;
    },
    put(key, value, { ms, bytes }) {
      drop(key);
      if (ms <= 0 || bytes > maxBytes) return;
      kept.set(key, { value, until: clock.steady() + ms, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
