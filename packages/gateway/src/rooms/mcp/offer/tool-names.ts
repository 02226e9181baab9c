// Names under which models know the tools of servers: `<server>__<tool>`, in letters every provider takes.
import { hash } from "node:crypto";

/** What all providers take. */
const LONGEST = 64;
const DIGEST = 8;

export function toolName(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_");
  if (plain === name && name.length <= LONGEST) return name;
  // Two names that differ only by what was taken out must not become one.
  const digest = hash("sha256", name).slice(0, DIGEST);
  return `${plain.slice(0, LONGEST - DIGEST - 1)}_${digest}`;
}

/** `*` stands for any characters. */
export function fitsGlob(pattern: string, name: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop();
  if (tail === undefined) return pattern === name;
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let at = head.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

export function passesFilter(
  name: string,
  { include, exclude }: { readonly include: readonly string[]; readonly exclude: readonly string[] },
): boolean {
  if (exclude.some((pattern) => fitsGlob(pattern, name))) return false;
  return include.length === 0 || include.some((pattern) => fitsGlob(pattern, name));
}
