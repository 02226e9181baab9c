// Slack calls emoji by names; people and models write the characters.

const NAMES: ReadonlyArray<readonly [emoji: string, ...names: string[]]> = [
  ["👍", "thumbsup", "+1"],
  ["👎", "thumbsdown", "-1"],
  ["❤️", "heart"],
  ["👀", "eyes"],
  ["✅", "white_check_mark"],
  ["❌", "x"],
  ["⚠️", "warning"],
  ["🎉", "tada"],
  ["🔥", "fire"],
  ["🚀", "rocket"],
  ["💯", "100"],
  ["🙏", "pray"],
  ["👏", "clap"],
  ["🙌", "raised_hands"],
  ["👋", "wave"],
  ["👌", "ok_hand"],
  ["✌️", "v"],
  ["💪", "muscle"],
  ["🤝", "handshake"],
  ["😀", "grinning"],
  ["😄", "smile"],
  ["😁", "grin"],
  ["😂", "joy"],
  ["🤣", "rolling_on_the_floor_laughing"],
  ["😅", "sweat_smile"],
  ["😊", "blush"],
  ["🙂", "slightly_smiling_face"],
  ["😉", "wink"],
  ["😍", "heart_eyes"],
  ["😎", "sunglasses"],
  ["🤔", "thinking_face", "thinking"],
  ["😐", "neutral_face"],
  ["😢", "cry"],
  ["😭", "sob"],
  ["😡", "rage"],
  ["😱", "scream"],
  ["😴", "sleeping"],
  ["🤯", "exploding_head"],
  ["🤷", "shrug"],
  ["🤦", "face_palm"],
  ["🤖", "robot_face"],
  ["🦞", "lobster"],
  ["💡", "bulb"],
  ["📌", "pushpin"],
  ["📎", "paperclip"],
  ["📝", "memo"],
  ["🔍", "mag"],
  ["🔒", "lock"],
  ["⏳", "hourglass_flowing_sand"],
  ["⌛", "hourglass"],
  ["⏰", "alarm_clock"],
  ["☕", "coffee"],
  ["🍕", "pizza"],
  ["🎂", "birthday"],
  ["🐛", "bug"],
  ["🛠️", "hammer_and_wrench"],
  ["➕", "heavy_plus_sign"],
  ["❓", "question"],
  ["❗", "exclamation"],
  ["⭐", "star"],
  ["✨", "sparkles"],
  ["💔", "broken_heart"],
  ["💀", "skull"],
  ["⚡", "zap"],
  ["🛑", "octagonal_sign"],
];

/** The name of an emoji, however it is written; undefined when it has none we know. */
export function slackEmojiName(written: string): string | undefined {
  const name = written.trim().replace(/^:+|:+$/g, "");
  if (/^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/i.test(name)) return name.toLowerCase();
  return NAMES.find(([emoji]) => withoutVariant(emoji) === withoutVariant(name))?.[1];
}

/** The character of a name, or `:name:` for the workspace's own ones. */
export function emojiOf(name: string): string {
  const plain = name.replace(/::skin-tone-\d$/, "");
  return NAMES.find(([, ...names]) => names.includes(plain))?.[0] ?? `:${plain}:`;
}

/** Some keyboards leave out the sign that asks for the coloured form, and some add the colour of the skin. */
function withoutVariant(emoji: string): string {
  return emoji.replace(/\uFE0F|\p{Emoji_Modifier}/gu, "");
}
