// Turns a reply into the messages a channel will show, each small enough for it. Pure.
import type { OutboundMedia } from "@chela/sdk";
import type { ChannelPayload } from "./payload.ts";

export interface Reply {
  readonly texts: readonly string[];
  readonly media?: readonly OutboundMedia[];
  /** The platform's id of the message that is answered. */
  readonly replyTo?: string;
  /** Somebody asked for it, so it holds whatever the channel's habit is. */
  readonly isReplyAsked?: boolean;
  readonly asVoice?: boolean;
  /** The platform's id of a preview that becomes the first text. */
  readonly preview?: string;
}

export interface ReplyShape {
  /** Cuts a text into parts that fit. */
  cut(markdown: string): readonly string[];
  /** Put before the first text. */
  readonly prefix?: string;
  readonly replyToMode: "off" | "first" | "all";
  readonly threadId?: string;
  /** Whether a text may stand below a picture. */
  fitsCaption(markdown: string): boolean;
  /** How long to wait before each message but the first; absent: not at all. */
  pause?(): number;
}

/** `continues`: something of the same answer was sent before, so this is not its first message. */
export function composeReply(reply: Reply, shape: ReplyShape, continues = false): ChannelPayload[] {
  const texts = withPrefix(reply.texts, shape.prefix);
  const media = reply.media ?? [];
  const [only] = texts;
  const caption =
    media.length > 0 && texts.length === 1 && !reply.preview && only && shape.fitsCaption(only) ? only : undefined;
  const parts: ChannelPayload["content"][] = [
    ...(caption ? [] : texts.flatMap((text) => shape.cut(text))).map((markdown) => ({
      kind: "text" as const,
      markdown,
    })),
    ...media.map((one, at) => ({
      kind: "media" as const,
      media: one,
      ...(caption && at === 0 ? { caption } : {}),
      ...(reply.asVoice && isSound(one) ? { asVoice: true } : {}),
    })),
  ];
  return parts.map((content, at) => ({
    content,
    ...(shape.threadId === undefined ? {} : { threadId: shape.threadId }),
    ...replyField(reply, shape, at === 0 && !continues),
    ...(at === 0 && reply.preview && content.kind === "text" ? { edits: reply.preview } : {}),
    ...((at > 0 || continues) && shape.pause ? { delayMs: shape.pause() } : {}),
  }));
}

function replyField(
  { replyTo, isReplyAsked }: Reply,
  { replyToMode }: ReplyShape,
  isFirst: boolean,
): { replyTo?: string } {
  if (replyTo === undefined) return {};
  const wanted = replyToMode === "all" || (isFirst && (replyToMode === "first" || isReplyAsked === true));
  return wanted ? { replyTo } : {};
}

function withPrefix(texts: readonly string[], prefix: string | undefined): readonly string[] {
  const [first, ...rest] = texts;
  if (!prefix || first === undefined || first.startsWith(prefix)) return texts;
  return [`${prefix} ${first}`, ...rest];
}

function isSound({ mimeType }: OutboundMedia): boolean {
  return mimeType.startsWith("audio/");
}

export interface PrefixFacts {
  readonly model?: string;
  readonly provider?: string;
  readonly thinking?: string;
  readonly identityName?: string;
  /** Stands in for a name that nobody gave. */
  readonly agentId?: string;
}

/** `[{model}]` → `[claude]`; names nobody knows stay as they are. "auto" is the agent's name in brackets. */
export function responsePrefix(template: string | undefined, facts: PrefixFacts): string | undefined {
  if (!template) return undefined;
  if (template === "auto") return facts.identityName ? `[${facts.identityName}]` : undefined;
  const { model, provider, thinking, agentId, identityName = agentId } = facts;
  const values: Readonly<Record<string, string | undefined>> = {
    model: model?.replace(/-(?:\d{8}|latest)$/, ""),
    modelFull: provider && model ? `${provider}/${model}` : model,
    provider,
    thinkingLevel: thinking,
    think: thinking,
    "identity.name": identityName,
    identityName,
  };
  return template.replace(/\{([A-Za-z.]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
