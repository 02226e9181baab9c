// The events of a room a sync left out because there were too many, and where those begin that are meant for us.
import { route, type Api, type ApiResult } from "../api.ts";
import { expectDone, isTokenRefused } from "../failures.ts";
import { MessagesPage, readEvents, type RoomEvent } from "../wire.ts";

const PAGE = 100;
const MAX_PAGES = 20;

/** From the end of the gap back to where the last sync ended, oldest first. What the server refuses is not to be had. */
export async function readGap(api: Api, roomId: string, from: string, since: string, us: string): Promise<RoomEvent[]> {
  const pages: RoomEvent[][] = [];
  let at: string | undefined = from;
  while (at !== undefined && pages.length < MAX_PAGES) {
    const query = { dir: "b", from: at, to: since, limit: String(PAGE) };
    const path = route`/client/v3/rooms/${roomId}/messages`;
    const result = await api.call({ method: "GET", path, query });
    // To ask for this room again and again would keep all others from being read.
    if (isRefusedForGood(result)) break;
    const { chunk, end } = MessagesPage().parse(expectDone(result, "missed messages cannot be read"));
    const events = readEvents(chunk).reverse();
    pages.push(events);
    if (events.some((event) => isOurArrival(event, us))) break;
    at = chunk.length > 0 && end !== at ? end : undefined;
  }
  return pages.reverse().flat();
}

function isRefusedForGood(result: ApiResult): boolean {
  if (result.kind !== "refused" || isTokenRefused(result)) return false;
  return result.status >= 400 && result.status < 500 && result.status !== 429;
}

/** What was said before we were invited was said to others. */
export function sinceOurArrival(events: readonly RoomEvent[], us: string): readonly RoomEvent[] {
  const arrival = events.findLastIndex((event) => isOurArrival(event, us));
  return arrival < 0 ? events : events.slice(arrival + 1);
}

function isOurArrival(event: RoomEvent, us: string): boolean {
  if (event.type !== "m.room.member" || event.state_key !== us) return false;
  const before = (event.unsigned?.["prev_content"] as { membership?: unknown } | undefined)?.membership;
  const { membership } = event.content;
  if (membership === "invite") return true;
  return membership === "join" && before !== "join" && before !== "invite";
}
