// Rules for an agent's commands, and which place says so: every place that has a say can only narrow the others.
import { EVERYBODY, RULES, ruleOf, type RuleBook, type RuleName } from "./rule-book.ts";

/** Where a rule stands: in the file of approvals, in the configuration, or nowhere. */
type RuleOrigin = "agent" | "everybody" | "config" | "config-agent" | "built-in";

export interface InForce<V extends string = string> {
  readonly value: V;
  /** Those whose word it is; more than one when they agree. */
  readonly places: readonly RuleOrigin[];
}

export interface Policy {
  readonly security: InForce<(typeof RULES.security)[number]>;
  readonly ask: InForce<(typeof RULES.ask)[number]>;
  readonly askFallback: InForce<(typeof RULES.askFallback)[number]>;
}

interface StatedRule {
  readonly value: string;
  readonly place: RuleOrigin;
}

/** `who` is an agent, or all that have no rules of their own. */
export function policyOf(book: RuleBook, config: unknown, who: string): Policy {
  return {
    security: strictest([...inFile(book, who, "security"), ...inConfig(config, who, "security")], {
      order: RULES.security,
      usual: "allowlist",
    }),
    ask: strictest([...inFile(book, who, "ask"), ...inConfig(config, who, "ask")], {
      order: [...RULES.ask].toReversed(),
      usual: "on-miss",
    }),
    // Silence is never a yes: "full" is read as "what is on the list".
    askFallback: strictest(inFile(book, who, "askFallback").map(readFull), { order: RULES.askFallback, usual: "deny" }),
  };
}

function readFull({ value, place }: StatedRule): StatedRule {
  return { value: value === "full" ? "allowlist" : value, place };
}

/** `order` begins with the strictest, which is also what a value means that nobody knows. */
function strictest<V extends string>(
  said: readonly StatedRule[],
  { order, usual }: { readonly order: readonly V[]; readonly usual: V },
): InForce<V> {
  const ranked = said.map(({ value, place }) => ({ rank: Math.max(0, order.indexOf(value as V)), place }));
  const rank = Math.min(...ranked.map((one) => one.rank));
  const value = order[rank];
  if (value === undefined) return { value: usual, places: ["built-in"] };
  return { value, places: ranked.filter((one) => one.rank === rank).map(({ place }) => place) };
}

/** The agent's own word goes before that for every agent. */
function inFile(book: RuleBook, who: string, rule: RuleName): StatedRule[] {
  const own = who === EVERYBODY ? undefined : ruleOf(book, who, rule);
  if (own !== undefined) return [{ value: own, place: "agent" }];
  const all = ruleOf(book, EVERYBODY, rule);
  return all === undefined ? [] : [{ value: all, place: "everybody" }];
}

/** In the configuration, too, the agent's own word goes first. */
function inConfig(config: unknown, who: string, rule: "security" | "ask"): StatedRule[] {
  const of = (value: unknown): string | undefined => {
    const word = at(at(at(value, "tools"), "exec"), rule);
    return typeof word === "string" && word !== "" ? word : undefined;
  };
  const own = of(agentIn(config, who));
  if (own !== undefined) return [{ value: own, place: "config-agent" }];
  const all = of(config);
  return all === undefined ? [] : [{ value: all, place: "config" }];
}

function agentIn(config: unknown, who: string): unknown {
  const agents = at(at(config, "agents"), "list");
  const listed: readonly unknown[] = Array.isArray(agents) ? agents : [];
  return listed.find((agent) => String(at(agent, "id")).trim().toLowerCase() === who);
}

function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
