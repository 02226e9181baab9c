// Finds the node somebody means: by id, name, address or the start of its id. What could mean two nodes means none.

export interface Findable {
  readonly nodeId: string;
  readonly displayName?: string | undefined;
  readonly remoteIp?: string | undefined;
}

export type FoundNode<T> =
  | { readonly kind: "found"; readonly node: T }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly nodes: readonly T[] };

const SHORTEST_START = 6;

/** An id is proven, names are not: a node that calls itself like another's id is not taken for it. */
export function findNode<T extends Findable>(nodes: readonly T[], wanted: string): FoundNode<T> {
  const text = wanted.trim();
  const exact = nodes.find(({ nodeId }) => nodeId === text);
  if (exact) return { kind: "found", node: exact };
  const name = normalize(text);
  const found = nodes.filter(
    ({ nodeId, displayName, remoteIp }) =>
      (name !== "" && displayName !== undefined && normalize(displayName) === name) ||
      (text !== "" && remoteIp === text) ||
      (text.length >= SHORTEST_START && nodeId.startsWith(text)),
  );
  const [only] = found;
  if (!only) return { kind: "none" };
  return found.length === 1 ? { kind: "found", node: only } : { kind: "several", nodes: found };
}

function normalize(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
