// Reading inputs of targets that take JSON.

/** The value, or undefined for what is no JSON. */
export function parseOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
