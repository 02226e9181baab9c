// Chat command /status: how this conversation stands.
import { done, type ChatCall, type CommandAnswer, type Ledger, type SessionEntry } from "@chela/sdk";
import { foldWords, money, percent, relativeTime, shortNumber } from "../../../base/text/chat-layout.ts";
import { timePrefix } from "../../../base/text/time-prefix.ts";
import type { House } from "../../../house/house.ts";
import type { SessionDefaults } from "../defaults.ts";
import { isGroup } from "./session-kind.ts";

type StatusHouse = Pick<House, "version" | "config" | "ledger" | "sessionModels" | "sessionDefaults">;

export async function showStatus(_args: string, call: ChatCall, house: StatusHouse): Promise<CommandAnswer> {
  const entry = await call.session();
  const models = await house.sessionModels(call);
  const { ref, credential, thinkingLevels } = await models.current();
  const [, ...fallbacks] = await models.candidates();
  const timeZone = house.config.current().agents?.defaults?.userTimezone;
  const key = credential ? [`🔑 ${credential}`] : [];
  return done(
    `🦀 Chela ${house.version}`,
    `🕒 ${timePrefix(call.now, timeZone).slice(1, -2)}`,
    ...foldWords([`🧠 Model: ${ref}`, ...key], " · "),
    ...(fallbacks[0] ? [`↪️ Fallback: ${fallbacks[0]}${fallbacks.length > 1 ? ` +${fallbacks.length - 1}` : ""}`] : []),
    tokenLine(entry, await costOf(call.sessionKey, house.ledger)),
    ...cacheLine(entry),
    contextLine(entry),
    ...foldWords([`🧵 Session: ${call.sessionKey}`, ...updated(entry, call.now)], " • "),
    ...optionLines(entry, call.sessionKey, house.sessionDefaults(), thinkingLevels),
  );
}

async function costOf(session: string, ledger: Pick<Ledger, "usageTotal">): Promise<number> {
  const sum = await ledger.usageTotal({ from: 0, to: Number.MAX_SAFE_INTEGER, of: { session } });
  return sum.inputCost + sum.outputCost + sum.cacheReadCost + sum.cacheWriteCost;
}

function tokenLine(entry: SessionEntry | undefined, cost: number): string {
  const tokens = `${shortNumber(entry?.inputTokens ?? 0)} in / ${shortNumber(entry?.outputTokens ?? 0)} out`;
  return `🧮 Tokens: ${tokens} · 💵 Cost: ${money(cost)}`;
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

function optionLines(
  entry: SessionEntry | undefined,
  sessionKey: string,
  defaults: SessionDefaults,
  levels: readonly string[],
): string[] {
  const thinking = entry?.thinkingLevel ?? defaults.thinking;
  const activation = isGroup(sessionKey, entry)
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
