// Turns the bytes of a page into text, in the character set the page says it is written in.

const META_LOOKS_AT = 4096;
const META_CHARSET = /<meta\s[^>]{0,200}?charset\s{0,4}=\s{0,4}["']?([\w.:-]{1,40})/i;

export function decodePage(bytes: Buffer, contentType: string): string {
  const label = markOf(bytes) ?? charsetOf(contentType) ?? declaredIn(bytes) ?? "utf-8";
  return decodeAs(label, bytes);
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes.subarray(0, 3).toString("hex") === "efbbbf" ? "utf-8" : undefined;
}

function charsetOf(contentType: string): string | undefined {
  return /charset\s{0,4}=\s{0,4}["']?([\w.:-]{1,40})/i.exec(contentType)?.[1];
}

function declaredIn(bytes: Buffer): string | undefined {
  return META_CHARSET.exec(bytes.toString("latin1", 0, META_LOOKS_AT))?.[1];
}

/** A character set nobody knows is most likely a mistake for the usual one. */
function decodeAs(label: string, bytes: Buffer): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
