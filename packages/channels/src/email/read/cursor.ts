// Read position in the mailbox. UIDs count up, and mean nothing any more when UIDVALIDITY changes.
import * as z from "zod";
import { once, type ChannelHost, type Parsed } from "@chela/sdk";
import { recallAs } from "@chela/sdk/channel-kit";

const Cursor = once(() =>
  z.object({
    uidValidity: z.string(),
    uid: z.int().min(0),
    /** When the last mail that was read came. */
    at: z.number(),
  }),
);
export type Cursor = Parsed<typeof Cursor>;

export function recallCursor(host: ChannelHost, mailbox: string): Promise<Cursor | undefined> {
  return recallAs(host, `cursor:${mailbox}`, Cursor);
}

export function rememberCursor(host: ChannelHost, mailbox: string, cursor: Cursor): Promise<void> {
  return host.remember(`cursor:${mailbox}`, JSON.stringify(cursor));
}
