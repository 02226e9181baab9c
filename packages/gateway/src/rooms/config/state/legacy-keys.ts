// Keys of older configs, moved in memory to where they belong today. The file itself is not touched.
import type { Finding } from "../read/issue.ts";
import {
  dropAt,
  formatPath,
  isObject,
  isReservedKey,
  putAt,
  valueAt,
  type JsonObject,
  type Path,
} from "../edit/path.ts";

interface Move {
  readonly from: string;
  /** Where it goes; a function may choose by the value. */
  readonly to: string | ((value: unknown, config: JsonObject) => Path);
  readonly convert?: (value: unknown) => unknown;
}

const CHANNEL_IDS = [
  "whatsapp",
  "telegram",
  "discord",
  "irc",
  "googlechat",
  "slack",
  "signal",
  "imessage",
  "bluebubbles",
  "msteams",
];

const MOVES: readonly Move[] = [
  ...CHANNEL_IDS.map((id): Move => ({ from: id, to: `channels.${id}` })),
  { from: "agent.elevated", to: "tools.elevated" },
  { from: "agent.bash", to: "tools.exec" },
  { from: "agent.tools", to: "tools" },
  { from: "agent", to: "agents.defaults" },
  { from: "mcpServers", to: "mcp.servers" },
  { from: "memorySearch", to: "agents.defaults.memorySearch" },
  { from: "identity", to: identityOfDefaultAgent },
  { from: "agents.defaults.identity", to: identityOfDefaultAgent },
  { from: "routing.bindings", to: "bindings" },
  { from: "routing.agents", to: "agents.list", convert: listFromMap },
  { from: "routing.queue", to: "messages.queue" },
  { from: "routing.groupChat", to: "messages.groupChat" },
  { from: "routing.agentToAgent", to: "tools.agentToAgent" },
  { from: "routing.allowFrom", to: "channels.whatsapp.allowFrom" },
  { from: "gateway.authMode", to: "gateway.auth.mode", convert: (mode) => (mode === "none" ? "none" : "token") },
  { from: "gateway.token", to: "gateway.auth.token" },
  { from: "gateway.password", to: "gateway.auth.password" },
  { from: "auth.anthropic.apiKey", to: "models.providers.anthropic.apiKey" },
  { from: "auth.openai.apiKey", to: "models.providers.openai.apiKey" },
  { from: "auth.google.apiKey", to: "models.providers.google.apiKey" },
  { from: "session.defaultScope", to: "session.dmScope" },
  { from: "session.compaction", to: "agents.defaults.compaction" },
  { from: "channels.telegram.token", to: "channels.telegram.botToken" },
  {
    from: "hooks.entries",
    to: (entries) => ["hooks", "internal", Array.isArray(entries) ? "handlers" : "entries"],
    convert: hookHandlers,
  },
  { from: "tools.bash", to: "tools.exec" },
  {
    from: "tools.shell.enabled",
    to: "tools.exec.security",
    convert: (enabled) => (enabled === false ? "deny" : "allowlist"),
  },
  { from: "tools.memory.indexPath", to: "agents.defaults.memorySearch.store.path" },
];

/** Changes `config` in place and says what it did. */
export function modernise(config: JsonObject): Finding[] {
  const findings: Finding[] = [];
  moveBindAddress(config, findings);
  for (const move of MOVES) applyMove(config, move, findings);
  moveAliases(config, findings);
  nameAgents(config, findings);
  listAccounts(config, findings);
  return findings;
}

function applyMove(config: JsonObject, move: Move, findings: Finding[]): void {
  const from = move.from.split(".");
  const value = valueAt(config, from);
  if (value === undefined) return;
  const to = typeof move.to === "string" ? move.to.split(".") : move.to(value, config);
  relocate(config, from, to, move.convert ? move.convert(value) : value, findings);
}

function relocate(config: JsonObject, from: Path, to: Path, value: unknown, findings: Finding[]): void {
  const present = valueAt(config, to);
  dropAt(config, from);
  dropEmptyParents(config, from);
  const merged = isObject(present) && isObject(value) ? { ...value, ...present } : (present ?? value);
  putAt(config, to, merged);
  const ignored = present !== undefined && merged === present;
  findings.push({
    path: from,
    message: ignored
      ? `is an old name of ${formatPath(to)} and is ignored, because the new one is set too`
      : `is an old name; it is read as ${formatPath(to)}`,
  });
}

