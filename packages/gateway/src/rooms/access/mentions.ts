// Decides whether a text is addressed to us: by the platform's mark-up, as an answer to us, or by words that mean us.
import type { ChannelContent } from "@chela/sdk";
import { checkPattern } from "./check-pattern.ts";
import type { MentionRules } from "./rules.ts";

/** Whoever calls us does so at the beginning. */
const TEXT_LOOKED_AT = 4_000;

export interface MentionSources {
  /** `groupChat.mentionPatterns` of the agent. */
  readonly agent?: readonly string[] | undefined;
  /** `messages.groupChat.mentionPatterns`. */
  readonly messages?: readonly string[] | undefined;
  /** Of the agent's identity, for when neither is set. */
  readonly name?: string | undefined;
  readonly emoji?: string | undefined;
}

export interface ReadMentions {
  readonly rules: MentionRules;
  /** These match nothing, and this is what to tell the operator. */
  readonly refused: ReadonlyArray<{ readonly pattern: string; readonly why: string }>;
}

/** Reads the patterns once, when they are configured. An empty list means that no words mean us. */
export function readMentionPatterns({ agent, messages, name, emoji }: MentionSources): ReadMentions {
  const written = agent ?? messages;
  if (!written) return { rules: { patterns: patternsOfIdentity(name, emoji) }, refused: [] };
  const patterns: RegExp[] = [];
  const refused: Array<{ pattern: string; why: string }> = [];
  for (const pattern of written) {
    const checked = checkPattern(pattern, TEXT_LOOKED_AT);
    if (checked.kind === "safe") patterns.push(checked.pattern);
    else refused.push({ pattern, why: checked.why });
  }
  return { rules: { patterns }, refused };
}

export function mentionsUs(
  content: Extract<ChannelContent, { kind: "message" | "edit" }>,
  { patterns }: MentionRules,
): boolean {
  if (content.kind === "message" && (content.mentionsUs === true || content.replyTo?.isOurs === true)) return true;
  const text = typeof content.text === "string" ? content.text.slice(0, TEXT_LOOKED_AT) : "";
  return text !== "" && patterns.some((pattern) => pattern.test(text));
}

function patternsOfIdentity(name: string | undefined, emoji: string | undefined): RegExp[] {
  const words = (name ?? "").split(/\s+/).filter(Boolean).map(literally);
  const letter = String.raw`[\p{L}\p{N}_]`;
  return [
    ...(words.length > 0 ? [new RegExp(`(?<!${letter})${words.join(String.raw`\s{1,9}`)}(?!${letter})`, "iu")] : []),
    ...(emoji?.trim() ? [new RegExp(literally(emoji.trim()), "u")] : []),
  ];
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
