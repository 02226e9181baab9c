// Reads an entry's place in its tree from the beginning of its line: parsing whole lines would take several times as long.
import type { EntryNode } from "@chela/sdk";
import type { SqlRow } from "./rows.ts";

/** Longer than what stands before the contents in lines that we wrote. */
const HEAD_CHARS = 200;
const HEAD =
  /^\{"type":"([^"\\]*)","id":"([^"\\]*)","parentId":(?:null|"([^"\\]*)"),"timestamp":"[^"\\]*"(?:,"customType":"([^"\\]*)"|,"(?!customType")|\})/;

export const NODE_COLUMNS = `seq, substr(line, 1, ${HEAD_CHARS})`;
/** For lines of other programs, whose fields stand in another order. */
export const NODE_IN_FULL = `SELECT seq, entry_id AS id, json_extract(line, '$.parentId') AS parentId,
  json_extract(line, '$.type') AS type, json_extract(line, '$.customType') AS customType FROM entries WHERE seq = ?`;

/** The number of an entry and the beginning of its line. */
export type NodeRow = readonly [seq: number, head: string];

/** Undefined when the line does not begin as ours do. */
export function readHead([seq, head]: NodeRow): EntryNode | undefined {
  const found = HEAD.exec(head);
  if (!found) return undefined;
  const [, type = "", id = "", parentId = null, customType] = found;
  return customType === undefined ? { seq, id, parentId, type } : { seq, id, parentId, type, customType };
}

export function toNode(row: SqlRow = {}): EntryNode {
  const { seq, id, parentId, type, customType } = row;
  return {
    seq: Number(seq),
    id: String(id),
    parentId: typeof parentId === "string" ? parentId : null,
    type: String(type ?? ""),
    ...(typeof customType === "string" ? { customType } : {}),
  };
}
