// Files are encrypted as Matrix says, and a changed one is noticed.
import { describe, expect, it } from "vitest";
import { decryptStream, encryptFile } from "./attachment.ts";

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function read(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
const keysOf = (file: object) => {
  const { key, iv, hashes } = file as { key: { k: string }; iv: string; hashes: { sha256: string } };
  return { key: key.k, iv, sha256: hashes.sha256 };
};

describe("an encrypted file", () => {
  it.each([0, 1, 15, 16, 17, 1000])("of %i bytes comes back as it was, in pieces of any size", async (length) => {
    const clear = "x".repeat(length);
    const { bytes, file } = encryptFile(Buffer.from(clear));
    expect(bytes.length).toBe(length);
    for (const size of [1, 7, 4096]) expect(await read(decryptStream(inPieces(bytes, size), keysOf(file)))).toBe(clear);
  });

  it("that was changed on its way is refused", async () => {
    const { bytes, file } = encryptFile(Buffer.from("pay 10"));
    bytes[4] = (bytes[4] ?? 0) ^ 1;
    await expect(read(decryptStream(inPieces(bytes, 3), keysOf(file)))).rejects.toMatchObject({
      code: "CHANNEL_REFUSED",
    });
  });

  it("with keys that are none is refused", async () => {
    const keys = { key: "AAAA", iv: "", sha256: "?" };
    await expect(read(decryptStream(inPieces(Buffer.from("abc"), 1), keys))).rejects.toMatchObject({
      code: "CHANNEL_REFUSED",
    });
  });
});
