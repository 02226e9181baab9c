// Puts a file where others can fetch it (XEP-0363): asks for a slot, and brings the bytes there.
import { openAsBlob } from "node:fs";
import type { ChannelHost, OutboundMedia, SendOutcome } from "@chela/sdk";
import type { XmlElement } from "@xmpp/client";
import { failed } from "./failures.ts";
import type { UploadService } from "./server/services.ts";
import { NS } from "./server/stanza.ts";
import type { Stream } from "./server/stream.ts";

/** Until the message with its address is sent, nobody knows of the file: no failure here is uncertain. */
export type Upload = (
  media: OutboundMedia,
  signal: AbortSignal,
) => Promise<{ readonly kind: "uploaded"; readonly url: string } | Extract<SendOutcome, { kind: "failed" }>>;

const PUT_MS = 120_000;
/** A server may ask for these, and for no others. */
const ALLOWED_HEADERS = new Set(["authorization", "cookie", "expires"]);

export function createUpload(stream: Stream, host: ChannelHost, service: UploadService | undefined): Upload {
  return async (media, signal) => {
    if (!service) return failed("rejected", "this server takes no files (it has no HTTP upload, XEP-0363)");
    if (media.bytes > service.maxBytes) {
      return failed("rejected", `this server takes files of ${service.maxBytes} bytes at most`);
    }
    const slot = await askForSlot(stream, service.jid, media);
    if (!slot) return failed("unavailable", "the server gave no place for the file");
    try {
      const body = await openAsBlob(media.path, { type: media.mimeType });
      const response = await host.fetch(slot.put, {
        method: "PUT",
        body,
        headers: { "content-type": media.mimeType, ...slot.headers },
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(PUT_MS)]),
      });
      await response.body?.cancel();
      if (response.ok) return { kind: "uploaded", url: slot.get };
      return failed(
        response.status === 413 ? "rejected" : "unavailable",
        `the server did not take the file (HTTP status ${response.status})`,
      );
    } catch {
      return failed("unavailable", "the file could not be brought to the server");
    }
  };
}

interface Slot {
  readonly put: string;
  readonly get: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function askForSlot({ xml, ask }: Stream, jid: string, media: OutboundMedia): Promise<Slot | undefined> {
  const request = xml("request", {
    xmlns: NS.upload,
    filename: media.name.replaceAll(/[/\\\p{Cc}]/gu, "_").toWellFormed(),
    size: String(media.bytes),
    "content-type": media.mimeType,
  });
  try {
    return readSlot((await ask("get", request, jid)).getChild("slot", NS.upload));
  } catch {
    return undefined;
  }
}

function readSlot(slot: XmlElement | undefined): Slot | undefined {
  const put = slot?.getChild("put");
  const [putUrl, getUrl] = [put?.attrs["url"], slot?.getChild("get")?.attrs["url"]];
  if (!put || !isWebAddress(putUrl) || !isWebAddress(getUrl)) return undefined;
  const headers = put.getChildren("header").flatMap((header): Array<[string, string]> => {
    const name = header.attrs["name"]?.toLowerCase() ?? "";
    return ALLOWED_HEADERS.has(name) ? [[name, header.text().replaceAll(/[\r\n]/g, "")]] : [];
  });
  return { put: putUrl, get: getUrl, headers: Object.fromEntries(headers) };
}

function isWebAddress(url: string | undefined): url is string {
  return url !== undefined && /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}
