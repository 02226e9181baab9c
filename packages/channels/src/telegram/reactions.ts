// The reactions Telegram has, and the nearest one for those it has not.
import type { ReactionTypeEmoji } from "grammy/types";
import { GatewayError } from "@chela/sdk";

type Emoji = ReactionTypeEmoji["emoji"];

const ALLOWED =
  "👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡";

/** Each is followed by those it can stand for. */
const STANDS_FOR: ReadonlyArray<readonly [Emoji, string]> = [
  ["👍", "✅ ☑ ✔"],
  ["👎", "❌ 🚫 ✖"],
  ["👌", "🆗"],
  ["❤", "💙 💚 💛 🧡 💜 🖤 🤍 🫶"],
  ["💘", "💖 💕 💞 💓"],
  ["🔥", "🚀 💪"],
  ["👏", "🙌"],
  ["😁", "😄 😃 😀 🙂 😅"],
  ["🤣", "😂 😆"],
  ["🥰", "😊"],
  ["😎", "😉"],
  ["🤔", "❓ 💭"],
  ["😱", "❗ 😮"],
  ["🤯", "😲"],
  ["😨", "⚠"],
  ["🤨", "😕"],
  ["😢", "🙁 ☹ 😞 😥"],
  ["😡", "😠"],
  ["🎉", "🎊 🥳"],
  ["🤩", "💡 ✨ ⭐ 🌟"],
  ["🤓", "🧠"],
  ["🤗", "👋"],
  ["👀", "⏳ ⌛ 👁 🔍 🔎"],
  ["👨‍💻", "💻 🛠 🔧"],
  ["✍", "📝"],
  ["⚡", "🌐"],
  ["👾", "🤖"],
];

/** Skin colours and the mark that asks for a coloured picture do not matter. */
export function nearestReaction(written: string): Emoji {
  const bare = written.trim().replace(/\ufe0f|\p{Emoji_Modifier}/gu, "");
  const found = ALLOWED.split(" ").find((emoji) => emoji === bare) as Emoji | undefined;
  const nearest = found ?? STANDS_FOR.find(([, others]) => others.split(" ").includes(bare))?.[0];
  if (nearest) return nearest;
  throw new GatewayError("CHANNEL_REFUSED", `Telegram has no reaction "${written}". It has these: ${ALLOWED}`);
}
