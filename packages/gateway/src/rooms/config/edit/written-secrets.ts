// The secrets of a config as they are written: which of them are plain, and which are only referred to.
import { Secret } from "@chela/sdk";
import { formatPath, isObject } from "./path.ts";
import { isSecretPlace, isSecretText, WALK_START, walkInto, type SecretWalk } from "../secret-rules.ts";
import type { PatchPreview, WrittenSecret } from "../store-types.ts";
import { vaultIdIn } from "../read/substitute.ts";

export function writtenSecrets(root: unknown): WrittenSecret[] {
  const found: WrittenSecret[] = [];
  const visit = (value: unknown, walk: SecretWalk): void => {
    if (typeof value === "string") {
      const id = vaultIdIn(value);
      if (id !== undefined && isSecretPlace(walk))
        found.push({ path: formatPath(walk.path), content: { kind: "vault", id } });
      // A text that is partly a variable is not the secret itself.
      else if (isSecretPlace(walk) && isSecretText(walk, value) && !value.includes("${")) {
        found.push({ path: formatPath(walk.path), content: { kind: "plain", value: new Secret(value) } });
      }
    } else if (Array.isArray(value)) {
      value.forEach((entry, index) => visit(entry, walkInto(walk, index)));
    } else if (isObject(value)) {
      for (const [key, entry] of Object.entries(value)) visit(entry, walkInto(walk, key));
    }
  };
  visit(root, WALK_START);
  return found;
}

/** What lay there in plain text before, at whichever place, is not new. */
export function freshSecrets(
  before: readonly WrittenSecret[],
  after: readonly WrittenSecret[],
): Array<PatchPreview["fresh"][number]> {
  const plain = (secrets: readonly WrittenSecret[]) =>
    secrets.flatMap(({ path, content }) => (content.kind === "plain" ? [{ path, value: content.value }] : []));
  const known = new Set(plain(before).map(({ value }) => value.reveal()));
  return plain(after).filter(({ value }) => !known.has(value.reveal()));
}
