// `chela memory search|facts|forget`: what an agent remembers, where it has it from, and taking it away.
import { defined } from "@chela/sdk/base";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer, MethodName, MethodParams, WrittenParams } from "@chela/sdk/protocol";
import { confirm } from "../../../base/terminal/confirm.ts";
import { cleanForTerminal, count, formatAge, wrapText } from "../../../base/terminal/layout.ts";
import { markedLines } from "../../../base/terminal/marked-text.ts";

type MemoryHits = MethodAnswer<"memory.search">;
type Hit = MemoryHits["results"][number];
type FactsAnswer = MethodAnswer<"memory.facts">;
type Fact = FactsAnswer["facts"][number];
type Forgotten = MethodAnswer<"memory.forget">["forgotten"];
type ForgetWish = MethodParams<"memory.forget">["what"];

const TIMEOUT_MS = 60_000;
const INDENT = "      ";
const SNIPPET_LINES = 4;
const MOST_RESULTS = 100;
const MOST_FACTS = 500;

export async function search(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const query = flags.text("query") ?? args.join(" ");
  if (query.trim() === "") throw usageFailure("Say what to look for: chela memory search <words>");
  const maxResults = countFlag(call, "max-results", MOST_RESULTS);
  const minScore = scoreOf(flags.text("min-score"));
  const found = await ask(call, "memory.search", {
    query,
    ...agentOf(call),
    ...defined({ maxResults, minScore }),
  });
  if (flags.has("json")) terminal.printJson(found);
  else for (const line of describeFound(found, query, call)) terminal.print(line);
  return 0;
}

function countFlag({ flags }: CommandCall, name: string, most: number): number | undefined {
  const count = flags.number(name);
  if (count === undefined || (count >= 1 && count <= most)) return count;
  throw usageFailure(`--${name} goes from 1 to ${most}.`);
}

function scoreOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const score = /^[01]?(?:\.\d+)?$/.test(written) && written !== "" ? Number(written) : Number.NaN;
  if (score >= 0 && score <= 1) return score;
  throw usageFailure(`--min-score needs a number from 0 to 1, not "${written}".`);
}

function describeFound({ results, notice, indexing, mode }: MemoryHits, query: string, call: CommandCall): string[] {
  const { style, columns } = call.terminal;
  const lines = results.flatMap((hit) => [
    describePlace(hit, mode, call),
    ...markedLines(hit.snippet, query, style.bold, { columns, mostLines: SNIPPET_LINES, indent: INDENT }),
  ]);
  if (results.length === 0) lines.push("Nothing was found.");
  if (notice) lines.push(style.yellow(wrapText(cleanForTerminal(notice), columns)));
  if (indexing) {
    const share = Math.floor((100 * indexing.done) / Math.max(1, indexing.of));
    lines.push(style.dim(`The index is still being made (${share} %): ask again in a while to find more.`));
  }
  return lines;
}

function describePlace(hit: Hit, mode: MemoryHits["mode"], { terminal: { style, columns } }: CommandCall): string {
  const place = cleanForTerminal(placeOf(hit));
  const line = `${hit.score.toFixed(2)}  ${style.cyan(place)}`;
  const parts = [
    ...(hit.textScore === undefined ? [] : [`words ${hit.textScore.toFixed(2)}`]),
    ...(hit.vectorScore === undefined ? [] : [`meaning ${hit.vectorScore.toFixed(2)}`]),
  ].join(", ");
  const hasRoom = INDENT.length + place.length + parts.length + 4 <= columns;
  return mode === "hybrid" && parts && hasRoom ? `${line}  ${style.dim(`(${parts})`)}` : line;
}

function placeOf({ source, path, startLine, endLine, sessionKey, at }: Hit): string {
  if (source === "sessions") {
    const when = at === undefined ? "" : `, ${formatAge(Date.now() - at)}`;
    return `${sessionKey ?? path}${when}`;
  }
  return startLine === endLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
}

export async function facts(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const limit = countFlag(call, "limit", MOST_FACTS);
  const known = await ask(call, "memory.facts", {
    ...agentOf(call),
    ...given(call, { subject: "about", person: "person", sessionKey: "session", kind: "kind", search: "search" }),
    ...defined({ limit }),
  });
  if (flags.has("json")) terminal.printJson(known);
  else for (const line of describeFacts(known, call)) terminal.print(line);
  return 0;
}

