// Parts that `agent` and `chat.send` have in common: who sends, and the files that come with a message.
import { GatewayError } from "@chela/sdk";
import { type MethodParams, invalid, type Client } from "@chela/sdk/protocol";
import type { Sender } from "../../rooms/access/room.ts";
import type { MessageBody } from "../../flow/message-body.ts";
import type { House } from "../../house/house.ts";

type Attachments = MethodParams<"chat.send">["attachments"];
type KeptMedia = NonNullable<MessageBody["media"]>;

/** As much as channels take unless told otherwise. */
const DEFAULT_MEGABYTES = 20;
const MEGABYTE = 1024 * 1024;
const MOST_FILES = 50;

export function senderOf(client: Client): Sender {
  return { kind: "operator", scopes: client.scopes };
}

/** The program somebody writes with, and the device it runs on. */
export function clientOf({ info, deviceId }: Pick<Client, "info" | "deviceId">) {
  const { id, mode, displayName } = info;
  return { id, mode, ...(displayName ? { name: displayName } : {}), ...(deviceId ? { deviceId } : {}) };
}

/** What came in one attachment, not decoded yet. */
interface Enclosed {
  /** For sentences about it. */
  readonly label: string;
  readonly name: string | undefined;
  readonly declaredType: string | undefined;
  readonly base64: string;
}

/**
 * Files are on the disk when this resolves, so that a message that names them can be accepted. The same files sent again
 * are the same files. All are looked at before the first is kept.
 */
export async function keepAttachments(gateway: House, attachments: Attachments): Promise<KeptMedia> {
  if (!attachments || attachments.length === 0) return [];
  if (attachments.length > MOST_FILES) throw invalid(`at most ${MOST_FILES} attachments go with one message`);
  const maxBytes = (gateway.config.current().agents?.defaults?.mediaMaxMb ?? DEFAULT_MEGABYTES) * MEGABYTE;
  const enclosed = attachments.map((one, index) => readAttachment(one, index, maxBytes));
  const kept: KeptMedia[number][] = [];
  for (const one of enclosed) kept.push(await keepOne(gateway, one, maxBytes));
  return kept;
}

async function keepOne(gateway: House, one: Enclosed, maxBytes: number): Promise<KeptMedia[number]> {
  const { label, name, declaredType } = one;
  const media = await gateway.media();
  try {
    const stored = await media.take(contentOf(one), { direction: "inbound", maxBytes, name, declaredType });
    const { id, kind, mimeType, bytes } = stored;
    return { kind, ref: id, isKept: true, mimeType, name: stored.name, bytes };
  } catch (error) {
    if (GatewayError.is(error) && error.code === "MEDIA_REFUSED") throw invalid(`${label}: ${error.detail}`);
    throw error;
  }
}

async function* contentOf({ base64 }: Enclosed): AsyncGenerator<Uint8Array> {
  yield Buffer.from(base64, "base64");
}

function readAttachment(one: NonNullable<Attachments>[number], index: number, maxBytes: number): Enclosed {
  const label = one.fileName ?? `attachment ${index + 1}`;
  const written = writtenContent(one.content ?? one["source"]);
  const inUrl = written === undefined ? undefined : readDataUrl(written);
  const base64 = inUrl?.base64 ?? written ?? "";
  if (base64 === "") throw invalid(`${label}: content must be base64 or a data URL`);
  const bytes = Math.floor((base64.length * 3) / 4);
  // The last two characters may only fill up.
  if (bytes - 2 > maxBytes) {
    const sizes = `${inMegabytes(bytes)} are more than the ${inMegabytes(maxBytes)} a file may have`;
    throw invalid(`${label}: ${sizes} (agents.defaults.mediaMaxMb)`);
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw invalid(`${label}: content is not base64`);
  return { label, name: one.fileName, declaredType: one.mimeType ?? inUrl?.type, base64 };
}

/** Clients write the content as a text, or as an object that holds it. */
function writtenContent(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  const held = typeof content === "object" && content !== null && "data" in content ? content.data : undefined;
  return typeof held === "string" ? held : undefined;
}

/** Undefined for anything but `data:<type>;base64,<content>`; the type may have parameters. */
function readDataUrl(written: string): { readonly type: string; readonly base64: string } | undefined {
  if (!written.startsWith("data:")) return undefined;
  const comma = written.indexOf(",");
  const head = written.slice("data:".length, Math.max(comma, 0));
  if (!head.endsWith(";base64")) return undefined;
  return { type: head.slice(0, -";base64".length), base64: written.slice(comma + 1) };
}

function inMegabytes(bytes: number): string {
  return `${Math.round((bytes / MEGABYTE) * 10) / 10} MB`;
}
