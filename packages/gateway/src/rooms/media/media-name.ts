// Names that senders gave their files, made harmless: for showing, for sending on, and for the disk.
import { endingOf, fitsEnding } from "./media-types.ts";

const MOST_CHARACTERS = 120;
const MOST_ON_DISK = 40;
const LONGEST_ENDING = 12;
/** Devices of Windows, whatever ending follows. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A file name without a path, control characters or anything a shell, a page or a header could read as more than a name. */
export function cleanName(given: string | undefined, mimeType: string): string {
  const last = (given ?? "").normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}\p{Emoji_Presentation}._ ()+,=@#&~-]/gu, "_")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  const { stem, ending } = divide(plain);
  if (stem === "") return `file.${endingOf(mimeType)}`;
  const safe = RESERVED.test(stem) ? `_${stem}` : stem;
  const room = MOST_CHARACTERS - LONGEST_ENDING;
  const short = [...safe].slice(0, room).join("").trim();
  if (ending === "") return `${short}.${endingOf(mimeType)}`;
  return fitsEnding(mimeType, ending) ? `${short}.${ending}` : `${short}.${ending}.${endingOf(mimeType)}`;
}

/** What the disk calls it: found by its content, readable for people only if they want it so. */
export function fileNameFor(id: string, mimeType: string, name?: string): string {
  const words = [...divide(name ?? "").stem.replace(/[^\p{L}\p{N}]+/gu, "-")].slice(0, MOST_ON_DISK).join("");
  const label = words.replace(/^-+|-+$/g, "");
  return `${id}${label ? `-${label}` : ""}.${endingOf(mimeType)}`;
}

function divide(name: string): { stem: string; ending: string } {
  const found = /^(.*)\.([A-Za-z0-9]{1,12})$/.exec(name);
  return found ? { stem: found[1] ?? "", ending: found[2] ?? "" } : { stem: name, ending: "" };
}
