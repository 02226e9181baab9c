// Joins the message desk with the way of fetching and the files of the agents. Loaded with the first message it sends.
import { createSafeFetch } from "./base/safe-fetch.ts";
import type { StatePaths } from "./config/room.ts";
import { joinFiles } from "./join-tools.ts";
import { createMessageDesk } from "./message-desk/message-desk.ts";
import type { DeskParts } from "./message-desk/parts.ts";
import type { MessageDesk } from "./message-desk/request.ts";

export function joinDesk(
  parts: Omit<DeskParts, "fetch" | "fileSettings"> & { readonly paths: StatePaths },
): MessageDesk {
  const fetch = createSafeFetch({ clock: parts.clock });
  const files = joinFiles(parts);
  return createMessageDesk({ ...parts, fetch, fileSettings: (agentId) => files.settings(agentId) });
}
