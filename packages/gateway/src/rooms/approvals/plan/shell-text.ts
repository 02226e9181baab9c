// Finds words of a shell text that may be files of code: all but those that only say where output goes. Pure.
import { basename } from "node:path";

/** Shells of which we know what `>` means; others have more meanings for it. */
const KNOWN_SHELLS: ReadonlySet<string> = new Set(["sh", "dash", "bash", "ash"]);
const BETWEEN_WORDS = /[\s"'`$(){}<>|&;=]+/;
/** With these it takes a whole shell to tell what is quoted. */
const HARD_TO_READ = /[`#]|<<|\$['"{]/;
/** Whatever a shell takes for one piece, as far as `>` is concerned; output goes to a plain word or to what we cannot tell. */
const PIECE =
  /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|<>|>[>|]?[ \t]*(?<target>[\p{L}\p{N}_./@%+,:-]+)(?=[ \t\n;&|)]|$)|(?<lone>['"\\])|./gsu;

/**
 * What a command writes to is no code of it, and others may write there at the same time. Such a file counts all the
 * same where another word could mean it, and where the text is not clear.
 */
export function codeWordsOf(text: string, shell: string): string[] {
  const read = KNOWN_SHELLS.has(basename(shell)) ? setTargetsApart(text) : undefined;
  if (!read) return wordsIn(text);
  const words = wordsIn(read.rest);
  const names = new Set(words.map((word) => basename(word)));
  return [...words, ...read.targets.filter((target) => names.has(basename(target)))];
}

function setTargetsApart(text: string): { readonly rest: string; readonly targets: readonly string[] } | undefined {
  if (HARD_TO_READ.test(text)) return undefined;
  const targets: string[] = [];
  let rest = "";
  for (const { 0: piece, groups } of text.matchAll(PIECE)) {
    const isNested = piece.startsWith('"') && piece.includes("$(");
    if (isNested || groups?.["lone"] !== undefined) return undefined;
    const target = groups?.["target"];
    if (target === undefined) rest += piece;
    else {
      targets.push(target);
      rest += " ";
    }
  }
  return { rest, targets };
}

function wordsIn(text: string): string[] {
  return text.split(BETWEEN_WORDS).filter((word) => word !== "");
}
