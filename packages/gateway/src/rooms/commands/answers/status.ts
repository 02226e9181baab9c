// /status, /context, /budget and /usage cost: how this conversation stands.
import type { SessionEntry } from "@chela/sdk";
import { timePrefix } from "../../../base/text/time-prefix.ts";
import { done, refused, type CommandAnswer } from "../command.ts";
import type { Budget, CommandWorld, ContextPart, ContextReport, Spending } from "../world.ts";
import { isGroup } from "./session-kind.ts";
import { foldWords, money, percent, relativeTime, shortNumber } from "./layout.ts";

export async function showStatus(world: CommandWorld): Promise<CommandAnswer> {
  const entry = await world.session();
  const { ref, credential, thinkingLevels } = await world.models.current();
  const [, ...fallbacks] = await world.models.candidates();
  const { session } = await world.usage();
  const key = credential ? [`🔑 ${credential}`] : [];
  return done(
    `🦀 Chela ${world.version}`,
    `🕒 ${timePrefix(world.now, world.timeZone).slice(1, -2)}`,
    ...foldWords([`🧠 Model: ${ref}`, ...key], " · "),
    ...(fallbacks[0] ? [`↪️ Fallback: ${fallbacks[0]}${fallbacks.length > 1 ? ` +${fallbacks.length - 1}` : ""}`] : []),
    tokenLine(entry, session),
    ...cacheLine(entry),
    contextLine(entry),
    ...foldWords([`🧵 Session: ${world.sessionKey}`, ...updated(entry, world.now)], " • "),
    ...optionLines(entry, world, thinkingLevels),
  );
}

export async function showContext(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const wanted = args.toLowerCase() || "list";
  const report = await world.contextReport();
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

export async function showBudgets(world: CommandWorld): Promise<CommandAnswer> {
  const budgets = await world.budgets();
  if (budgets.length === 0) return done("💰 No spending limits are set.", "They live under budgets in the config.");
  return done("💰 Budgets", ...budgets.flatMap((budget) => budgetLines(budget, world.now)));
}

export async function showCosts(world: CommandWorld): Promise<CommandAnswer> {
  const { session, today, month } = await world.usage();
  return done(
    "💵 Usage",
    `Session: ${spent(session)}`,
    `Today: ${spent(today)}`,
    `30 days: ${spent(month)}`,
    ...([session, today, month].some(({ cost }) => cost === undefined) ? ["Not all prices are known."] : []),
  );
}

function tokenLine(entry: SessionEntry | undefined, { cost }: Spending): string {
  const tokens = `${shortNumber(entry?.inputTokens ?? 0)} in / ${shortNumber(entry?.outputTokens ?? 0)} out`;
  return `🧮 Tokens: ${tokens}${cost === undefined ? "" : ` · 💵 Cost: ${money(cost)}`}`;
}

function cacheLine(entry: SessionEntry | undefined): string[] {
  const { cacheRead = 0, cacheWrite = 0 } = entry ?? {};
  return cacheRead + cacheWrite > 0
    ? [`🗄️ Cache: ${shortNumber(cacheRead)} read, ${shortNumber(cacheWrite)} written`]
    : [];
}

function contextLine(entry: SessionEntry | undefined): string {
  const window = entry?.contextTokens ?? 0;
  // A count that is not fresh belongs to a context that has changed since.
  const used = entry?.totalTokensFresh === false ? undefined : entry?.totalTokens;
  const size = window > 0 ? shortNumber(window) : "?";
  const share = used === undefined || window === 0 ? "" : ` (${percent(used, window)})`;
  const fill = `${used === undefined ? "?" : shortNumber(used)}/${size}${share}`;
  return `📚 Context: ${fill} · 🧹 Compactions: ${entry?.compactionCount ?? 0}`;
}

const updated = (entry: SessionEntry | undefined, now: number) =>
  entry ? [`updated ${relativeTime(entry.updatedAt, now)}`] : [];

function optionLines(entry: SessionEntry | undefined, world: CommandWorld, levels: readonly string[]): string[] {
  const { defaults } = world;
  const thinking = entry?.thinkingLevel ?? defaults.thinking;
  const activation = isGroup(world.sessionKey, entry)
    ? [`👥 Activation: ${entry?.groupActivation ?? defaults.activation}`]
    : [];
  return [
    ...foldWords(
      [
        `⚙️ Think: ${levels.includes(thinking) ? thinking : "off"}`,
        `Verbose: ${entry?.verboseLevel ?? defaults.verbose}`,
        `Reasoning: ${entry?.reasoningLevel ?? defaults.reasoning}`,
        `Elevated: ${entry?.elevatedLevel ?? defaults.elevated}`,
      ],
      " · ",
    ),
    [...activation, `🪢 Queue: ${entry?.queueMode ?? defaults.queue}`].join(" · "),
  ];
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

function budgetLines({ name, unit, limit, used, resetsAt }: Budget, now: number): string[] {
  const show = unit === "usd" ? money : (count: number) => `${shortNumber(count)} tokens`;
  const left = Math.max(0, limit - used);
  const when = resetsAt === undefined ? "" : `, anew ${relativeTime(resetsAt, now)}`;
  return [`${left > 0 ? "🟢" : "🔴"} ${name}: ${show(left)} of ${show(limit)} left${when}`];
}

const spent = ({ tokens, cost }: Spending) =>
  `${shortNumber(tokens)} tokens · ${cost === undefined ? "price unknown" : money(cost)}`;
