// Takes up what was written while we were away, from our own archive and those of the rooms.
import type { Logger } from "@chela/sdk";
import type { Archive, ArchivedMessage, ArchivePage } from "./archive.ts";
import type { Cursor, Inbound } from "./inbound.ts";

export interface CatchUpNeeds {
  /** A room, or our own address. */
  readonly jid: string;
  readonly room: string | undefined;
  readonly archive: Archive;
  readonly inbound: Inbound;
  readonly log: Logger;
  now(): number;
  take(item: ArchivedMessage): Promise<void>;
}

const PAGE = 100;
const MOST_PAGES = 20;
/** Where there is no id to go on from, the time is ours and not the server's. */
const CLOCKS_DIFFER_MS = 60_000;

/** False when the archive does not answer: then going on would leave a gap nobody sees. */
export async function catchUp(needs: CatchUpNeeds): Promise<boolean> {
  const cursor = await needs.inbound.cursorOf(needs.jid);
  return cursor ? readOn(needs, cursor) : begin(needs);
}

/** The first time everything that is there is old. */
async function begin({ jid, room, archive, inbound, now }: CatchUpNeeds): Promise<boolean> {
  const page = await archive.query({ ...inRoom(room), before: "", most: 1 });
  if (page.kind !== "page") return page.kind === "refused";
  await inbound.setCursor(jid, { id: page.items.at(-1)?.id ?? "", at: page.items.at(-1)?.at ?? now() });
  return true;
}

async function readOn(needs: CatchUpNeeds, cursor: Cursor): Promise<boolean> {
  let after = cursor.id;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page = await readPage(needs, after, cursor);
    if (page.kind !== "page") return page.kind === "refused";
    for (const item of page.items) await needs.take(item);
    const last = page.items.at(-1);
    if (!last || page.isComplete) return true;
    after = last.id;
  }
  needs.log.warn("more was written while we were away than is taken up; the newest part is left out", {
    chat: needs.jid,
  });
  return true;
}

/** Archives forget; then the time says where to go on. */
async function readPage({ room, archive }: CatchUpNeeds, after: string, cursor: Cursor): Promise<ArchivePage> {
  const where = { ...inRoom(room), most: PAGE };
  if (after === "") return archive.query({ ...where, start: cursor.at - CLOCKS_DIFFER_MS });
  const page = await archive.query({ ...where, after });
  return page.kind === "unknown-id" ? archive.query({ ...where, start: cursor.at }) : page;
}

const inRoom = (room: string | undefined): { room?: string } => (room === undefined ? {} : { room });
