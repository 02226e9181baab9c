// `chela search`: finds what was said, in all conversations, by its words.
import { defined } from "@chela/sdk/base";
import type { CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { cleanForTerminal, formatAge } from "../../../base/terminal/layout.ts";
import { readTimeFlag } from "../../../base/terminal/read-time-flag.ts";

type SearchAnswer = MethodAnswer<"sessions.search">;

const USUAL_HITS = 20;

export async function search(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const [agentId, sessionKey, role] = [flags.text("agent"), flags.text("session"), flags.text("role")];
  const [after, before] = ["after", "before"].map((name) => readTimeFlag(flags, name, Date.now()));
  const found = await call.gateway.call("sessions.search", {
    query: args.join(" "),
    limit: flags.number("limit") ?? USUAL_HITS,
    ...defined({ agentId, sessionKey, role, after, before }),
    ...(flags.has("deleted") ? { includeDeleted: true } : {}),
  });
  if (flags.has("json")) terminal.printJson(found);
  else for (const line of describeFound(found, call)) terminal.print(line);
  return 0;
}

function describeFound({ hits, hasMore, indexing }: SearchAnswer, { terminal: { style } }: CommandCall): string[] {
  const lines = hits.flatMap((hit) => {
    const label = hit.label ? ` (${hit.label})` : "";
    const ended = hit.archived ? `, ${hit.archived === "deleted" ? "deleted" : "before a new start"}` : "";
    const who = `${cleanForTerminal(`${hit.sessionKey}${label}`)}, ${hit.role}, ${formatAge(Date.now() - hit.timestamp)}${ended}`;
    return [style.dim(who), `  ${markMatches(hit, style.bold)}`];
  });
  if (hits.length === 0) lines.push("Nothing was found.");
  if (hasMore) lines.push(style.dim("There is more; --limit shows up to 100."));
  if (indexing) {
    const share = Math.floor((100 * indexing.done) / Math.max(1, indexing.of));
    lines.push(style.dim(`The index is still being made (${share} %): ask again in a while to find older messages.`));
  }
  return lines;
}

function markMatches({ snippet, ranges }: SearchAnswer["hits"][number], mark: (text: string) => string): string {
  let at = 0;
  let text = "";
  for (const [start, end] of ranges) {
    text += cleanForTerminal(snippet.slice(at, start)) + mark(cleanForTerminal(snippet.slice(start, end)));
    at = end;
  }
  return text + cleanForTerminal(snippet.slice(at));
}
