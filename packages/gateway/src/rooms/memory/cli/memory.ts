// `chela memory status|index|rebuild|doctor`: how the memory of agents is, and putting it right.
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { alignRows, cleanForTerminal, count, formatAge, formatBytes, wrapText } from "../../../base/terminal/layout.ts";
import { doMemoryWork, type AgentStatus, type MemoryWork } from "./memory-work.ts";

type Embedding = MethodAnswer<"doctor.memory.status">["embedding"];
type Indexed = MethodAnswer<"memory.index">;
type Checked = MethodAnswer<"memory.check">;
type Reading = NonNullable<AgentStatus["reading"]>;
type Style = CommandCall["terminal"]["style"];

const STATUS_TIMEOUT_MS = 60_000;

export function status(call: CommandCall): Promise<number> {
  return doMemoryWork(call, (work) => showStatus(call, work), STATUS_TIMEOUT_MS);
}

async function showStatus(call: CommandCall, { ask }: MemoryWork): Promise<void> {
  const { flags, terminal } = call;
  let agents = await statusOf(call, ask);
  if (flags.has("index")) {
    for (const { agentId, isOn } of agents) if (isOn) await ask("memory.index", { agentId });
    agents = await statusOf(call, ask);
  }
  const tried = new Map<string, Embedding>();
  for (const { agentId } of flags.has("deep") ? agents : []) {
    const answer = await ask("doctor.memory.status", { agentId });
    tried.set(agentId, answer.embedding);
  }
  if (flags.has("json")) {
    const rows = agents.map((one) => ({ ...one, ...pickTrial(tried.get(one.agentId)) }));
    return terminal.printJson({ agents: rows });
  }
  agents.forEach((one, at) => {
    if (at > 0) terminal.print("");
    for (const line of describeStatus(one, tried.get(one.agentId), call)) terminal.print(line);
  });
}

function pickTrial(embedding: Embedding | undefined): { embedding?: Embedding } {
  return embedding ? { embedding } : {};
}

function describeStatus(one: AgentStatus, tried: Embedding | undefined, call: CommandCall): string[] {
  const { style, columns } = call.terminal;
  const rows: Array<[string, string]> = [
    ["Notes in", [one.workspace, ...one.extraPaths].join(", ")],
    ["Read", `${count(one.files, "file")} in ${count(one.chunks, "piece")}`],
    ["Found by", foundBy(one)],
    ...(one.provider === "none" ? [] : [["Vectors", sayVectors(one)] satisfies [string, string]]),
    ...(one.languages.length > 0 ? [["Languages", sayLanguages(one)] satisfies [string, string]] : []),
    ["Learned", sayLearned(one)],
    ...(one.reading ? [["Read by", sayReading(one.reading)] satisfies [string, string]] : []),
    ["Index", `${one.path} (${formatBytes(one.bytes)}), ${sayAge(one)}`],
    ...(tried ? [["Embedding", sayTrial(tried)] satisfies [string, string]] : []),
    ...[...(one.reading?.problem ? [`${one.reading.model}: ${one.reading.problem}`] : []), ...one.notes].map(
      (note): [string, string] => ["Hint", note],
    ),
  ];
  const head = style.bold(cleanForTerminal(one.agentId));
  const lines = alignRows(
    rows.map(([name, text]) => [name, cleanForTerminal(text)]),
    columns,
  );
  return [one.isOn ? head : `${head}  ${style.yellow("memory is switched off (memorySearch.enabled)")}`, ...lines];
}

function foundBy({ mode, provider, model, fallback }: AgentStatus): string {
  const maker = [provider, model].filter(Boolean).join(" ");
  if (fallback) return `words and meaning (${fallback.provider} ${fallback.model} for now; ${maker}: ${fallback.why})`;
  return mode === "hybrid" ? `words and meaning (${maker})` : "words alone";
}

function sayVectors({ vectors, chunks, dimensions }: AgentStatus): string {
  const size = dimensions === undefined ? "" : `, ${dimensions} numbers each`;
  return `${vectors} of ${count(chunks, "piece")}${size}`;
}

/** How well the model that makes vectors fits the notes. */
function sayLanguages({ languages, reads, provider }: AgentStatus): string {
  const names = new Intl.DisplayNames("en", { type: "language" });
  const shares = languages
    .map(({ language, share }) => `${names.of(language)} ${Math.round(share * 100)} %`)
    .join(", ");
  if (provider === "none" || reads === undefined) return shares;
  if (reads === "all") return `${shares}; the model reads all of them`;
  const others = languages.filter(({ language }) => language !== "en");
  if (others.length === 0) return `${shares}; the model reads it`;
  return `${shares}; the model reads English only, notes in others are found by their words (chela memory model install multilingual)`;
}

function sayLearned({ learned }: AgentStatus): string {
  if (learned.entries === 0) return "nothing from conversations yet";
  const what = `${count(learned.facts, "fact")} and ${count(learned.episodes, "episode")}`;
  return `${what} from ${count(learned.entries, "message")}`;
}

