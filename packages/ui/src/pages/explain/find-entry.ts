// Finds the place of a turn in its conversation, by the times of what was said.
import type { MethodAnswer } from "@chela/sdk/protocol";

type Page = Pick<MethodAnswer<"chat.page">, "total" | "messages">;
type Message = Page["messages"][number];

const STRIDE = 12;

export interface Times {
  readonly from: number;
  readonly to: number;
}

/** The id of the first answer within these times, or else of the first thing said; undefined when nothing was. */
export async function findEntry(
  read: (from: number, limit: number) => Promise<Page>,
  times: Times,
): Promise<string | undefined> {
  const start = await firstSince(read, times.from);
  const { messages } = await read(Math.max(0, start), STRIDE * 2);
  const meant = messages.filter(
    ({ hidden, timestamp = Number.NaN }) => !hidden && timestamp >= times.from && timestamp <= times.to,
  );
  return (meant.find(({ role }) => role === "assistant") ?? meant[0])?.id;
}

/** By halves: a long conversation is not read from its begin. */
async function firstSince(read: (from: number, limit: number) => Promise<Page>, since: number): Promise<number> {
  let low = 0;
  let high = (await read(0, 1)).total;
  while (high - low > STRIDE) {
    const middle = Math.floor((low + high) / 2);
    const { messages } = await read(middle, STRIDE);
    const at = timeOf(messages);
    if (at !== undefined && at < since) low = middle;
    else high = middle;
  }
  return low;
}

function timeOf(messages: readonly Message[]): number | undefined {
  return messages.find(({ timestamp }) => timestamp !== undefined)?.timestamp;
}
