// Settings for the signs of life a person sees while an answer is being made. Pure.

export interface LiveSettings {
  readonly streaming: "off" | "partial" | "block";
  /** No message is longer, whatever the platform would take. */
  readonly textChunkLimit: number | undefined;
  /** "" shows none. */
  readonly ackReaction: string;
  readonly ackIn: { readonly direct: boolean; readonly group: "always" | "mentions" | "never" };
  readonly removeAckAfterReply: boolean;
  readonly marksRead: boolean;
  /** Undefined: at once where we were spoken to, otherwise with the first words. */
  readonly typing: "never" | "instant" | "thinking" | "message" | undefined;
  readonly typingEveryMs: number | undefined;
  readonly blocks: BlockSettings;
  /** Undefined when they are switched off. */
  readonly statusReactions: StatusSettings | undefined;
}

export interface BlockSettings {
  readonly minChars: number;
  readonly maxChars: number;
  readonly prefer: "paragraph" | "newline" | "sentence";
  /** "text_end": as soon as there is enough. "message_end": when the model has said what it wanted to say. */
  readonly breakAt: "text_end" | "message_end";
  /** Short blocks wait for more until there is this much, for this long. */
  readonly coalesce: { readonly minChars: number; readonly maxChars: number; readonly idleMs: number };
}

export type Status = "queued" | "thinking" | "tool" | "coding" | "web" | "done" | "error" | "stallSoft" | "stallHard";

export interface StatusSettings {
  readonly emojis: Readonly<Record<Status, string>>;
  readonly debounceMs: number;
  readonly stallSoftMs: number;
  readonly stallHardMs: number;
  readonly doneHoldMs: number;
  readonly errorHoldMs: number;
}

export function isAcknowledged(
  { ackIn, ackReaction }: Pick<LiveSettings, "ackIn" | "ackReaction">,
  { isDirect, wasMentioned }: { readonly isDirect: boolean; readonly wasMentioned: boolean },
): boolean {
  if (ackReaction === "") return false;
  if (isDirect) return ackIn.direct;
  return ackIn.group === "always" || (ackIn.group === "mentions" && wasMentioned);
}

/** When the typing sign begins. */
export function typingMode(
  { typing }: Pick<LiveSettings, "typing">,
  { isDirect, wasMentioned }: { readonly isDirect: boolean; readonly wasMentioned: boolean },
): NonNullable<LiveSettings["typing"]> {
  return typing ?? (isDirect || wasMentioned ? "instant" : "message");
}
