// The digest of what a model was told. It is made of digests of its parts, so that a long conversation is not read anew for each call.
import { hash } from "node:crypto";
import type { ModelRequest } from "@chela/sdk";

/**
 * Messages are never changed once they are said, so what was worked out for one holds as long as it is in memory.
 * Lists of tools are shared by all turns that have the same.
 */
const known = new WeakMap<object, string>();

/**
 * sha256 over lines: the sha256 of the system prompt, of the JSON of the tools, and of the JSON of each message, in the
 * order and in the form in which they were sent. Two calls have the same digest when they were told the same.
 */
export function promptDigest({ system, tools, messages }: Pick<ModelRequest, "system" | "tools" | "messages">): string {
  const parts = [hash("sha256", system), digestOf(tools)];
  for (const message of messages) parts.push(digestOf(message));
  return hash("sha256", parts.join("\n"));
}

function digestOf(part: object): string {
  const found = known.get(part);
  if (found !== undefined) return found;
  const made = hash("sha256", JSON.stringify(part));
  known.set(part, made);
  return made;
}
