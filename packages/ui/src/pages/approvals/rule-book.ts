// Reads and changes exec-approvals.json as the gateway hands it out. People edit it by hand, so any part may be odd.

export type RuleBook = Readonly<Record<string, unknown>>;

/** Stands for all agents, where no agent is named. */
export const EVERYBODY = "*";

export const RULES = {
  security: ["deny", "allowlist", "full"],
  ask: ["off", "on-miss", "always"],
  askFallback: ["deny", "allowlist"],
} as const;
export type RuleName = keyof typeof RULES;

export interface AllowedProgram {
  /** Undefined when the entry cannot be understood. */
  readonly pattern: string | undefined;
  readonly argv: readonly string[] | undefined;
  readonly argPattern: string | undefined;
  /** A whole command, which is its pattern; else a program. */
  readonly isPlan: boolean;
  readonly cwd: string | undefined;
  /** What it has to be called by, where that is not the name of its file. */
  readonly name: string | undefined;
  /** Holds only while files are what they were. */
  readonly isPinned: boolean;
  readonly lastUsedAt: number | undefined;
  readonly lastUsedCommand: string | undefined;
  /** What tells it from the others, however often it was used. */
  readonly identity: string;
}

/** What is written for somebody; of all agents the list's own place counts before the defaults. */
export function ruleOf(book: RuleBook, who: string, rule: RuleName): string | undefined {
  const own = written(agentIn(book, who)[rule]);
  return own ?? (who === EVERYBODY ? written(fieldsOf(book["defaults"])[rule]) : undefined);
}

/** Without a value the rule is taken out. */
export function withRule(book: RuleBook, who: string, rule: RuleName, value: string | undefined): RuleBook {
  if (who !== EVERYBODY) return withAgent(book, who, put(agentIn(book, who), rule, value));
  const cleared = hasAgent(book, who) ? withAgent(book, who, put(agentIn(book, who), rule, undefined)) : book;
  return { ...cleared, version: 1, defaults: put(fieldsOf(book["defaults"]), rule, value) };
}

/** Agents that are mentioned by name. */
export function agentsIn(book: RuleBook): string[] {
  return Object.keys(fieldsOf(book["agents"])).filter((id) => id !== EVERYBODY);
}

export function programsOf(book: RuleBook, who: string): AllowedProgram[] {
  return entriesOf(book, who).map(readProgram);
}

export function withProgram(
  book: RuleBook,
  who: string,
  entry: { readonly id: string; readonly pattern: string },
): RuleBook {
  return withEntries(book, who, [...entriesOf(book, who), entry]);
}

export function withoutProgram(book: RuleBook, who: string, identity: string): RuleBook {
  const entries = entriesOf(book, who);
  const at = entries.findIndex((entry) => readProgram(entry).identity === identity);
  return at < 0 ? book : withEntries(book, who, entries.toSpliced(at, 1));
}

/** What is neither a path nor a plain name would be kept, but would never mean any program. */
export function namesProgram(pattern: string): boolean {
  return /^(?:\/|~\/)\S/.test(pattern) || /^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$/.test(pattern);
}

/** Whether this program may already run with any arguments. */
export function allowsAny(programs: readonly AllowedProgram[], pattern: string): boolean {
  return programs.some((one) => one.pattern === pattern && !one.argv && one.argPattern === undefined && !one.isPlan);
}

function readProgram(entry: unknown): AllowedProgram {
  const { id, pattern, argv, argPattern, plan, name, sha256, lastUsedAt, lastUsedCommand } = fieldsOf(entry);
  const isPlan = plan !== undefined;
  const { cwd, files } = fieldsOf(isPlan ? plan : entry);
  const isList = Array.isArray(argv) && argv.every((word) => typeof word === "string");
  const isOdd = (argv !== undefined && !isList) || (argPattern !== undefined && typeof argPattern !== "string");
  const { lastUsedAt: _at, lastUsedCommand: _command, lastResolvedPath: _path, ...lasting } = fieldsOf(entry);
  return {
    pattern: isOdd ? undefined : written(pattern)?.replace(isPlan ? /^= / : /^$/, ""),
    isPlan,
    argv: isList ? (argv as string[]) : undefined,
    argPattern: written(argPattern),
    cwd: written(cwd),
    name: written(name),
    isPinned: sha256 !== undefined || files !== undefined,
    lastUsedAt: typeof lastUsedAt === "number" ? lastUsedAt : undefined,
    lastUsedCommand: written(lastUsedCommand),
    identity: written(id) ?? JSON.stringify(typeof entry === "object" ? lasting : entry),
  };
}

function entriesOf(book: RuleBook, who: string): readonly unknown[] {
  const { allowlist } = agentIn(book, who);
  return Array.isArray(allowlist) ? allowlist : [];
}

function withEntries(book: RuleBook, who: string, allowlist: readonly unknown[]): RuleBook {
  return withAgent(book, who, { ...agentIn(book, who), allowlist });
}

function withAgent(book: RuleBook, who: string, agent: RuleBook): RuleBook {
  return { ...book, version: 1, agents: { ...fieldsOf(book["agents"]), [who]: agent } };
}

function hasAgent(book: RuleBook, who: string): boolean {
  return Object.hasOwn(fieldsOf(book["agents"]), who);
}

function agentIn(book: RuleBook, who: string): RuleBook {
  return hasAgent(book, who) ? fieldsOf(fieldsOf(book["agents"])[who]) : {};
}

function put(fields: RuleBook, name: string, value: string | undefined): RuleBook {
  const { [name]: _old, ...others } = fields;
  return value === undefined ? others : { ...others, [name]: value };
}

function fieldsOf(value: unknown): RuleBook {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RuleBook) : {};
}

function written(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
