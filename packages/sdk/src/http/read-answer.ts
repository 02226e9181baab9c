// Reads what a server answered: not more than is wanted.

/** Throws a RangeError when more comes. */
export async function readTextAtMost(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError("the answer is too long");
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}
