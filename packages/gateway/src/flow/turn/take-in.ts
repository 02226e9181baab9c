// Takes in the files that came with a message: fetched through their channel, kept, looked at, listened to.
import { GatewayError, type ImageBlock, type InboundMedia, type MediaRef, type RunRecord } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import {
  inboundNote,
  refOf,
  transcriptBody,
  type AttachedMedia,
  type Media,
  type StoredMedia,
} from "../../rooms/media/room.ts";
import type { MessageBody } from "../message-body.ts";
import type { TakenIn } from "./kit.ts";

const DEFAULT_MEGABYTES = 20;

/** The files behind handles that were minted for this very session, each once. */
export async function filesBehind(media: Media, sessionKey: string, handles: readonly string[]): Promise<MediaRef[]> {
  const found = await Promise.all([...new Set(handles)].map((handle) => media.resolveHandle(sessionKey, handle)));
  return found.flatMap((one) => (one ? [refOf(one)] : []));
}

/** What a model is shown of what came with a message. Whatever cannot be had is told in words; the message is answered. */
export async function takeIn(
  record: RunRecord,
  body: MessageBody,
  signal: AbortSignal,
  house: Pick<House, "config" | "log" | "media" | "channels" | "hookTeller">,
): Promise<TakenIn> {
  const { config, log, hookTeller } = house;
  const media = await house.media();
  const { channel, account, agentId } = record.message;
  const images: ImageBlock[] = [];
  const attached: AttachedMedia[] = [];
  const transcripts: string[] = [];
  const missing: string[] = [];
  const files: MediaRef[] = [];

  async function findKept(id: string): Promise<StoredMedia> {
    const found = await media.find(id);
    if (!found) throw new GatewayError("MEDIA_GONE", "it is not kept any more");
    return found;
  }

  async function fetchOne(one: InboundMedia): Promise<StoredMedia> {
    const { channels: known } = await house.channels();
    const limit = known.settings({ channel, account })?.["mediaMaxMb"];
    const maxBytes = (typeof limit === "number" ? limit : DEFAULT_MEGABYTES) * 1024 * 1024;
    const connection = known.requireConnection({ channel, account });
    if (!connection.download) throw new TypeError("this channel cannot fetch files");
    const stream = await connection.download(one.ref, signal);
    const { name, mimeType } = one;
    return media.take(stream, { direction: "inbound", maxBytes, name, declaredType: mimeType, signal });
  }

  for (const one of body.media ?? []) {
    try {
      const stored = one.isKept ? await findKept(one.ref) : await fetchOne(one as InboundMedia);
      // Its sender's name for it: others may have sent the same under another.
      files.push({ ...refOf(stored), ...(one.isKept && one.name ? { fileName: one.name } : {}) });
      attached.push(await look(one as InboundMedia, stored));
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn("a file that came with a message could not be fetched", { channel, error: String(error) });
      const why = error instanceof GatewayError ? error.detail : "the platform did not give it";
      missing.push(`[${one.kind} could not be fetched: ${why}]`);
    }
  }

  async function look(one: InboundMedia, stored: StoredMedia): Promise<AttachedMedia> {
    const { path, mimeType } = stored;
    if (stored.kind === "image") {
      const shown = await media.forModel(stored, {
        maxDimension: config.current().agents?.defaults?.imageMaxDimensionPx ?? 1200,
      });
      if (shown.kind === "shown") images.push({ ...shown.image, mediaId: stored.id });
      else return { path, mimeType, unshown: shown.why };
    }
    if (one.kind === "voice" || one.kind === "audio") {
      const { tools, audio } = config.current();
      const settings = {
        audio: tools?.media?.audio,
        models: tools?.media?.models,
        transcription: audio?.transcription,
      };
      const heard = await media.transcribe(stored, settings, { agentId, signal });
      if (heard.kind === "text") {
        transcripts.push(heard.text);
        hookTeller.transcribed(record, body, { text: heard.text, mimeType });
      } else if (heard.kind === "failed") missing.push(`[a voice note could not be written down: ${heard.why}]`);
    }
    return { path, mimeType };
  }

  const note = inboundNote(attached);
  const spoken = transcripts.length > 0 ? transcriptBody("", transcripts) : "";
  const taken = { images, notes: [note, ...missing, spoken].filter(Boolean), files };
  hookTeller.takenIn(record, taken);
  return taken;
}
