// Parts that `agent` and `chat.send` have in common: who sends, and which attachments are kept.
import type { ImageBlock } from "@chela/sdk";
import type { Sender } from "../../access/room.ts";
import { invalid } from "../dispatch.ts";
import type { Client } from "../hub.ts";

const MAX_ATTACHMENT_BYTES = 5_000_000;
const IMAGE_TYPES: ReadonlyArray<readonly [prefix: string, mimeType: string]> = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

export function senderOf(client: Client): Sender {
  return { kind: "operator", scopes: client.scopes };
}

/** Images among the attachments. Other kinds are refused by name, so that nobody believes they were read. */
export function readImages(
  attachments:
    | ReadonlyArray<{ mimeType?: string | undefined; fileName?: string | undefined; content?: unknown }>
    | undefined,
): ImageBlock[] {
  return (attachments ?? []).map(({ mimeType, fileName, content }, index) => {
    const name = fileName ?? `attachment ${index + 1}`;
    if (typeof content !== "string" || content === "") throw invalid(`${name}: content must be base64 or a data URL`);
    const [, declared, inUrl] = /^data:([^;,]+);base64,(.*)$/s.exec(content) ?? [];
    const data = inUrl ?? content;
    if ((data.length * 3) / 4 > MAX_ATTACHMENT_BYTES)
      throw invalid(`${name}: larger than ${MAX_ATTACHMENT_BYTES} bytes`);
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) throw invalid(`${name}: content is not base64`);
    const seen = IMAGE_TYPES.find(([prefix]) => data.startsWith(prefix))?.[1];
    if (!seen) {
      throw invalid(
        `${name}: only png, jpeg, gif and webp images can be read (got ${declared ?? mimeType ?? "unknown"})`,
      );
    }
    return { type: "image", data, mimeType: seen };
  });
}
