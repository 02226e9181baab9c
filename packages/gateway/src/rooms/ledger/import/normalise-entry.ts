// Turns a transcript record of any known shape into the one we write. What we do not know stays as it is.
import { createHash } from "node:crypto";
import { normaliseMessage } from "./normalise-message.ts";

export interface CanonicalEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
  readonly line: string;
}

/** Normalises the entries of one transcript in file order: ids and links depend on what came before. */
export interface Normaliser {
  entry(value: Record<string, unknown>, text: string): CanonicalEntry;
  /** A line that is no record at all, kept as an entry of its own. */
  unreadable(bytes: Buffer): CanonicalEntry;
}

type Fields = Record<string, unknown>;

const CANONICAL_ID = /^[0-9a-f]{8}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;
/** Fields that name another entry. */
const REFERENCES = ["firstKeptEntryId", "fromId", "targetId"] as const;
const ENVELOPE = new Set(["type", "id", "parentId", "timestamp"]);

/** Ids are derived from the content, so reading the same file twice gives the same ids. */
export function createNormaliser(sessionId: string, startedAt = "1970-01-01T00:00:00.000Z"): Normaliser {
  const renamed = new Map<string, string>();
  const promised = new Set<string>();
  const used = new Set<string>();
  let previous: string | null = null;
  let timestamp = startedAt;
  let count = 0;

  const newId = (seed: string): string => {
    for (let attempt = 0; ; attempt++) {
      const id = createHash("sha256").update(`${sessionId}\0${seed}\0${attempt}`).digest("hex").slice(0, 8);
      if (!used.has(id) && !promised.has(id)) return id;
    }
  };
  /** The same outside id always becomes the same id here, also when it is mentioned before it appears. */
  const rename = (id: string): string => {
    if (CANONICAL_ID.test(id)) return id;
    const known = renamed.get(id);
    if (known !== undefined) return known;
    const short = UUID.test(id) ? id.slice(0, 8).toLowerCase() : newId(id);
    const chosen = used.has(short) || promised.has(short) ? newId(id) : short;
    renamed.set(id, chosen);
    promised.add(chosen);
    return chosen;
  };
  const claimId = (given: unknown, text: string): string => {
    const wanted = typeof given === "string" && given ? rename(given) : newId(`${count}\0${text}`);
    const id = used.has(wanted) ? newId(`${count}\0${text}`) : wanted;
    used.add(id);
    return id;
  };
  const linkTo = (given: unknown): string | null => {
    if (given === null) return null;
    const parent = typeof given === "string" ? rename(given) : undefined;
    return parent !== undefined && used.has(parent) ? parent : previous;
  };
  const finish = (id: string, parentId: string | null, fields: Fields, text?: string): CanonicalEntry => {
    const { type, ...rest } = fields;
    const line = JSON.stringify({ type, id, parentId, timestamp, ...rest });
    previous = id;
    count += 1;
    // A record that is already ours keeps its bytes: key order and spacing are not worth a rewrite.
    return { id, parentId, timestamp, line: text !== undefined && sameJson(text, line) ? text : line };
  };

  return {
    entry(value, text) {
      const parentId = linkTo(value["parentId"]);
      const id = claimId(value["id"], text);
      timestamp = toIso(value["timestamp"]) ?? toIso(asFields(value["message"])?.["timestamp"]) ?? timestamp;
      const fields = normaliseFields(value, timestamp);
      for (const name of REFERENCES) {
        if (typeof fields[name] === "string") fields[name] = rename(fields[name]);
      }
      return finish(id, parentId, fields, text.trim());
    },
    unreadable(bytes) {
      const text = bytes.toString("utf8");
      const isText = Buffer.from(text).equals(bytes);
      const parentId = previous;
      const id = claimId(undefined, text);
      const data = { text, ...(isText ? {} : { base64: bytes.toString("base64") }) };
      return finish(id, parentId, { type: "custom", customType: "chela.unreadable-line", data });
    },
  };
}

function normaliseFields(value: Fields, timestamp: string): Fields {
  const type = typeof value["type"] === "string" ? value["type"] : "unknown";
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !ENVELOPE.has(name)));
  if (type.startsWith("custom:")) {
    const { data, ...others } = rest;
    return { type: "custom", customType: type.slice("custom:".length), data: data === undefined ? others : data };
  }
  const message = asFields(value["message"]);
  if (type !== "message" || !message) return { type, ...rest };
  return { type, ...rest, message: normaliseMessage(message, Date.parse(timestamp)) };
}

const asFields = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** Times came as ISO text, milliseconds and (rarely) seconds. */
export function toIso(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return isoOf(value < 1e11 ? value * 1000 : value);
  return typeof value === "string" ? isoOf(Date.parse(value)) : undefined;
}

function isoOf(at: number): string | undefined {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined;
}

function sameJson(text: string, line: string): boolean {
  return text === line || sortedJson(text) === sortedJson(line);
}

const sortedJson = (text: string): string =>
  JSON.stringify(JSON.parse(text), (_, value: unknown) => {
    const fields = asFields(value);
    return fields ? Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  });
