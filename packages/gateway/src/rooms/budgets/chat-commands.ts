// Chat commands /usage and /budget: what was spent, what may be, and whether replies tell it.
import { done, type ChatCall, type ChatCommand, type CommandAnswer, type Ledger, type SessionEntry } from "@chela/sdk";
import { money, refusedWord, relativeTime, shortNumber } from "../../base/text/chat-layout.ts";
import type { House } from "../../house/house.ts";
import { nameLimit, type Budgets } from "./room.ts";
import { spenderOf } from "./spender.ts";

const DAY_MS = 86_400_000;

interface Budget {
  /** What it limits, such as "per day". */
  readonly name: string;
  readonly unit: "usd" | "tokens";
  readonly limit: number;
  readonly used: number;
  readonly resetsAt?: number;
}

interface Spending {
  readonly tokens: number;
  /** US dollars, where a price is known. */
  readonly cost: number;
}

const USAGE_CYCLE = ["off", "tokens", "full"] as const;

async function setUsage(args: string, call: ChatCall, house: Pick<House, "ledger">): Promise<CommandAnswer> {
  const word = args.toLowerCase();
  if (word === "cost") return showCosts(call, house);
  const next = word === "" ? nextUsage(await call.session()) : word === "on" ? "tokens" : word;
  const value = USAGE_CYCLE.find((known) => known === next);
  if (!value) return refusedWord("Usage", args, "off, tokens, full, cost");
  await call.patchSession({ responseUsage: value === "off" ? null : value });
  return done(`⚙️ Usage below replies: ${value}`);
}

function nextUsage(entry: SessionEntry | undefined): string {
  const now = entry?.responseUsage === "on" ? "tokens" : (entry?.responseUsage ?? "off");
  return USAGE_CYCLE[(USAGE_CYCLE.indexOf(now) + 1) % USAGE_CYCLE.length] ?? "off";
}

async function showBudgets(_args: string, call: ChatCall, house: Pick<House, "budgets">): Promise<CommandAnswer> {
  const budgets = limitsOf(await house.budgets.view(spenderOf(call.message, call.requester)));
  if (budgets.length === 0) return done("💰 No spending limits are set.", "They live under budgets in the config.");
  return done("💰 Budgets", ...budgets.flatMap((budget) => budgetLines(budget, call.now)));
}

async function showCosts({ sessionKey, now }: ChatCall, { ledger }: Pick<House, "ledger">): Promise<CommandAnswer> {
  const session = await spentSince(0, ledger, sessionKey);
  const today = await spentSince(new Date(now).setHours(0, 0, 0, 0), ledger);
  const month = await spentSince(now - 30 * DAY_MS, ledger);
  return done("💵 Usage", `Session: ${spent(session)}`, `Today: ${spent(today)}`, `30 days: ${spent(month)}`);
}

function budgetLines({ name, unit, limit, used, resetsAt }: Budget, now: number): string[] {
  const show = unit === "usd" ? money : (count: number) => `${shortNumber(count)} tokens`;
  const left = Math.max(0, limit - used);
  const when = resetsAt === undefined ? "" : `, anew ${relativeTime(resetsAt, now)}`;
  return [`${left > 0 ? "🟢" : "🔴"} ${name}: ${show(left)} of ${show(limit)} left${when}`];
}

const spent = ({ tokens, cost }: Spending) => `${shortNumber(tokens)} tokens · ${money(cost)}`;

/** A limit in dollars and one in tokens are told apart. */
function limitsOf(states: Awaited<ReturnType<Budgets["view"]>>): Budget[] {
  return states.flatMap(({ limit, spent: used }) => {
    const resetsAt = limit.period === "total" ? {} : { resetsAt: limit.to };
    const name = nameLimit(limit);
    return [
      ...(Number.isFinite(limit.usd)
        ? [{ name, unit: "usd" as const, limit: limit.usd, used: used.usd, ...resetsAt }]
        : []),
      ...(Number.isFinite(limit.tokens)
        ? [{ name, unit: "tokens" as const, limit: limit.tokens, used: used.tokens, ...resetsAt }]
        : []),
    ];
  });
}

async function spentSince(from: number, ledger: Pick<Ledger, "usageTotal">, session?: string): Promise<Spending> {
  const of = session === undefined ? {} : { of: { session } };
  const sum = await ledger.usageTotal({ from, to: Number.MAX_SAFE_INTEGER, ...of });
  const cost = sum.inputCost + sum.outputCost + sum.cacheReadCost + sum.cacheWriteCost;
  return { tokens: sum.input + sum.output + sum.cacheRead + sum.cacheWrite, cost };
}

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "usage",
    aliases: [],
    usage: "[off|tokens|full|cost]",
    category: "Options",
    who: "authorised",
    help: "tokens below replies; costs",
    listed: 160,
    run: setUsage,
  },
  {
    name: "budget",
    aliases: [],
    usage: "",
    category: "Status",
    who: "authorised",
    help: "spending limits, what is left",
    listed: 230,
    run: showBudgets,
  },
];
