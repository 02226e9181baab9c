// JSON with comments, single quotes and names without quotes, as people write it by hand: for the editor's colours.
import { StreamLanguage, type StringStream } from "@codemirror/language";

interface TokenizerState {
  isInComment: boolean;
}

export const json5 = StreamLanguage.define<TokenizerState>({
  name: "json5",
  startState: () => ({ isInComment: false }),
  token(stream, place) {
    if (place.isInComment) return readComment(stream, place);
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      place.isInComment = true;
      return readComment(stream, place);
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return nameOr(stream, "string");
    if (stream.match(/^[-+]?(?:0x[\da-f]+|\.?\d[\d.]*(?:e[-+]?\d+)?|Infinity|NaN)/i)) return "number";
    if (stream.match(/^(?:true|false)\b/)) return nameOr(stream, "bool");
    if (stream.match(/^null\b/)) return nameOr(stream, "null");
    if (stream.match(/^[\p{L}_$][\p{L}\p{N}_$]*/u)) return nameOr(stream, null);
    stream.next();
    return null;
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    indentOnInput: /^\s*[}\]]$/,
  },
});

/** What stands before a colon is the name of a key. */
function nameOr(stream: StringStream, otherwise: string | null): string | null {
  return stream.match(/^\s*:/, false) ? "propertyName" : otherwise;
}

function readComment(stream: StringStream, place: TokenizerState): string {
  if (stream.match(/^.*?\*\//)) place.isInComment = false;
  else stream.skipToEnd();
  return "comment";
}