function describeFacts({ facts: known, total, hasMore }: FactsAnswer, call: CommandCall): string[] {
  const { style, columns } = call.terminal;
  if (known.length === 0) return [isNarrowed(call) ? "Nothing like that is known." : "Nothing was learned yet."];
  const lines = known.flatMap((fact) => [
    ...markedLines(fact.text, "", style.bold, { columns, mostLines: 2, indent: "" }),
    ...markedLines(describeSource(fact), "", style.bold, { columns, mostLines: 3, indent: "  " }).map(style.dim),
  ]);
  const more = hasMore ? [`${known.length} of ${total}. See more with --limit, everything with --json.`] : [];
  return [...lines, ...more, style.dim("Forget one with: chela memory forget fact:<id>")];
}

function isNarrowed({ flags }: CommandCall): boolean {
  return ["about", "person", "session", "kind", "search"].some((name) => flags.has(name));
}

function describeSource({ id, kind, subject, person, role, sessionKey, at, day, isInPrompt, by }: Fact): string {
  const who = role === "assistant" ? " by the agent" : person ? ` by ${person}` : "";
  return [
    `fact:${id}`,
    `${kind}: ${subject}`,
    ...(day === undefined || day === subject ? [] : [`for ${day}`]),
    `said${who} in ${sessionKey}, ${formatAge(Date.now() - at)}`,
    ...(by === "model" ? ["found by a model"] : []),
    ...(isInPrompt ? ["stands in prompts"] : []),
  ].join("; ");
}

export async function forget(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const what = readWish(args.join(" "));
  const question = `Forget ${nameOf(what)} with everything made from it? It does not come back.`;
  if (!flags.has("yes") && !(await confirm(call, question, "Add --yes to forget without being asked."))) return 1;
  const answer = await ask(call, "memory.forget", { ...agentOf(call), what });
  if (flags.has("json")) terminal.printJson(answer);
  else terminal.print(sayForgotten(what, answer.forgotten));
  return 0;
}

function readWish(written: string): ForgetWish {
  const [, kind = "", name = ""] = /^(\w+):\s*(.+)$/s.exec(written.trim()) ?? [];
  switch (kind) {
    case "fact":
      return { kind, id: name };
    case "subject":
      return { kind, subject: name };
    case "person":
      return { kind, person: name };
    case "session":
      return { kind, sessionKey: name };
    default:
      throw usageFailure(
        `"${cleanForTerminal(written)}" does not say what to forget: write fact:<id>, person:<name>, subject:<name> or session:<key>.`,
        "`chela memory facts` shows what is known, with ids.",
      );
  }
}

function nameOf(what: ForgetWish): string {
  switch (what.kind) {
    case "fact":
      return `the fact ${what.id}`;
    case "subject":
      return `what is known about ${what.subject}`;
    case "person":
      return `what ${what.person} said, and what is known about them,`;
    case "session":
      return `what was learned in ${what.sessionKey}`;
  }
}

function sayForgotten(what: ForgetWish, forgotten: Forgotten): string {
  const parts = (
    [
      [forgotten.facts, "fact"],
      [forgotten.episodes, "episode"],
      [forgotten.chunks, "piece"],
      [forgotten.vectors, "vector"],
    ] as const
  ).flatMap(([amount, noun]) => (amount > 0 ? [count(amount, noun)] : []));
  if (parts.length === 0) {
    if (what.kind === "fact") return "There is no such fact. `chela memory facts` shows what is known, with ids.";
    return "Nothing like that was remembered. What was said until now will not be.";
  }
  return `Forgot ${parts.join(", ")}. The conversations themselves are as they were.`;
}

async function ask<M extends MethodName>(
  call: CommandCall,
  method: M,
  params: WrittenParams<M>,
): Promise<MethodAnswer<M>> {
  const link = await call.gateway.connect({ timeoutMs: call.flags.number("timeout") ?? TIMEOUT_MS });
  try {
    return await link.ask(method, params);
  } finally {
    link.close();
  }
}

function agentOf({ flags }: CommandCall): { agentId?: string } {
  const agentId = flags.text("agent");
  return agentId === undefined ? {} : { agentId };
}

/** The parameters whose flags were given. */
function given({ flags }: CommandCall, names: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(names).map(([parameter, flag]) => [parameter, flags.text(flag)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
