// Reads archives of skills (zip, tar, tar.gz) into memory. What would be written elsewhere, or is no plain file, is refused.
import { gunzipSync, inflateRawSync } from "node:zlib";
import { GatewayError } from "@chela/sdk";
import { MOST_TREE_BYTES, MOST_TREE_FILES, type TreeFile } from "../reading/read-tree.ts";

/** By path inside. */
export type Files = Map<string, TreeFile>;

export function readArchive(bytes: Buffer): Files {
  try {
    if (bytes.subarray(0, 2).toString("latin1") === "PK") return readZip(bytes);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return readTar(isPacked ? gunzipSync(bytes, { maxOutputLength: 4 * MOST_TREE_BYTES }) : bytes);
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    throw refused("it is no zip, tar or tar.gz file, or is damaged");
  }
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;

function readZip(bytes: Buffer): Files {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw refused("it is a damaged zip file");
  const files = new Collector();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw refused("it is a damaged zip file");
    const [nameLength, extra, remark] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const mode = bytes.readUInt32LE(at + 38) >>> 16;
    if (bytes.readUInt16LE(at + 8) & 1) throw refused(`"${name}" in it is locked with a password`);
    if ((mode & 0o170000) === 0o120000) throw refused(`"${name}" in it is a link`);
    if (!name.endsWith("/")) files.add(name, unpack(bytes, at), (mode & 0o100) !== 0);
    at += 46 + nameLength + extra + remark;
  }
  return files.all;
}

function unpack(bytes: Buffer, entry: number): Buffer {
  const [method, packed, size, local] = [
    bytes.readUInt16LE(entry + 10),
    bytes.readUInt32LE(entry + 20),
    bytes.readUInt32LE(entry + 24),
    bytes.readUInt32LE(entry + 42),
  ];
  const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const content = bytes.subarray(begin, begin + packed);
  if (size > MOST_TREE_BYTES) throw tooMuch();
  if (method === 0) return Buffer.from(content);
  if (method !== 8) throw refused("it is packed in a way that is not known here");
  return inflateRawSync(content, { maxOutputLength: Math.max(size, 1) });
}

function readTar(bytes: Buffer): Files {
  const files = new Collector();
  let longName = "";
  for (let at = 0; at + 512 <= bytes.length;) {
    const head = bytes.subarray(at, at + 512);
    if (head.every((byte) => byte === 0)) break;
    if (head.toString("latin1", 257, 262) !== "ustar") throw refused("it is no tar file, or is damaged");
    const size = Number.parseInt(textAt(head, 124, 12).trim() || "0", 8);
    const kind = textAt(head, 156, 1);
    const content = bytes.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
    if (kind === "L") longName = textAt(content, 0, content.length);
    else if (kind === "x") longName = /\d+ path=([^\n]*)\n/.exec(content.toString("utf8"))?.[1] ?? longName;
    else if (kind !== "g") {
      const name = longName || [textAt(head, 345, 155), textAt(head, 0, 100)].filter(Boolean).join("/");
      longName = "";
      if (kind === "5") continue;
      if (kind !== "0" && kind !== "") throw refused(`"${name}" in it is no plain file`);
      files.add(name, Buffer.from(content), (Number.parseInt(textAt(head, 100, 8), 8) & 0o100) !== 0);
    }
  }
  return files.all;
}

function textAt(bytes: Buffer, from: number, length: number): string {
  return bytes.toString("utf8", from, from + length).replace(/\0.*$/s, "");
}

class Collector {
  readonly all: Files = new Map();
  #bytes = 0;

  add(written: string, bytes: Buffer, isExecutable: boolean): void {
    const name = written.replace(/^(?:\.\/)+/, "");
    const parts = name.split(/[/\\]/);
    // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
    if (parts.some((part) => part === ".." || part === "") || /[\u0000-\u001f\\:]/.test(name)) {
      throw refused(`the name ${JSON.stringify(written.slice(0, 100))} in it leads elsewhere`);
    }
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_TREE_BYTES || this.all.size >= MOST_TREE_FILES) throw tooMuch();
    this.all.set(name, { bytes, isExecutable });
  }
}

function refused(why: string): GatewayError {
  return new GatewayError("SKILL_REQUEST", `The archive cannot be used: ${why}.`);
}

function tooMuch(): GatewayError {
  return refused(`it holds more than ${MOST_TREE_FILES} files or ${MOST_TREE_BYTES / 1024 ** 2} MB`);
}
