// One file and its description as the form Discord takes uploads in.
import { randomBytes } from "node:crypto";

export interface FilePart {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export function encodeMultipart(
  payload: unknown,
  file: FilePart,
): { readonly type: string; readonly bytes: Uint8Array } {
  const boundary = `chela-${randomBytes(16).toString("hex")}`;
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="payload_json"',
    "Content-Type: application/json",
    "",
    JSON.stringify(payload),
    `--${boundary}`,
    `Content-Disposition: form-data; name="files[0]"; filename="${escapeName(file.name)}"`,
    `Content-Type: ${/^[\w.+-]+\/[\w.+-]+$/.test(file.mimeType) ? file.mimeType : "application/octet-stream"}`,
    "",
    "",
  ].join("\r\n");
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** As browsers do it: a name must not end its own quotes or line. */
function escapeName(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
