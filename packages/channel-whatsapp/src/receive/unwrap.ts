// Takes the wrappers off a message: disappearing, seen once, with a caption … mean the same to us as the message inside.
import type { proto } from "baileys";

const MOST_LAYERS = 8;

export function unwrap(message: proto.IMessage | null | undefined): proto.IMessage {
  let current = message ?? {};
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const inner =
      current.ephemeralMessage?.message ??
      current.viewOnceMessage?.message ??
      current.viewOnceMessageV2?.message ??
      current.viewOnceMessageV2Extension?.message ??
      current.documentWithCaptionMessage?.message ??
      current.deviceSentMessage?.message ??
      current.groupMentionedMessage?.message ??
      current.lottieStickerMessage?.message ??
      current.editedMessage?.message;
    if (!inner) return current;
    current = inner;
  }
  return current;
}