function dropEmptyParents(config: JsonObject, path: Path): void {
  for (let length = path.length - 1; length > 0; length--) {
    const parent = valueAt(config, path.slice(0, length));
    if (!isObject(parent) || Object.keys(parent).length > 0) return;
    dropAt(config, path.slice(0, length));
  }
}

/** An address other than the known words, e.g. `127.0.0.1`. */
function addressOf(bind: unknown): string | undefined {
  return typeof bind === "string" && /^[\d.:a-f]*[.:][\d.:a-f]*$|^localhost$/i.test(bind) ? bind : undefined;
}

function moveBindAddress(config: JsonObject, findings: Finding[]): void {
  const address = addressOf(valueAt(config, ["gateway", "bind"]));
  if (address === undefined) return;
  const word = /^(127\.|localhost$|::1$)/.test(address)
    ? "loopback"
    : /^(0\.0\.0\.0|::)$/.test(address)
      ? "lan"
      : "custom";
  putAt(config, ["gateway", "bind"], word);
  if (word === "custom") putAt(config, ["gateway", "customBindHost"], address);
  findings.push({ path: ["gateway", "bind"], message: `an address is an old form; it is read as "${word}"` });
}

function identityOfDefaultAgent(_identity: unknown, config: JsonObject): Path {
  const list = valueAt(config, ["agents", "list"]);
  if (!Array.isArray(list) || list.length === 0) {
    putAt(config, ["agents", "list"], [{ id: "main", default: true }]);
    return ["agents", "list", 0, "identity"];
  }
  const marked = list.findIndex((agent) => isObject(agent) && agent["default"] === true);
  return ["agents", "list", Math.max(0, marked), "identity"];
}

/** `{work: {…}}` → `[{id: "work", …}]` */
function listFromMap(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.entries(value).map(([id, entry]) => ({ id, ...(isObject(entry) ? entry : {}) }));
}

function hookHandlers(entries: unknown): unknown {
  if (!Array.isArray(entries)) return entries;
  return entries.map((entry: unknown) => {
    if (!isObject(entry) || entry["handler"] === undefined) return entry;
    const { handler, ...rest } = entry;
    return { ...rest, module: handler };
  });
}

/** `models.aliases.fast = {provider, model}` → `agents.defaults.models["provider/model"].alias = "fast"` */
function moveAliases(config: JsonObject, findings: Finding[]): void {
  const aliases = valueAt(config, ["models", "aliases"]);
  if (!isObject(aliases)) return;
  for (const [alias, target] of Object.entries(aliases)) {
    const model = isObject(target) ? `${String(target["provider"])}/${String(target["model"])}` : String(target);
    if (isReservedKey(model)) continue;
    relocate(config, ["models", "aliases", alias], ["agents", "defaults", "models", model, "alias"], alias, findings);
  }
}

/** Agents used to be known by name only. */
function nameAgents(config: JsonObject, findings: Finding[]): void {
  const list = valueAt(config, ["agents", "list"]);
  if (!Array.isArray(list)) return;
  list.forEach((agent: unknown, index) => {
    if (!isObject(agent) || agent["id"] !== undefined || typeof agent["name"] !== "string") return;
    const id = agent["name"]
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, "-")
      .replace(/^[-_]+|-+$/g, "")
      .slice(0, 64);
    if (!id) return;
    agent["id"] = id;
    findings.push({ path: ["agents", "list", index], message: `has no id; it is read as id "${id}", from its name` });
  });
}

/** Accounts used to be a list; today they are named. */
function listAccounts(config: JsonObject, findings: Finding[]): void {
  for (const channel of CHANNEL_IDS) {
    const path = ["channels", channel, "accounts"];
    const accounts = valueAt(config, path);
    if (!Array.isArray(accounts)) continue;
    const named = accounts.map((account: unknown, index): [string, unknown] => {
      if (!isObject(account)) return [String(index), account];
      const { id, ...rest } = account;
      const name = String(id ?? rest["name"] ?? (index === 0 ? "default" : index));
      return [isReservedKey(name) ? String(index) : name, rest];
    });
    putAt(config, path, Object.fromEntries(named));
    findings.push({ path, message: "a list is an old form; it is read as an object with the accounts' ids as keys" });
  }
}
