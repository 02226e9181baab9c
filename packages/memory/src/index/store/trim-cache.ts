// Vectors of texts that are in the index no more: the least recently used go, beyond as many as are wanted.
import type { AgentSpaces } from "../spaces/agent-spaces.ts";
import type { Store } from "./opened-store.ts";

/** Those in use are never dropped: what is found fast is judged by them. */
export function trimCache(store: Store, shelf: AgentSpaces, most: number): number {
  const total = Number(store.statement("SELECT count(*) AS count FROM embedding_cache").get()?.["count"]);
  const inUse = shelf.all.reduce((sum, { size }) => sum + size, 0);
  if (total <= inUse + most) return 0;
  const spaces = JSON.stringify(
    shelf.all.map(({ embedder: { provider, model, providerKey } }) => [provider, model, providerKey]),
  );
  const unused = `FROM embedding_cache AS kept WHERE NOT (
      EXISTS (SELECT 1 FROM chunks WHERE chunks.hash = kept.hash) AND
      EXISTS (SELECT 1 FROM json_each(?) AS space WHERE space.value = json_array(provider, kept.model, provider_key)))`;
  const count = Number(store.statement(`SELECT count(*) AS count ${unused}`).get(spaces)?.["count"]);
  if (count <= most) return 0;
  const { changes } = store
    .statement(
      `DELETE FROM embedding_cache WHERE rowid IN (SELECT kept.rowid ${unused} ORDER BY updated_at, kept.rowid LIMIT ?)`,
    )
    .run(spaces, count - most);
  return Number(changes);
}
