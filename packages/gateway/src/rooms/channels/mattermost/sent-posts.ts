// Knows which posts are ours, for a while.

export interface SentPosts {
  add(id: string): void;
  has(id: string): boolean;
}

const MOST = 2000;

export function createSentPosts(): SentPosts {
  const ids = new Set<string>();
  return {
    add(id) {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > MOST && oldest !== undefined) ids.delete(oldest);
    },
    has: (id) => ids.has(id),
  };
}
