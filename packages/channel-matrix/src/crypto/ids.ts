// Ids in the words of the encryption library.
import type * as Library from "@matrix-org/matrix-sdk-crypto-wasm";

/** Ids the library does not take for ids are left out; they can be nobody's. */
export function userIds(library: typeof Library, ids: readonly string[]): Library.UserId[] {
  return ids.flatMap((id) => {
    try {
      return [new library.UserId(id)];
    } catch {
      return [];
    }
  });
}
