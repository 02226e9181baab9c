// Services of the server and its neighbours (XEP-0030): an archive of what was said, and a place for files.
import type { XmlElement } from "@xmpp/client";
import { NS } from "./stanza.ts";
import type { Stream } from "./stream.ts";

export interface Services {
  readonly hasArchive: boolean;
  /** Whether the server writes ids of our archive on messages. */
  readonly stampsIds: boolean;
  readonly upload: UploadService | undefined;
}

export interface UploadService {
  readonly jid: string;
  readonly maxBytes: number;
}

const MOST_NEIGHBOURS = 20;

export async function findServices(stream: Stream, domain: string): Promise<Services> {
  const [own, upload] = await Promise.all([featuresOf(stream), findUpload(stream, domain)]);
  return { hasArchive: own.has(NS.mam), stampsIds: own.has(NS.sid), upload };
}

/** Of our own account, unless told whose. Whoever does not answer offers nothing. */
export async function featuresOf(stream: Stream, jid?: string): Promise<ReadonlySet<string>> {
  const info = await infoOf(stream, jid);
  return new Set((info?.getChildren("feature") ?? []).map(({ attrs }) => attrs["var"] ?? ""));
}

async function infoOf(stream: Stream, jid: string | undefined): Promise<XmlElement | undefined> {
  try {
    const answer = await stream.ask("get", stream.xml("query", { xmlns: NS.discoInfo }), jid);
    return answer.getChild("query", NS.discoInfo);
  } catch {
    return undefined;
  }
}

async function findUpload(stream: Stream, domain: string): Promise<UploadService | undefined> {
  const found = await Promise.all(
    [...new Set([domain, ...(await neighboursOf(stream, domain))])].map(async (jid) => {
      const info = await infoOf(stream, jid);
      const isUpload = info?.getChildren("feature").some(({ attrs }) => attrs["var"] === NS.upload);
      return isUpload ? { jid, maxBytes: sizeLimitIn(info) } : undefined;
    }),
  );
  return found.find((service) => service !== undefined);
}

async function neighboursOf(stream: Stream, domain: string): Promise<string[]> {
  try {
    const answer = await stream.ask("get", stream.xml("query", { xmlns: NS.discoItems }), domain);
    const items = answer.getChild("query", NS.discoItems)?.getChildren("item") ?? [];
    return items.flatMap(({ attrs }) => (attrs["jid"] ? [attrs["jid"]] : [])).slice(0, MOST_NEIGHBOURS);
  } catch {
    return [];
  }
}

function sizeLimitIn(info: XmlElement | undefined): number {
  const fields = info?.getChildren("x", NS.data).flatMap((form) => form.getChildren("field")) ?? [];
  const written = fields.find(({ attrs }) => attrs["var"] === "max-file-size")?.getChildText("value");
  return Number(written) || Infinity;
}
