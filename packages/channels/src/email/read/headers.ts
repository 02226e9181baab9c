// The headers of a mail, in the order they stand in it: what stands higher was added later.

export interface Header {
  /** In small letters. */
  readonly name: string;
  /** On one line. */
  readonly value: string;
}

export type Headers = readonly Header[];

export function parseHeaders(bytes: Uint8Array): Headers {
  const headers: Array<{ name: string; lines: string[] }> = [];
  for (const line of decode(bytes).split(/\r?\n/)) {
    if (line === "") break;
    if (line.startsWith(" ") || line.startsWith("\t")) {
      headers.at(-1)?.lines.push(line);
      continue;
    }
    const colon = line.indexOf(":");
    // A blank before the colon is wrong, but some programs read over it: so do we, or they see a header we do not.
    if (colon > 0) headers.push({ name: line.slice(0, colon).trim().toLowerCase(), lines: [line.slice(colon + 1)] });
  }
  return headers.map(({ name, lines }) => ({ name, value: lines.map((line) => line.trim()).join(" ") }));
}

/** Mail of old programs has bytes that are no UTF-8. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

export function allOf(headers: Headers, name: string): string[] {
  return headers.filter((header) => header.name === name).map(({ value }) => value);
}

/** The topmost one. */
export function firstOf(headers: Headers, name: string): string | undefined {
  return headers.find((header) => header.name === name)?.value;
}

const MOST_ID = 250;

/** Ids of messages, such as in References, without their brackets. */
export function messageIdsOf(value: string | undefined): string[] {
  const found = value?.match(/<[^<>\s]+>/g) ?? [];
  return found.map((id) => id.slice(1, -1)).filter((id) => id.length <= MOST_ID);
}
