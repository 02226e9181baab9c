// Reference to fetch an attachment later, also after a restart, as the text the gateway keeps.
import * as z from "zod";
import { once, type InboundMedia, type MediaKind, type Parsed } from "@chela/sdk";

const Ref = once(() =>
  z.object({
    /** Which of WhatsApp's key families the bytes are encrypted with. */
    keys: z.enum(["Image", "Video", "Audio", "Document"]),
    mediaKey: z.base64().min(1),
    path: z.string().optional(),
    url: z.string().optional(),
  }),
);
export type MediaRef = Parsed<typeof Ref>;

export function readMediaRef(text: string): MediaRef | undefined {
  try {
    return Ref().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The part of an attachment all kinds have in common, as it comes over the wire. */
export interface WireMedia {
  readonly mediaKey?: Uint8Array | null;
  readonly directPath?: string | null;
  readonly url?: string | null;
  readonly mimetype?: string | null;
  readonly fileLength?: number | { toString(): string } | null;
  readonly fileName?: string | null;
}

export function mediaOf(kind: MediaKind, keys: MediaRef["keys"], wire: WireMedia): InboundMedia | undefined {
  if (!wire.mediaKey?.length || !(wire.directPath || wire.url)) return undefined;
  const ref: MediaRef = {
    keys,
    mediaKey: Buffer.from(wire.mediaKey).toString("base64"),
    ...(wire.directPath ? { path: wire.directPath } : {}),
    ...(wire.url ? { url: wire.url } : {}),
  };
  const bytes = Number(wire.fileLength ?? Number.NaN);
  return {
    kind,
    ref: JSON.stringify(ref),
    ...(wire.mimetype ? { mimeType: wire.mimetype } : {}),
    ...(wire.fileName ? { name: wire.fileName } : {}),
    ...(Number.isSafeInteger(bytes) && bytes > 0 ? { bytes } : {}),
  };
}
