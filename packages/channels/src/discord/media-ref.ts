// Reference to an attachment: where it lies now, and the message that knows its next address.

export interface MediaRef {
  readonly channelId: string;
  readonly messageId: string;
  readonly attachmentId: string;
  /** Works for about a day; then the message has to be read again. */
  readonly url: string;
}

export function writeMediaRef({ channelId, messageId, attachmentId, url }: MediaRef): string {
  return `${channelId}/${messageId}/${attachmentId} ${url}`;
}

export function readMediaRef(ref: string): MediaRef | undefined {
  const read = /^(\d{1,20})\/(\d{1,20})\/(\d{1,20}) (https?:\/\/\S+)$/.exec(ref);
  if (!read) return undefined;
  const [, channelId = "", messageId = "", attachmentId = "", url = ""] = read;
  return { channelId, messageId, attachmentId, url };
}
