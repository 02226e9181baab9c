// The tool `sessions_history`: reads what was said in a session, page by page, also what a summary stands for.
import { defined } from "@chela/sdk/base";
import type { ToolContext, ToolOutput } from "@chela/sdk";
import { readPage } from "./history-page.ts";
import type { HistoryReads } from "./parts.ts";
import { asJson, failed, forbidden } from "./results.ts";
import { visibleSessions } from "./visible-sessions.ts";

const DEFAULT_LIMIT = 50;
const TEXT_CHARS = 4000;

export interface HistoryArguments {
  readonly sessionKey: string;
  readonly limit?: number | undefined;
  readonly includeTools?: boolean | undefined;
  readonly entryId?: string | undefined;
}

export async function readHistory(
  { sessionKey, limit = DEFAULT_LIMIT, includeTools = false, entryId }: HistoryArguments,
  reads: HistoryReads,
  context: ToolContext,
): Promise<ToolOutput> {
  const session = await visibleSessions(reads, context).find(sessionKey);
  if (!session) return forbidden();
  const page = await readPage(reads, session, { limit, includeTools, entryId, textChars: TEXT_CHARS });
  if (!page) {
    return failed(
      `The session has no entry ${JSON.stringify(entryId)}. ` +
        "Ids are those of the messages shown, of olderEntryId, or those that a summary names.",
    );
  }
  const { messages, olderEntryId, droppedMessages, contentTruncated, contentRedacted, bytes } = page;
  return asJson({
    sessionKey: session.key,
    messages,
    truncated: droppedMessages || contentTruncated,
    droppedMessages,
    contentTruncated,
    contentRedacted,
    bytes,
    ...defined({ olderEntryId }),
  });
}
