// Files that come with messages, as addresses beside the text (XEP-0066), and how they are fetched.
import { GatewayError, type ChannelHost, type InboundMedia, type MediaKind } from "@chela/sdk";
import type { XmlElement } from "@xmpp/client";
import { NS } from "./server/stanza.ts";

const MOST_FILES = 10;
const FIRST_BYTE_MS = 60_000;

const KINDS: ReadonlyArray<readonly [MediaKind, RegExp]> = [
  ["image", /\.(?:avif|gif|heic|jpe?g|png|webp)$/i],
  ["audio", /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav)$/i],
  ["video", /\.(?:m4v|mkv|mov|mp4|webm)$/i],
];

export function mediaIn(message: XmlElement): InboundMedia[] {
  return message
    .getChildren("x", NS.oob)
    .slice(0, MOST_FILES)
    .flatMap((element) => {
      const url = URL.parse(element.getChildText("url")?.trim() ?? "");
      if (!url || !/^https?:$/.test(url.protocol)) return [];
      const name = nameIn(url);
      const kind = KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? "file";
      return [{ kind, ref: element.getChildText("url")?.trim() ?? url.href, ...(name === "" ? {} : { name }) }];
    });
}

function nameIn(url: URL): string {
  const last = url.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last)
      .replace(/[/\\\p{Cc}]/gu, "_")
      .slice(0, 200);
  } catch {
    return last.slice(0, 200);
  }
}

export async function downloadMedia(
  ref: string,
  host: ChannelHost,
  maxBytes: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const slow = new AbortController();
  const cancel = host.clock.after(FIRST_BYTE_MS, () => slow.abort());
  try {
    const response = await host.fetch(ref, { signal: AbortSignal.any([signal, slow.signal]) });
    if (response.ok && response.body) return readCapped(response.body, maxBytes);
    await response.body?.cancel();
    throw new GatewayError("MEDIA_FETCH", `the server that keeps the file answered with status ${response.status}`);
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    throw new GatewayError("MEDIA_FETCH", "the server that keeps the file cannot be reached", { cause: error });
  } finally {
    cancel();
  }
}

async function* readCapped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new GatewayError("MEDIA_REFUSED", `the file is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`);
    }
    yield chunk;
  }
}
