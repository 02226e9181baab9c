// The method that shows the files of a conversation: by their ids in the media store, never by a path.
import { GatewayError } from "@chela/sdk";
import { isMediaId } from "./room.ts";
import { type MEDIA_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

const MEGABYTE = 1024 * 1024;
/** What is sent in one frame at most. */
const MOST_BYTES = 20 * MEGABYTE;

export function mediaMethods(gateway: House): Pick<Handlers, keyof typeof MEDIA_METHODS> {
  return {
    async "media.get"({ id }) {
      if (!isMediaId(id)) throw invalid("invalid media.get params: at /id: must be the id a message names a file by");
      const opened = await (await gateway.media()).open(id);
      if (!opened) throw new GatewayError("MEDIA_GONE", "it is not kept any more");
      const { bytes, mimeType, name: fileName } = opened.media;
      if (bytes > MOST_BYTES) {
        const sizes = `it has ${Math.round(bytes / MEGABYTE)} MB, and at most ${MOST_BYTES / MEGABYTE} MB are sent`;
        throw new GatewayError("MEDIA_REFUSED", `${fileName} is too large to be shown: ${sizes}`);
      }
      const parts: Uint8Array[] = [];
      for await (const part of opened.content) parts.push(part);
      return { id, fileName, mimeType, bytes, data: Buffer.concat(parts).toString("base64") };
    },
  };
}
