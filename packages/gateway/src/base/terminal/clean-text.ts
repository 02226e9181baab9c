// Cleans text for a terminal: letters, signs and line breaks. Whoever wrote it must not move the cursor, change
// colours, hide letters or turn their order round.

/** Controls but for the line break and the tab, whatever only formats, fillers that look like nothing, and separators of lines. */
const UNWANTED = /[[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]--[\n\t\u200c\u200d]]/gv;
/** Joiners mean something between signs of an emoji and in scripts whose letters join; elsewhere they hide. */
const STRAY_JOINER =
  /(?<![[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]])[\u200c\u200d]+/gv;
/** What JSON leaves as it is. */
const UNWANTED_IN_JSON = /[[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]--[\n\t]]/gv;
/** Nothing to look at twice: most of what is printed. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

export function cleanForTerminal(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.toWellFormed().replace(UNWANTED, "").replace(STRAY_JOINER, "");
}

/** The same value, written with escapes. */
export function cleanJson(json: string): string {
  if (PLAIN.test(json)) return json;
  return json.replace(UNWANTED_IN_JSON, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}
