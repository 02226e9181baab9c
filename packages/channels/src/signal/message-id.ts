// Ids of messages. Signal names a message by its time and its author: "1700000000000" is one of ours,
// "1700000000000:<uuid or number>" somebody else's. So an answer can quote it also after a restart.

export interface MessageName {
  readonly timestamp: number;
  /** A number or a uuid; absent: ourselves. */
  readonly author?: string;
}

export function writeMessageId(timestamp: number, author?: string): string {
  return author === undefined ? String(timestamp) : `${timestamp}:${author}`;
}

/** Undefined for what is no id of ours; times that are too small crash signal-cli. */
export function readMessageId(id: string): MessageName | undefined {
  const [, digits = "", author] = /^(\d{12,15})(?::(\S+))?$/.exec(id) ?? [];
  if (digits === "") return undefined;
  return { timestamp: Number(digits), ...(author === undefined ? {} : { author }) };
}
