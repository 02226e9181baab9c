// Mattermost names emojis; these are the ones people react with. Others pass by their names.

const NAMES: Readonly<Record<string, string>> = {
  "+1": "👍",
  "-1": "👎",
  heart: "❤️",
  joy: "😂",
  smile: "😄",
  slightly_smiling_face: "🙂",
  tada: "🎉",
  eyes: "👀",
  fire: "🔥",
  rocket: "🚀",
  pray: "🙏",
  clap: "👏",
  ok_hand: "👌",
  wave: "👋",
  muscle: "💪",
  thinking: "🤔",
  cry: "😢",
  sob: "😭",
  angry: "😠",
  scream: "😱",
  white_check_mark: "✅",
  x: "❌",
  warning: "⚠️",
  question: "❓",
  exclamation: "❗",
  hourglass_flowing_sand: "⏳",
  lobster: "🦞",
  crab: "🦀",
  "100": "💯",
};
const OTHER_NAMES: Readonly<Record<string, string>> = { thumbsup: "👍", thumbsdown: "👎", thinking_face: "🤔" };
const VARIANT = /\ufe0f/g;

export function emojiOf(name: string): string {
  if (Object.hasOwn(NAMES, name)) return NAMES[name] ?? name;
  return Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] ?? name) : `:${name}:`;
}

/** `:name:`, or an emoji whose name we know. */
export function emojiNameOf(emoji: string): string | undefined {
  const [, named] = /^:([\w+-]+):$/.exec(emoji.trim()) ?? [];
  if (named !== undefined) return named;
  const bare = emoji.trim().replace(VARIANT, "");
  return Object.entries(NAMES).find(([, known]) => known.replace(VARIANT, "") === bare)?.[0];
}
