// Parses a message: its text without quoted lines, its attachment, and whether it names us.
import { defined } from "@chela/sdk/base";
import type { InboundMedia, MediaKind } from "@chela/sdk";
import { writeMediaRef } from "../media-ref.ts";
import { MessageContent, type RoomEvent } from "../wire.ts";

interface Message {
  readonly text: string;
  readonly media?: readonly InboundMedia[];
  readonly mentionsUs: boolean;
}

const KINDS: Readonly<Record<string, MediaKind>> = {
  "m.image": "image",
  "m.audio": "audio",
  "m.video": "video",
  "m.file": "file",
};

export function readMessage(event: RoomEvent, content: MessageContent, { us }: { readonly us: string }): Message {
  const media = readMedia(event, content);
  const mentionsUs = namesUs(content, us);
  if (media) return { text: captionOf(content), media: [media], mentionsUs };
  const text = withoutQuote(event, content.body).trim();
  return { text: content.msgtype === "m.emote" && text ? `* ${text}` : text, mentionsUs };
}

function readMedia(event: RoomEvent, content: MessageContent): InboundMedia | undefined {
  const kind = event.type === "m.sticker" ? "sticker" : KINDS[content.msgtype];
  const ref = kind ? writeMediaRef(content.url, content.file) : undefined;
  if (!kind || ref === undefined) return undefined;
  const { mimetype, size } = content.info ?? {};
  const name = content.filename ?? content.body;
  return {
    kind: kind === "audio" && content["org.matrix.msc3245.voice"] !== undefined ? "voice" : kind,
    ref,
    ...(mimetype ? { mimeType: mimetype } : {}),
    ...(name ? { name } : {}),
    ...defined({ bytes: size }),
  };
}

/** With a name of its own, a file's body is what was written below it. */
function captionOf({ body, filename }: MessageContent): string {
  return filename !== undefined && filename !== body ? body.trim() : "";
}

/** Older clients put the answered message in front, as quoted lines; anything could be written there. */
function withoutQuote(event: RoomEvent, body: string): string {
  const relation = event.content["m.relates_to"];
  const isAnswer = typeof relation === "object" && relation !== null && "m.in_reply_to" in relation;
  if (!isAnswer || !/^> <@[^>\n]*>/.test(body)) return body;
  const lines = body.split("\n");
  const end = lines.findIndex((line) => !line.startsWith(">"));
  return end < 0 ? "" : lines.slice(end).join("\n");
}

/** By the list the client made, or by a link to us that somebody put into the text; a display name is nobody's. */
function namesUs(content: MessageContent, us: string): boolean {
  if (content["m.mentions"]?.user_ids?.includes(us)) return true;
  const html = withoutQuotedHtml(content.formatted_body ?? "");
  return [...html.matchAll(/href\s*=\s*["']https:\/\/matrix\.to\/#\/([^"'?]{1,300})/g)].some(
    ([, target]) => decoded(target ?? "") === us,
  );
}

/** What stands in the quote names people, too: those who wrote what is answered. */
function withoutQuotedHtml(html: string): string {
  const start = html.indexOf("<mx-reply>");
  if (start < 0) return html;
  const end = html.lastIndexOf("</mx-reply>");
  return html.slice(0, start) + (end < start ? "" : html.slice(end));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("&amp;", "&"));
  } catch {
    return text;
  }
}

/** The text of any kind of event, for quotes, history and polls. */
export function readPlainText(event: RoomEvent): string | undefined {
  const poll = readPollParts(event);
  if (poll) return [poll.question, ...Object.values(poll.answers).map((answer) => `- ${answer}`)].join("\n");
  const read = MessageContent().safeParse(event.content["m.new_content"] ?? event.content);
  if (!read.success) return undefined;
  return withoutQuote(event, read.data.body).trim() || undefined;
}

export function readPollParts(
  event: RoomEvent,
): { readonly question: string; readonly answers: Readonly<Record<string, string>> } | undefined {
  const poll = event.content["m.poll"] ?? event.content["org.matrix.msc3381.poll.start"];
  if (typeof poll !== "object" || poll === null) return undefined;
  const { question, answers } = poll as { question?: unknown; answers?: unknown };
  const read = (Array.isArray(answers) ? answers : []).flatMap((answer): Array<[string, string]> => {
    const { id, "m.id": stableId } = (answer ?? {}) as { id?: unknown; "m.id"?: unknown };
    const text = extensibleText(answer);
    const key = stableId ?? id;
    return typeof key === "string" && text ? [[key, text]] : [];
  });
  return { question: extensibleText(question) ?? "", answers: Object.fromEntries(read.slice(0, 50)) };
}

/** `m.text` is a text in older events and a list of forms in newer ones. */
function extensibleText(part: unknown): string | undefined {
  const { "m.text": stable, "org.matrix.msc1767.text": older, body } = (part ?? {}) as Record<string, unknown>;
  const first: unknown = Array.isArray(stable) ? (stable[0] as { body?: unknown } | undefined)?.body : stable;
  return [first, older, body].find((text): text is string => typeof text === "string");
}
