// Chat commands /compact and /context: what fills a conversation's context, and a summary in its place.
import {
  done,
  refused,
  type ChatCall,
  type ChatCommand,
  type CommandAnswer,
  type ContextPart,
  type ContextReport,
} from "@chela/sdk";
import { foldWords, percent, shortNumber } from "../../base/text/chat-layout.ts";
import type { House } from "../../house/house.ts";

async function compact(
  args: string,
  { message }: ChatCall,
  { inbound, ledger }: Pick<House, "inbound" | "ledger">,
): Promise<CommandAnswer> {
  const { runId, agentId, sessionKey } = message;
  await inbound.stopEarlier(message);
  const body = { text: "", chore: { kind: "compaction" as const, ...(args ? { instructions: args } : {}) } };
  const admitted = await inbound.chore({ runId: `compact:${runId}`, agentId, sessionKey, body });
  const outcome =
    admitted.kind === "accepted" || admitted.kind === "duplicate"
      ? ((await admitted.done) ?? (await ledger.run(`compact:${runId}`))?.outcome)
      : undefined;
  const meta = outcome?.meta ?? {};
  if (meta["kind"] !== "compacted") {
    const why = String(meta["why"] ?? outcome?.error ?? "The conversation stays as it is.");
    return refused("⚙️ Not compacted.", why);
  }
  const [before, after, window] = [Number(meta["before"]), Number(meta["after"]), Number(meta["window"])];
  return done(
    `⚙️ Compacted (${shortNumber(before)} → ${shortNumber(after)})`,
    `Context ${shortNumber(after)}/${shortNumber(window)} (${percent(after, window)})`,
  );
}

async function showContext(args: string, call: ChatCall): Promise<CommandAnswer> {
  const wanted = args.toLowerCase() || "list";
  const report = await call.contextReport();
  if (wanted === "json") return done(JSON.stringify(report, undefined, 2));
  if (wanted === "detail") return done(...contextHead(report), ...contextDetail(report));
  if (wanted !== "list") return refused(`⚠️ /context does not know "${args}".`, "Allowed: list, detail, json.");
  return done(
    ...contextHead(report),
    sumLine("Files", report.files),
    sumLine("Tools", report.tools),
    sumLine("Skills", report.skills),
    "More: /context detail",
  );
}

function contextHead(report: ContextReport): string[] {
  const { usedTokens, windowTokens } = report;
  const share = percent(usedTokens, windowTokens);
  return [
    `📚 Context: ${shortNumber(usedTokens)}/${shortNumber(windowTokens)} tokens (${share})`,
    `System prompt: ${shortNumber(report.systemChars)} characters`,
    `Messages: ${report.messages}`,
  ];
}

function contextDetail({ files, tools, skills }: ContextReport): string[] {
  const biggest = (title: string, parts: readonly ContextPart[], most: number) => {
    const sorted = [...parts].sort((a, b) => b.chars - a.chars).slice(0, most);
    const [first, ...others] = sorted.map(({ name, chars, isCut }) => {
      return `${name} ${shortNumber(chars)}${isCut ? " (cut)" : ""}`;
    });
    return first ? foldWords([`${title}: ${first}`, ...others], ", ") : [`${title}: none`];
  };
  return [...biggest("Files", files, 6), ...biggest("Tools", tools, 6), ...biggest("Skills", skills, 4)];
}

function sumLine(title: string, parts: readonly ContextPart[]): string {
  if (parts.length === 0) return `${title}: none`;
  const chars = parts.reduce((sum, part) => sum + part.chars, 0);
  return `${title}: ${parts.length}, ${shortNumber(chars)} characters`;
}

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "compact",
    aliases: [],
    usage: "[what to keep]",
    category: "Session",
    who: "authorised",
    changesConversation: true,
    help: "summarise what was said",
    listed: 40,
    run: compact,
  },
  {
    name: "context",
    aliases: [],
    usage: "[list|detail|json]",
    category: "Status",
    who: "authorised",
    help: "what fills the context",
    listed: 210,
    run: showContext,
  },
];
