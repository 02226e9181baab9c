// The file a new note becomes, from what somebody calls it.

/** Undefined when there is nothing in the name a file could be called by. */
export function pathOfName(name: string): string | undefined {
  const plain = name
    .normalize("NFC")
    .trim()
    .replace(/^memory\//i, "")
    .replace(/\.md$/i, "")
    .replace(/[^\p{L}\p{N}\p{M}._]+/gu, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-.]+|[-.]+$/g, "");
  return plain === "" ? undefined : `memory/${plain.toLowerCase()}.md`;
}

/** What stands above its text. */
export function titleOfName(name: string): string {
  return name
    .trim()
    .replace(/^memory\//i, "")
    .replace(/\.md$/i, "");
}