function sayReading({ model, read, waiting, tokensToday, maxTokensPerDay }: Reading): string {
  const tokens = `${tokensToday.toLocaleString("en")} of ${maxTokensPerDay.toLocaleString("en")} tokens today`;
  return `${model}: ${count(read, "episode")}, ${waiting} waiting; ${tokens}`;
}

function sayAge({ isIndexing, progress, syncedAt }: AgentStatus): string {
  if (isIndexing) return progress ? `being made: ${progress.done} of ${progress.of}` : "being made";
  return syncedAt === undefined ? "not made yet" : `up to date ${formatAge(Date.now() - syncedAt)}`;
}

function sayTrial({ ok, error }: Embedding): string {
  return ok ? "works" : `does not work: ${error ?? "nobody says why"}`;
}

export function index(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return doMemoryWork(call, async ({ ask }) => {
    const done: Indexed[] = [];
    for (const agentId of await agentsWithMemory(call, ask)) {
      done.push(await ask("memory.index", { agentId, ...(flags.has("force") ? { force: true } : {}) }));
    }
    if (flags.has("json")) return terminal.printJson({ agents: done });
    for (const one of done) for (const line of describeIndexed(one, terminal.style)) terminal.print(line);
  });
}

function describeIndexed({ agentId, files, read, changed, removed, chunks, notes }: Indexed, style: Style): string[] {
  const gone = removed > 0 ? `, ${count(removed, "note")} gone` : "";
  return [
    `${cleanForTerminal(agentId)}: ${count(files, "note")} in ${count(chunks, "piece")}; ${read} read, ${changed} new or changed${gone}.`,
    ...notes.map((note) => style.yellow(`  ${cleanForTerminal(note)}`)),
  ];
}

export function rebuild(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  if (flags.has("notes") && flags.has("learned"))
    throw usageFailure("Say --notes or --learned; without either, both are made anew.");
  const what = flags.has("notes") ? "notes" : flags.has("learned") ? "learned" : "all";
  return doMemoryWork(call, async ({ ask, settled }) => {
    const ended: AgentStatus[] = [];
    const agentIds = await agentsWithMemory(call, ask);
    for (const agentId of agentIds) {
      await ask("memory.rebuild", { agentId, what });
      const now = flags.has("no-wait") ? undefined : await settled(agentId);
      if (now) ended.push(now);
      if (!flags.has("json")) terminal.print(sayRebuilt(agentId, now));
    }
    if (flags.has("json")) terminal.printJson({ what, started: agentIds, agents: ended });
  });
}

function sayRebuilt(agentId: string, now: AgentStatus | undefined): string {
  const name = cleanForTerminal(agentId);
  if (!now) return `${name}: begun. \`chela memory status\` tells how far it is.`;
  return `${name}: made anew, ${count(now.files, "file")} in ${count(now.chunks, "piece")}; ${sayLearned(now)}.`;
}

export async function doctor(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const checked: Checked[] = [];
  await doMemoryWork(call, async ({ ask }) => {
    for (const agentId of await agentsWithMemory(call, ask)) {
      checked.push(await ask("memory.check", { agentId, ...(flags.has("fix") ? { repair: true } : {}) }));
    }
    if (flags.has("json")) return terminal.printJson({ agents: checked });
    for (const one of checked) for (const line of describeCheck(one, terminal)) terminal.print(line);
    const isLeft = !flags.has("fix") && checked.some(({ ok }) => !ok);
    if (isLeft) terminal.print("`chela memory doctor --fix` mends what can be mended.");
  });
  return checked.every(({ ok }) => ok) ? 0 : 1;
}

function describeCheck({ agentId, findings }: Checked, { style, columns }: CommandCall["terminal"]): string[] {
  const name = cleanForTerminal(agentId);
  if (findings.length === 0) return [`${name}: ${style.green("the index is whole and agrees with the notes.")}`];
  return findings.map(({ what, fix, isRepaired }) => {
    const end = isRepaired ? style.green("Mended.") : style.yellow(cleanForTerminal(fix));
    return wrapText(`${name}: ${cleanForTerminal(what)} ${end}`, columns);
  });
}

async function statusOf({ flags }: CommandCall, ask: MemoryWork["ask"]): Promise<AgentStatus[]> {
  const agentId = flags.text("agent");
  const params = agentId === undefined ? {} : { agentId };
  return (await ask("memory.status", params)).agents;
}

/** The one that was named, or all that have a memory. */
async function agentsWithMemory(call: CommandCall, ask: MemoryWork["ask"]): Promise<string[]> {
  const named = call.flags.text("agent");
  if (named !== undefined) return [named];
  const ids = (await statusOf(call, ask)).filter(({ isOn }) => isOn).map(({ agentId }) => agentId);
  if (ids.length > 0) return ids;
  throw new CommandFailure("other", "No agent has a memory: it is switched off.", {
    fix: "Switch it on with: chela config set agents.defaults.memorySearch.enabled true",
  });
}
