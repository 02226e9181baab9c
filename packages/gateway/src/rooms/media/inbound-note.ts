// Note for a model about files that came with a message: where they are, and what was said in voice notes.
import { HOW_TO_SEND_FILES } from "../../base/text/written-text.ts";

export interface AttachedMedia {
  readonly path: string;
  readonly mimeType: string;
  readonly url?: string;
  /** Why a picture is not among those the model sees. */
  readonly unshown?: string;
}

/** Empty when nothing came. */
export function inboundNote(attached: readonly AttachedMedia[]): string {
  if (attached.length === 0) return "";
  const lines = attached.map(
    (media, index) => `[media attached${countOf(index, attached.length)}: ${describe(media)}]`,
  );
  const unseen = attached.flatMap(({ unshown }, index) =>
    unshown ? [`[media${countOf(index, attached.length)} is not shown: ${unshown}]`] : [],
  );
  const heading = attached.length > 1 ? [`[media attached: ${attached.length} files]`] : [];
  return [...heading, ...lines, ...unseen, HOW_TO_SEND_FILES].join("\n");
}

/** The body of a message whose voice notes were written down; what was typed beside them stays. */
export function transcriptBody(typed: string, transcripts: readonly string[]): string {
  if (transcripts.length === 0) return typed;
  const own = typed.trim();
  const parts = transcripts.map((transcript, index) => {
    const beside = own && transcripts.length === 1 ? `User text:\n${own}\n` : "";
    return `[Audio${countOf(index, transcripts.length)}]\n${beside}Transcript:\n${transcript}`;
  });
  return [...(own && transcripts.length > 1 ? [`User text:\n${own}`] : []), ...parts].join("\n\n");
}

function describe({ path, mimeType, url }: AttachedMedia): string {
  // An address is somebody else's word: it must not be able to end the note.
  const address = (url ?? "").replace(/[\s[\]]/g, "");
  return `${path} (${mimeType})${address ? ` | ${address}` : ""}`;
}

function countOf(index: number, all: number): string {
  return all > 1 ? ` ${index + 1}/${all}` : "";
}
