// Addresses from which another device can open this page so that its browser keeps a key: https, and not this machine.
import { isThisMachine } from "../../state/this-machine.ts";

/** Addresses to choose from, the likeliest first; empty when there is no way in from elsewhere. */
export function findWaysIn(page: { readonly origin: string }, config: unknown): string[] {
  const here = isOpenToOthers(page.origin) ? [page.origin] : [];
  return [...new Set([...here, ...allowedOrigins(config).filter(isOpenToOthers)])];
}

/** `basePath` is "" or begins with a slash, as the gateway gives it. */
export function linkTo(
  origin: string,
  { basePath, code }: { readonly basePath: string; readonly code: string },
): string {
  return `${origin}${basePath}/#code=${code}`;
}

function isOpenToOthers(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.protocol === "https:" && url.origin === origin && !isThisMachine(url.hostname);
}

function allowedOrigins(config: unknown): string[] {
  const origins = at(at(at(config, "gateway"), "controlUi"), "allowedOrigins");
  const all: readonly unknown[] = Array.isArray(origins) ? origins : [];
  return all.filter((one) => typeof one === "string").map((one) => one.trim().toLowerCase().replace(/\/$/, ""));
}

function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
