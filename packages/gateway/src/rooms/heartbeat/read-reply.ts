// Reads the answer to a heartbeat: whether the agent has something to tell, and what. Pure.

export type BeatReply =
  /** The model said nothing at all. */
  | { readonly kind: "empty" }
  /** It said that there is nothing to tell, perhaps with a few words around it. */
  | { readonly kind: "nothing" }
  | { readonly kind: "news"; readonly text: string };

const NOTHING_TO_TELL = "HEARTBEAT_OK";
/** Marks and tags a model may put around the word. */
const AT_START = new RegExp(String.raw`^(?:[*_~\x60\s]|<\w{1,12}>){0,20}${NOTHING_TO_TELL}(?![A-Za-z0-9])`);
const MARKS = /<\/?\w{1,12}>|[*_~`\s]/g;
/** How many signs may stand behind it: "HEARTBEAT_OK!!!", "HEARTBEAT_OK 👍". */
const MOST_SIGNS = 4;
const LONGEST_END = 60;
const THOUGHT = /<(think|thinking|thought|antthinking)>[^]*?(?:<\/\1>|$)/gi;

/**
 * `written`: the last message as the model wrote it, where the word can still be seen. `shown`: what of the turn is meant
 * for people, in order; what came before the last of them was said on the way.
 */
export function readReply(written: string, shown: readonly string[], ackMaxChars: number): BeatReply {
  const bare = written.replace(THOUGHT, "").trim();
  const rest = withoutToken(bare);
  if (rest !== bare && rest.length <= ackMaxChars) return { kind: "nothing" };
  const text = bare === "" ? "" : withoutToken((shown.at(-1) ?? "").trim());
  return text === "" ? { kind: "empty" } : { kind: "news", text };
}

function withoutToken(text: string): string {
  const behind = AT_START.test(text) ? text.replace(AT_START, "").replace(/^[*_~`\s.!,:;-]{1,20}/, "") : text;
  return withoutEnd(behind).trim();
}

function withoutEnd(text: string): string {
  const at = text.lastIndexOf(NOTHING_TO_TELL);
  if (at < 0) return text;
  const before = text.slice(0, at);
  const behind = text.slice(at + NOTHING_TO_TELL.length);
  const signs = behind.length > LONGEST_END ? behind : behind.replace(MARKS, "");
  const isEnd = [...signs].length <= MOST_SIGNS && !/\w/.test(signs);
  // Part of a longer word, it is no word of ours.
  return isEnd && !/[A-Za-z0-9]_*$/.test(before.slice(-LONGEST_END)) ? before.replace(/[*_~`\s]{1,20}$/, "") : text;
}
