// Writes a conversation into the agent's workspace, as a page to keep.
import { resolve } from "node:path";
import type { ChatCall, Refusal } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { renderTranscript, type Transcripts } from "./room.ts";
import { liesInside } from "./inside-folder.ts";

/** More than anybody reads in one page. */
const MAX_EXPORTED = 20_000;

export async function exportSession(
  path: string | undefined,
  sessionId: string,
  { sessionKey, now }: Pick<ChatCall, "sessionKey" | "now">,
  { workspace, transcripts }: { readonly workspace: string; readonly transcripts: Transcripts },
): Promise<{ readonly kind: "written"; readonly path: string } | Refusal> {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, "-");
  const target = resolve(workspace, path ?? `openclaw-session-${sessionId.slice(0, 8)}-${stamp}.html`);
  if (!liesInside(workspace, target)) {
    return { kind: "refused", why: `The file must lie in the workspace ${workspace}.` };
  }
  const entries = await transcripts.path(sessionId, MAX_EXPORTED);
  try {
    writeFileAtomic(target, renderTranscript(sessionKey, entries));
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return { kind: "refused", why: `${target} cannot be written (${code}). Name another file.` };
  }
  return { kind: "written", path: target };
}
