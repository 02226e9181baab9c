// An outgoing message in the form the library takes.
import type { AnyMessageContent } from "baileys";
import type { Button, OutboundContent, OutboundMedia } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { writeText } from "./format.ts";

const MOST_OPTIONS = 12;

export type Composed =
  | { readonly kind: "content"; readonly content: AnyMessageContent }
  | { readonly kind: "impossible"; readonly why: string };

export function compose(content: OutboundContent, tables: TableMode): Composed {
  switch (content.kind) {
    case "text": {
      const { text, mentions } = writeText(withButtons(content.markdown, content.buttons), tables);
      if (text.trim() === "") return { kind: "impossible", why: "there is no text in it" };
      // Without a preview: to make one, addresses from the text would be fetched from here.
      return made({ text, mentions: [...mentions], linkPreview: null });
    }
    case "media":
      return made(composeMedia(content.media, content.caption, content.asVoice ?? false, tables));
    case "poll": {
      const { question, options, maxSelections } = content.poll;
      if (options.length < 2 || options.length > MOST_OPTIONS) {
        return { kind: "impossible", why: `a poll on WhatsApp has 2 to ${MOST_OPTIONS} options` };
      }
      const selectableCount = Math.min(maxSelections ?? 1, options.length);
      return made({ poll: { name: question, values: [...options], selectableCount } });
    }
  }
}

const made = (content: AnyMessageContent): Composed => ({ kind: "content", content });

/** There are no buttons: what can be typed instead is written below. */
function withButtons(markdown: string, buttons: ReadonlyArray<readonly Button[]> | undefined): string {
  const commands = (buttons ?? []).flat().filter(({ data }) => data.startsWith("/"));
  const lines = commands.map(({ text, data }) => `- ${text}: \`${data}\``);
  return lines.length === 0 ? markdown : `${markdown}\n\n${lines.join("\n")}`;
}

/** Sounds and stickers have no words below them. */
export function captionApart(content: OutboundContent): string | undefined {
  if (content.kind !== "media" || !["audio", "voice", "sticker"].includes(content.media.kind)) return undefined;
  return content.caption?.trim() || undefined;
}

function composeMedia(
  media: OutboundMedia,
  caption: string | undefined,
  asVoice: boolean,
  tables: TableMode,
): AnyMessageContent {
  const file = { url: media.path };
  const written = caption ? writeText(caption, tables) : undefined;
  const words = written ? { caption: written.text, mentions: [...written.mentions] } : {};
  const mimetype = media.mimeType;
  switch (media.kind) {
    case "image":
      return { image: file, mimetype, ...words };
    case "video":
      return { video: file, mimetype, ...words };
    case "sticker":
      return { sticker: file, mimetype };
    case "audio":
    case "voice":
      return { audio: file, mimetype, ptt: asVoice || media.kind === "voice" };
    case "file":
      return { document: file, mimetype, fileName: media.name, ...words };
  }
}
