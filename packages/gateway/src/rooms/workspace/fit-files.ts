// Fits a workspace's files into the prompt: bounded per file and in all, with a word where something was cut.

export interface FileLimits {
  /** Characters of one file. */
  readonly perFile: number;
  /** Characters of all files together. */
  readonly total: number;
}

export const FILE_LIMITS: FileLimits = { perFile: 20_000, total: 150_000 };

export interface WholeFile {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** A file as it stands in the prompt. */
export interface InjectedFile {
  readonly name: string;
  readonly path: string;
  readonly content: string;
  /** The length of the whole file. */
  readonly rawChars: number;
  readonly truncated: boolean;
}

/** Less than this says nothing worth its heading. */
const LEAST_CHARS = 64;

export function fitFiles(files: readonly WholeFile[], limits: FileLimits): InjectedFile[] {
  const fitted: InjectedFile[] = [];
  let left = limits.total;
  for (const { name, path, text } of files) {
    if (left < LEAST_CHARS) break;
    const whole = text.trimEnd();
    const content = cutMiddle(whole, name, Math.min(limits.perFile, left));
    fitted.push({ name, path, content, rawChars: text.length, truncated: content !== whole });
    left -= content.length;
  }
  return fitted;
}

/** The beginning says most, the end is the newest: 70 % and 20 % of the limit, and a marker between them. */
function cutMiddle(text: string, name: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = firstChars(text, Math.floor(limit * 0.7));
  const tail = lastChars(text, Math.floor(limit * 0.2));
  const kept = `[kept the first ${head.length} and the last ${tail.length} of ${text.length} characters]`;
  const cut = `${head}\n\n[...truncated, read ${name} for full content...]\n${kept}\n\n${tail}`;
  return cut.length <= limit ? cut : firstChars(text, limit);
}

/** Never half a character. */
function firstChars(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

function lastChars(text: string, length: number): string {
  return text.slice(text.length - length).replace(/^[\uDC00-\uDFFF]/, "");
}
