// Files of a message as chat windows get them: blocks of its content that `media.get` gives the bytes of.
import { defined } from "@chela/sdk/base";
import type { MediaRef } from "@chela/sdk";
import type { MediaBlock } from "@chela/sdk/protocol";

export function mediaBlocks(files: readonly MediaRef[]): MediaBlock[] {
  return files.map(({ id, fileName, mimeType, bytes }) => ({
    type: "media",
    id,
    ...defined({ fileName }),
    mimeType,
    bytes,
  }));
}
