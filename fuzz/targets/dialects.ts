// Text of models as each channel writes it.
import { plainText } from "@chela/sdk/markdown";
import { promise, type Target } from "../target.ts";
import { markdown } from "./markdown.ts";

export const dialects: Target = {
  name: "dialects",
  promises:
    "Every channel writes every text; what is HTML or XML there lets no tag of the text through, and styles stay within the text.",
  kind: "text",
  seeds: () => markdown.seeds(),
  words: [
    ...(markdown.words ?? []),
    "<script>",
    "</b>",
    "<!channel>",
    "<@U1>",
    "@everyone",
    "&lt;",
    '"',
    "\u0003",
    "\u001b[",
  ],
  maxLength: 1000,
  async open() {
    const [discord, email, irc, mattermost, signal, slack, sms, telegram, whatsapp, xmpp] = await Promise.all([
      import("../../packages/channels/src/discord/format.ts"),
      import("../../packages/channels/src/email/format.ts"),
      import("../../packages/channels/src/irc/format.ts"),
      import("../../packages/channels/src/mattermost/format.ts"),
      import("../../packages/channels/src/signal/format.ts"),
      import("../../packages/channels/src/slack/format.ts"),
      import("../../packages/channels/src/sms/format.ts"),
      import("../../packages/channels/src/telegram/format.ts"),
      import("../../packages/channels/src/whatsapp-cloud/format.ts"),
      import("../../packages/channels/src/xmpp/format.ts"),
    ]);
    const writers = [
      discord.toDiscord,
      email.toText,
      email.toSubject,
      irc.renderIrc,
      mattermost.toMattermost,
      slack.toMarkdownBlock,
      sms.writeText,
      whatsapp.writeText,
      xmpp.toStyling,
      plainText,
    ] as const;
    return {
      run(input) {
        for (const write of writers) write(input);
        checkTags(telegram.toHtml(input), TELEGRAM_TAGS);
        checkTags(email.toHtml(input), undefined);
        promise(!slack.toMrkdwn(input).includes("<!"), "a text calls a whole channel on Slack");
        const { text, styles } = signal.toStyledText(input);
        for (const style of styles) checkStyle(style, text.length);
      },
    };
  },
};

const TELEGRAM_TAGS = /^\/?(?:b|i|u|s|code|pre|a|blockquote|tg-spoiler|em|strong)(?:$|\s)/;

/** Every tag that is opened is closed, in order; none is one nobody writes. */
function checkTags(html: string, allowed: RegExp | undefined): void {
  const open: string[] = [];
  for (const [, inside = ""] of html.matchAll(/<([^>]*)>/g)) {
    promise(!allowed || allowed.test(inside), () => `there is a tag <${inside}>`);
    promise(!/^\/?(?:script|iframe|object|style|img)\b/i.test(inside), () => `there is a tag <${inside}>`);
    const name = /^\/?([\w-]+)/.exec(inside)?.[1] ?? "";
    if (/^(?:br|hr|meta)$/.test(name) || inside.startsWith("!")) continue;
    if (inside.startsWith("/")) promise(open.pop() === name, () => `<${inside}> closes what is not open`);
    else open.push(name);
  }
  promise(open.length === 0, () => `left open: ${open.join(", ")}`);
}

/** `start:length:STYLE` */
function checkStyle(style: string, length: number): void {
  const [start = -1, size = 0] = style.split(":").map(Number);
  promise(start >= 0 && size > 0 && start + size <= length, () => `a style stands outside: ${style} of ${length}`);
}
