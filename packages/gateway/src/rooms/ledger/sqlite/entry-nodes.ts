// Reads an entry's place in its tree from the beginning of its line: parsing whole lines would take several times as long.
import type { EntryNode } from "@chela/sdk";
import { integer, optional, rowReader, text, type StoredRow } from "@chela/sdk/rows";

/** Longer than what stands before the contents in lines that we wrote. */
const HEAD_CHARS = 200;
const HEAD =
  /^\{"type":"([^"\\]*)","id":"([^"\\]*)","parentId":(?:null|"([^"\\]*)"),"timestamp":"[^"\\]*"(?:,"customType":"([^"\\]*)"|,"(?!customType")|\})/;

export const NODE_COLUMNS = `seq, substr(line, 1, ${HEAD_CHARS})`;
/** For lines of other programs, whose fields stand in another order. */
export const NODE_IN_FULL = `SELECT seq, entry_id AS id, json_extract(line, '$.parentId') AS parentId,
  json_extract(line, '$.type') AS type, json_extract(line, '$.customType') AS customType FROM entries WHERE seq = ?`;

/** Of an entry's number and the beginning of its line; undefined when that does not begin as ours do. */
export function readHead(seq: unknown, head: unknown): EntryNode | undefined {
  if (typeof seq !== "number" || typeof head !== "string") return undefined;
  const found = HEAD.exec(head);
  if (!found) return undefined;
  const [, type = "", id = "", parentId = null, customType] = found;
  return customType === undefined ? { seq, id, parentId, type } : { seq, id, parentId, type, customType };
}

export const toNode: (row: StoredRow) => EntryNode = rowReader(
  { table: "entries", named: "seq" },
  {
    seq: integer("seq"),
    id: text("id"),
    parentId: { name: "parentId", read: textOr(null) },
    type: { name: "type", read: textOr("") },
    customType: optional({ name: "customType", read: textOr("") }),
  },
);

/** Other programs write what they like there; what is no text says nothing about the tree. */
function textOr<T>(other: T): (stored: unknown) => string | T {
  return (stored) => (typeof stored === "string" ? stored : other);
}
