// Reads a session index that may be damaged: every entry that can still be parsed is found.

export interface ScannedIndex {
  /** Key → value, in the order of the file. */
  readonly entries: ReadonlyMap<string, unknown>;
  readonly isDamaged: boolean;
}

/** Takes both forms: the flat map, and `{version, agents}`. */
export function scanIndex(text: string): ScannedIndex {
  const whole = tryParse(text.replace(/^\uFEFF/, ""));
  if (isObject(whole)) return { entries: new Map(Object.entries(rowsOf(whole))), isDamaged: false };
  return { entries: salvage(text), isDamaged: text.trim().length > 0 };
}

function rowsOf(index: Record<string, unknown>): Record<string, unknown> {
  const agents = index["agents"];
  return isObject(agents) && !("sessionId" in index) ? agents : index;
}

/**
 * Looks for `"key": {` and takes the object when its braces balance and it parses. A row that does not is stepped into,
 * so that one torn entry does not hide the ones after it.
 */
function salvage(text: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const start = /"((?:[^"\\\n]|\\.)*)"\s*:\s*\{/g;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const open = start.lastIndex - 1;
    const end = endOfObject(text, open);
    const key = tryParse(`"${match[1]}"`);
    const value = end === undefined ? undefined : tryParse(text.slice(open, end));
    if (typeof key !== "string" || !looksLikeRow(value)) continue;
    found.set(key, value);
    start.lastIndex = end ?? start.lastIndex;
  }
  return found;
}

const looksLikeRow = (value: unknown): boolean =>
  isObject(value) && (typeof value["sessionId"] === "string" || typeof value["activeSessionId"] === "string");

/** The position after the brace that closes the one at `open`; undefined when none does. */
function endOfObject(text: string, open: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = open; at < text.length; at++) {
    const sign = text[at];
    if (isInString) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isInString = false;
      // No JSON text runs over a line end: the closing quote is lost, and with it this row.
      else if (sign === "\n") return undefined;
    } else if (sign === '"') isInString = true;
    else if (sign === "{") depth += 1;
    else if (sign === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
