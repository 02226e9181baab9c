// Everything a stranger, a model or a workspace could get hold of, with the suites that look at it. What is new in the
// program and not in here fails the build: first a suite, then a line.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Of the repository. */
const ROOT = join(import.meta.dirname, "../../../../..");

export const CLASSES: readonly string[] = Array.from({ length: 38 }, (_, at) => `S-${String(at + 1).padStart(2, "0")}`);

type Suites = readonly string[];

/** Suites that walk a table of the program, so that what is new in the table is looked at by itself. */
export const WALKED: ReadonlyArray<{ readonly table: string; readonly sign: RegExp; readonly suites: Suites }> = [
  {
    table: "HTTP routes, of both listeners",
    sign: /\blistDoorRoutes\(\)/,
    suites: ["S-02", "S-03", "S-05", "S-30", "S-36"],
  },
  { table: "WebSocket methods", sign: /\(METHODS\)/, suites: ["S-03", "S-04", "S-29", "S-32", "S-35"] },
  { table: "kinds of events", sign: /\bcontentsWith\(/, suites: ["S-09", "S-11"] },
  { table: "channels", sign: /\bCHANNELS\b|\bCHANNEL_IDS\b/, suites: ["S-09", "S-11", "S-13", "S-37"] },
  { table: "what platforms send", sign: /\bPLATFORMS\b/, suites: ["S-09", "S-14"] },
  { table: "ways to sign webhooks", sign: /\bHOOK_SIGNERS\b/, suites: ["S-12"] },
  { table: "tools", sign: /"tools\.catalog"/, suites: ["S-17"] },
  { table: "comparisons in the sources", sign: /\bfindComparisons\(\)/, suites: ["S-08"] },
];

export const TOOLS: Readonly<Record<string, Suites>> = {
  read: ["S-21", "S-22", "S-26"],
  write: ["S-21", "S-22", "S-26"],
  edit: ["S-21", "S-22", "S-26"],
  apply_patch: ["S-21", "S-22", "S-26"],
  exec: ["S-15", "S-16", "S-18", "S-26"],
  process: ["S-15", "S-26", "S-27"],
  web_search: ["S-24", "S-25"],
  web_fetch: ["S-24", "S-25"],
  memory_search: ["S-27"],
  memory_get: ["S-21", "S-27"],
  sessions_list: ["S-27"],
  sessions_history: ["S-27"],
  sessions_search: ["S-27"],
  sessions_send: ["S-27"],
  sessions_spawn: ["S-13", "S-26", "S-27"],
  session_status: ["S-17", "S-27"],
  subagents: ["S-27"],
  agents_list: ["S-27"],
  message: ["S-11", "S-23"],
  cron: ["S-13", "S-17"],
  gateway: ["S-17"],
  image: ["S-23", "S-24"],
  attach: ["S-21", "S-23"],
  nodes: ["S-28", "S-35"],
  editor_read: ["S-38"],
  editor_write: ["S-38"],
  editor_edit: ["S-38"],
  editor_run: ["S-38"],
  editor_plan: ["S-38"],
};

export const EVENT_KINDS: Readonly<Record<string, Suites>> = {
  message: ["S-09", "S-10", "S-11"],
  command: ["S-09", "S-11"],
  button: ["S-09", "S-11"],
  reaction: ["S-09", "S-11"],
  edit: ["S-09", "S-11"],
  notice: ["S-09", "S-11"],
};

/** Who is who there (S-09), and what it fetches (S-24); where it takes requests, whom it believes (S-12). */
export const CHANNEL_SUITES: Readonly<Record<string, Suites>> = {
  telegram: ["S-09", "S-12", "S-24"],
  irc: ["S-09"],
  discord: ["S-09", "S-24"],
  slack: ["S-09", "S-12", "S-24"],
  whatsapp: ["S-09", "S-24"],
  "whatsapp-cloud": ["S-09", "S-12", "S-24"],
  signal: ["S-09", "S-18", "S-24"],
  matrix: ["S-09", "S-24"],
  email: ["S-09", "S-30"],
  webhook: ["S-09", "S-12"],
  xmpp: ["S-09", "S-24"],
  mattermost: ["S-09", "S-24"],
  sms: ["S-09", "S-12"],
};

/** Files that start a process or a thread: its environment is looked at by S-18, its arguments by S-20. */
export const CHILD_STARTERS: Readonly<Record<string, { readonly what: string; readonly suites: Suites }>> = {
  "packages/gateway/src/base/process-tree.ts": { what: "taskkill on Windows, to end a tree", suites: ["S-20"] },
  "packages/channels/src/signal/program.ts": { what: "signal-cli", suites: ["S-18", "S-20"] },
  "packages/gateway/src/cli/commands/sandbox-image.ts": {
    what: "docker build, for whoever asks for it",
    suites: ["S-18", "S-20"],
  },
  "packages/gateway/src/cli/state/sql.ts": {
    what: "a thread that ends a question that takes too long",
    suites: ["S-18"],
  },
  "packages/gateway/src/base/terminal/open-browser.ts": {
    what: "the browser of whoever asks for it",
    suites: ["S-18", "S-20"],
  },
  "packages/gateway/src/rooms/cron/run/run-command.ts": { what: "commands of jobs", suites: ["S-18", "S-20"] },
  "packages/gateway/src/rooms/media/transcribe-by-command.ts": { what: "a transcriber", suites: ["S-18", "S-20"] },
  "packages/gateway/src/rooms/acp/workers/start-agent.ts": {
    what: "other agents that the owner configured",
    suites: ["S-18", "S-38"],
  },
  "packages/gateway/src/rooms/memory/keeper-process.ts": { what: "the memory keeper", suites: ["S-18"] },
  "packages/memory/src/embedding/local-embedder.ts": {
    what: "threads of the keeper, for the model",
    suites: ["S-18"],
  },
  "packages/memory/src/embedding/model-thread.ts": {
    what: "such a thread itself",
    suites: ["S-18"],
  },
  "packages/gateway/src/rooms/sandbox/bubblewrap/bubblewrap-program.ts": {
    what: "bubblewrap",
    suites: ["S-18", "S-26"],
  },
  "packages/gateway/src/rooms/sandbox/bubblewrap/own-devices.ts": {
    what: "devices of a sandbox",
    suites: ["S-18", "S-26"],
  },
  "packages/gateway/src/rooms/sandbox/bubblewrap/pipe-stock.ts": {
    what: "pipes of a sandbox",
    suites: ["S-18", "S-26"],
  },
  "packages/gateway/src/rooms/sandbox/bubblewrap/system-view.ts": { what: "bubblewrap", suites: ["S-18", "S-26"] },
  "packages/gateway/src/rooms/sandbox/bubblewrap/launch-stock.ts": { what: "bubblewrap", suites: ["S-18", "S-26"] },
  "packages/gateway/src/rooms/sandbox/self-test.ts": { what: "a process to be looked for", suites: ["S-18", "S-26"] },
  "packages/gateway/src/server/auth/tailscale.ts": { what: "tailscale whois", suites: ["S-18", "S-20"] },
  "packages/gateway/src/rooms/tools/exec/start-pipeline.ts": {
    what: "commands of agents",
    suites: ["S-15", "S-18", "S-20"],
  },
  "packages/gateway/src/rooms/tools/exec/start-terminal.ts": { what: "terminals of agents", suites: ["S-15", "S-18"] },
  "packages/gateway/src/rooms/vault/run-program.ts": { what: "keepers of secrets", suites: ["S-18", "S-20"] },
};

/** Files that open a port or a socket for others to connect to. */
export const LISTENERS: Readonly<Record<string, { readonly what: string; readonly suites: Suites }>> = {
  "packages/gateway/src/server/door.ts": { what: "the door", suites: ["S-02", "S-03", "S-07", "S-31", "S-36"] },
  "packages/gateway/src/server/home-listener.ts": { what: "the second listener", suites: ["S-02", "S-03"] },
  "packages/gateway/src/cli/doctor/own-checks.ts": { what: "whether a port is free; takes nothing", suites: ["S-03"] },
  "packages/gateway/src/cli/models/commands/login.ts": {
    what: "loopback, while somebody signs in: takes the code that belongs to its own question, once",
    suites: ["S-03"],
  },
  "packages/gateway/src/rooms/sandbox/bubblewrap/forwarder.ts": { what: "inside a sandbox alone", suites: ["S-26"] },
  "packages/gateway/src/rooms/sandbox/self-test.ts": { what: "doors to be tried, while it takes", suites: ["S-26"] },
  "packages/gateway/src/rooms/sandbox/proxy/filtering-proxy.ts": {
    what: "the way out of a sandbox",
    suites: ["S-24", "S-26"],
  },
};

/** Files that write the configuration, each with who stands behind it. S-17 tries all that an agent can reach. */
export const CONFIG_WRITERS: Readonly<Record<string, { readonly what: string; readonly suites: Suites }>> = {
  "packages/gateway/src/flow/hooks/parts.ts": {
    what: "hooks.enable, hooks.disable",
    suites: ["S-04", "S-17"],
  },
  "packages/gateway/src/cli/commands/channels-config.ts": { what: "the command line", suites: ["S-32"] },
  "packages/gateway/src/cli/commands/config.ts": { what: "the command line", suites: ["S-32"] },
  "packages/gateway/src/cli/models/models-defaults.ts": { what: "the command line", suites: ["S-32"] },
  "packages/gateway/src/rooms/config/chat-commands.ts": { what: "/config in a chat", suites: ["S-11", "S-17"] },
  "packages/gateway/src/rooms/config/gateway-tool.ts": { what: "the tool gateway", suites: ["S-04", "S-17"] },
  "packages/gateway/src/house/credentials/move-secrets.ts": {
    what: "moving secrets into the vault",
    suites: ["S-04", "S-29"],
  },
  "packages/gateway/src/house/credentials/new-secrets.ts": {
    what: "secrets that people give",
    suites: ["S-04", "S-29"],
  },
  "packages/gateway/src/house/start/gateway-token.ts": { what: "the first start", suites: ["S-34"] },
  "packages/gateway/src/house/security/open-security-audit.ts": {
    what: "fixes of the security audit",
    suites: ["S-04", "S-17"],
  },
  "packages/gateway/src/house/agents/agent-config.ts": {
    what: "agents.create, update, delete",
    suites: ["S-04", "S-17"],
  },
  "packages/gateway/src/rooms/config/methods.ts": {
    what: "config.set, apply, patch",
    suites: ["S-04", "S-17", "S-32"],
  },
  "packages/gateway/src/rooms/models/setup/methods.ts": { what: "setup.apply", suites: ["S-04", "S-17"] },
};

const STARTS_A_CHILD =
  /["'](?:node:)?(?:child_process|worker_threads|cluster)["']|import\("@lydell\/node-pty"\)|\bprocess\.execve\(|getBuiltinModule\(["'](?:node:)?child_process/;
const LISTENS = /\bcreateServer\(|\bnew (?:WebSocketServer|Server)\((?!\{ noServer)|["'](?:node:)?dgram["']/;
const WRITES_CONFIG = /\b(?:config|store|configuration)\.(?:replaceAll|mergePatch|setPath|unsetPath|override)\(/;

export const findChildStarters = (): string[] => sourcesWith(STARTS_A_CHILD);
export const findListeners = (): string[] => sourcesWith(LISTENS);
export const findConfigWriters = (): string[] => sourcesWith(WRITES_CONFIG);

/** Sources of the program whose text fits, from the root of the repository. */
function sourcesWith(sign: RegExp): string[] {
  return globSync("packages/*/src/**/*.ts", { cwd: ROOT })
    .filter((path) => !/\.test\.ts$|\.test-support\.ts$|\/testing\/|^packages\/ui\//.test(path))
    .filter((path) => sign.test(readFileSync(join(ROOT, path), "utf8")))
    .toSorted();
}

interface SuiteFile {
  readonly path: string;
  readonly id: string;
  readonly text: string;
}

export function listSuites(): SuiteFile[] {
  return globSync("packages/*/{src,test}/**/s-[0-9][0-9]-*.test.ts", { cwd: ROOT })
    .toSorted()
    .map((path) => ({
      path,
      id: `S-${/\/s-(\d\d)-[^/]+$/.exec(path)?.[1]}`,
      text: readFileSync(join(ROOT, path), "utf8"),
    }));
}
