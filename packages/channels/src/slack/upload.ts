// Sends files: ask for a place, put the bytes there, then show the file in the chat.
import { openAsBlob } from "node:fs";
import * as z from "zod";
import { once, type ChannelHost, type OutboundContent, type SendOutcome } from "@chela/sdk";
import type { SlackApi } from "./api.ts";
import { failedSend, failureOf } from "./failures.ts";
import { toMrkdwn } from "./format.ts";
import { isSlackAddress } from "./slack-address.ts";

export interface MediaSender {
  send(
    content: OutboundContent & { readonly kind: "media" },
    place: { readonly channel: string; readonly thread_ts?: string },
  ): Promise<SendOutcome>;
}

const UploadPlace = once(() => z.object({ upload_url: z.string(), file_id: z.string() }));
const Share = () => z.record(z.string(), z.array(z.object({ ts: z.string().optional() }))).optional();
const File = once(() =>
  z.object({ id: z.string(), shares: z.object({ public: Share(), private: Share() }).optional().catch(undefined) }),
);
type UploadedFile = z.output<ReturnType<typeof File>>;

const UPLOAD_TIMEOUT_MS = 120_000;
/** Slack shows a file a moment after it said that it will. */
const LOOK_AGAIN_MS = [300, 700, 1_500];

export function createMediaSender(api: SlackApi, host: ChannelHost, apiRoot: string): MediaSender {
  const put = async (url: string, path: string, mimeType: string): Promise<SendOutcome | undefined> => {
    if (!isSlackAddress(url, apiRoot)) return notSent("Slack named an address for the file that is not its own");
    try {
      const body = await openAsBlob(path, { type: mimeType });
      const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
      const response = await host.fetch(url, { method: "POST", body, signal, redirect: "error" });
      await response.body?.cancel();
      return response.ok ? undefined : notSent(`Slack did not take the file (HTTP status ${response.status})`);
    } catch (error) {
      return notSent(`the file could not be handed over (${failureOf(error).code})`);
    }
  };

  const shownAs = async (file: UploadedFile, channel: string): Promise<string> => {
    const now = shareIn(file, channel);
    if (now) return now;
    for (const wait of LOOK_AGAIN_MS) {
      await new Promise<void>((resolve) => void host.clock.after(wait, resolve));
      const asked = await api.ask("files.info", { file: file.id }, z.object({ file: File() }));
      const shown = asked.kind === "answered" ? shareIn(asked.answer.file, channel) : undefined;
      if (shown) return shown;
    }
    // The file is there, only its message has not been told: its own id still names it.
    return file.id;
  };

  return {
    async send({ media, caption }, place) {
      const room = await api.ask(
        "files.getUploadURLExternal",
        { filename: media.name, length: media.bytes },
        UploadPlace(),
      );
      if (room.kind === "failed") return notSent(room.failure.why, failedSend(room.failure));
      const refused = await put(room.answer.upload_url, media.path, media.mimeType);
      if (refused) return refused;
      const done = await api.ask(
        "files.completeUploadExternal",
        {
          files: [{ id: room.answer.file_id, title: media.name }],
          channel_id: place.channel,
          ...(place.thread_ts ? { thread_ts: place.thread_ts } : {}),
          ...(caption ? { initial_comment: toMrkdwn(caption) } : {}),
        },
        z.object({ files: z.array(File()).min(1) }),
      );
      if (done.kind === "failed") return failedSend(done.failure);
      const [file] = done.answer.files;
      const messageId = file ? await shownAs(file, place.channel) : room.answer.file_id;
      return { kind: "sent", messageId, chatId: place.channel };
    },
  };
}

function shareIn({ shares }: UploadedFile, channel: string): string | undefined {
  const found = shares?.public?.[channel] ?? shares?.private?.[channel];
  return found?.find(({ ts }) => ts)?.ts;
}

/** Before the last step nobody has seen anything. */
function notSent(why: string, outcome?: SendOutcome): SendOutcome {
  if (outcome?.kind === "failed" && outcome.reason !== "uncertain") return outcome;
  return { kind: "failed", reason: "unavailable", why };
}
