// Every command, once: parsing, help, completion scripts and the reference are made from this table.
import { argumentShape, type CommandSpec, type FlagSpec } from "./command-spec.ts";

export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  { name: "profile", value: "name", help: "Use the state of this profile (~/.openclaw-<name>)" },
  { name: "dev", help: "Use the development profile, with a port of its own" },
  { name: "no-color", help: "Plain text without colours" },
  { name: "help", short: "h", help: "Show this help" },
];

const JSON_FLAG: FlagSpec = { name: "json", help: "Print JSON for programs" };
const RPC_FLAGS: readonly FlagSpec[] = [
  { name: "url", value: "url", help: "Address of the gateway (ws:// or wss://); needs --token or --password" },
  { name: "token", value: "token", help: "Token of the gateway" },
  { name: "password", value: "password", help: "Password of the gateway" },
  { name: "timeout", value: "ms", kind: "number", preset: "10000", help: "How long to wait for the gateway" },
  JSON_FLAG,
];
const RUN_FLAGS: readonly FlagSpec[] = [
  { name: "port", value: "port", kind: "number", help: "Port to listen on; 0 chooses a free one" },
  {
    name: "bind",
    value: "where",
    choices: ["loopback", "lan", "tailnet", "auto", "custom"],
    help: "Who can reach the gateway",
  },
  { name: "token", value: "token", help: "Token clients must show, for this run" },
  {
    name: "auth",
    value: "mode",
    choices: ["none", "token", "password", "trusted-proxy"],
    help: "How clients prove themselves, for this run",
  },
  { name: "password", value: "password", help: "Password clients must show, for this run" },
  { name: "force", help: "Stop the gateway that holds this state directory first" },
  { name: "verbose", help: "Show debug lines" },
  { name: "allow-unconfigured", help: "Start without a configuration (always allowed here)" },
  {
    name: "tailscale",
    value: "mode",
    choices: ["off", "serve", "funnel"],
    help: "Publish through Tailscale",
    unused: "--tailscale has no effect yet: run `tailscale serve` yourself.",
  },
  {
    name: "tailscale-reset-on-exit",
    help: "Undo the Tailscale setup at the end",
    unused: "--tailscale-reset-on-exit has no effect yet.",
  },
  {
    name: "reset",
    help: "Start the development profile from nothing",
    unused: "--reset has no effect yet: remove the profile's directory yourself.",
  },
  {
    name: "ws-log",
    value: "style",
    choices: ["auto", "full", "compact"],
    help: "How connections are logged",
    unused: "--ws-log has no effect yet: --verbose shows every connection.",
  },
  { name: "compact", help: "Short form of --ws-log compact", unused: "--compact has no effect yet." },
  {
    name: "claude-cli-logs",
    help: "Show only lines of the claude-cli backend",
    unused: "--claude-cli-logs has no effect yet.",
  },
  { name: "raw-stream", help: "Keep what models send", unused: "--raw-stream has no effect yet." },
  {
    name: "raw-stream-path",
    value: "file",
    help: "Where --raw-stream writes",
    unused: "--raw-stream-path has no effect yet.",
  },
];

const gateway = () => import("./commands/gateway.ts");
const config = () => import("./commands/config.ts");
const devices = () => import("./commands/devices.ts");
const sessions = () => import("./commands/sessions.ts");
const agents = () => import("./commands/agents.ts");
const modelChoice = () => import("./commands/models-choice.ts");
const modelAliases = () => import("./commands/models-aliases.ts");
const modelAuth = () => import("./commands/models-auth.ts");
const profileOrder = () => import("./commands/models-auth-order.ts");
const sessionTree = () => import("./commands/session-tree.ts");
const approvals = () => import("./commands/approvals.ts");
const approvalsFile = () => import("./commands/approvals-file.ts");

const SESSION_ARGUMENT = { name: "key", help: "Of the session, such as main or agent:main:main" };
const APPROVALS_FLAGS: readonly FlagSpec[] = [
  { name: "gateway", help: "The file of the gateway (the usual)" },
  { name: "node", value: "id", help: "The file of a node; there are none yet" },
  ...RPC_FLAGS,
];
const ALLOW_LIST_FLAGS: readonly FlagSpec[] = [
  { name: "agent", value: "id", preset: "*", help: "Whose list; * is every agent" },
  ...APPROVALS_FLAGS,
];

const MODEL_ARGUMENT = { name: "model", help: "Such as anthropic/claude-opus-4-6, or an alias" };
const PLAIN_FLAG: FlagSpec = { name: "plain", help: "Only the names, one per line" };
const AGENT_FLAG: FlagSpec = {
  name: "agent",
  value: "id",
  help: "Whose credentials; of the default agent unless told",
};
const PROVIDER_FLAG: FlagSpec = { name: "provider", value: "name", help: "Which provider (required)" };
const PROFILE_ARGUMENT = { name: "profile", help: "Its id, as `chela models status` shows it" };

/** Two lists with the same commands: for the model, and for the one that looks at pictures. */
const fallbackCommands = (word: string, noun: string): CommandSpec[] => [
  { path: ["models", word], summary: `Models that answer when the ${noun} cannot` },
  {
    path: ["models", word, "list"],
    summary: "Show them, first choice first",
    flags: [PLAIN_FLAG, JSON_FLAG],
    load: async () => (await modelChoice()).list,
  },
  {
    path: ["models", word, "add"],
    summary: "Add one at the end",
    args: [MODEL_ARGUMENT],
    load: async () => (await modelChoice()).add,
  },
  {
    path: ["models", word, "remove"],
    summary: "Take one away",
    args: [MODEL_ARGUMENT],
    load: async () => (await modelChoice()).remove,
  },
  { path: ["models", word, "clear"], summary: "Take all away", load: async () => (await modelChoice()).clear },
];

export const COMMANDS: readonly CommandSpec[] = [
  {
    path: ["gateway"],
    summary: "Start the gateway here (same as `gateway run`), or ask one",
    flags: RUN_FLAGS,
    load: async () => (await import("./commands/gateway-run.ts")).run,
  },
  {
    path: ["gateway", "run"],
    summary: "Start the gateway in this terminal",
    flags: RUN_FLAGS,
    load: async () => (await import("./commands/gateway-run.ts")).run,
  },
  {
    path: ["gateway", "status"],
    summary: "Whether a gateway runs, where, and with which model",
    flags: [
      ...RPC_FLAGS,
      { name: "no-probe", help: "Look at the lock only, without asking the gateway" },
      { name: "deep", help: "Taken for compatibility; the gateway is always asked" },
    ],
    load: async () => (await gateway()).status,
  },
  {
    path: ["gateway", "health"],
    summary: "Same as `chela health`",
    flags: RPC_FLAGS,
    load: async () => (await import("./commands/health.ts")).run,
  },
  {
    path: ["gateway", "call"],
    summary: "Call one method of the gateway and print its answer",
    args: [{ name: "method", help: "Such as status or chat.history" }],
    flags: [
      { name: "params", value: "json", preset: "{}", help: "Parameters of the method" },
      { name: "expect-final", help: "Wait for the second answer of methods that answer twice" },
      ...RPC_FLAGS,
    ],
    load: async () => (await gateway()).call,
  },
  {
    path: ["gateway", "stop"],
    summary: "Stop the gateway of this state directory; running answers are finished first",
    flags: [JSON_FLAG],
    load: async () => (await gateway()).stop,
  },
  {
    path: ["agent"],
    summary: "Send one message and print the answer",
    flags: [
      { name: "message", short: "m", value: "text", help: "What to say (required)" },
      { name: "to", short: "t", value: "target", help: "Whose conversation, such as a phone number" },
      { name: "session-id", value: "id", help: "Go on in the session with this id" },
      { name: "session-key", value: "key", help: "Go on in the session with this key" },
      { name: "agent", value: "id", help: "Which agent answers" },
      { name: "thinking", value: "level", help: "off, minimal, low, medium, high or xhigh" },
      { name: "stream", help: "Print the answer while it is written" },
      { name: "url", value: "url", help: "Address of the gateway; needs --token or --password" },
      { name: "token", value: "token", help: "Token of the gateway" },
      { name: "password", value: "password", help: "Password of the gateway" },
      {
        name: "timeout",
        value: "seconds",
        kind: "number",
        preset: "600",
        help: "How long the answer may take; 0 for no limit",
      },
      {
        name: "verbose",
        value: "on|off",
        choices: ["on", "off"],
        help: "Verbosity of the session",
        unused: "--verbose has no effect yet.",
      },
      { name: "channel", value: "channel", help: "Channel of the conversation" },
      {
        name: "reply-to",
        value: "target",
        help: "Where the answer is delivered",
        unused: "--reply-to has no effect yet: the answer is printed here.",
      },
      {
        name: "reply-channel",
        value: "channel",
        help: "Channel of the delivery",
        unused: "--reply-channel has no effect yet.",
      },
      {
        name: "reply-account",
        value: "account",
        help: "Account of the delivery",
        unused: "--reply-account has no effect yet.",
      },
      {
        name: "deliver",
        help: "Deliver the answer to its channel too",
        unused: "--deliver has no effect yet: the answer is printed here.",
      },
      { name: "local", help: "Answer without a gateway", unused: "--local has no effect: the gateway answers." },
      JSON_FLAG,
    ],
    load: async () => (await import("./commands/agent.ts")).run,
  },
  {
    path: ["chat"],
    summary: "Talk with the agent in this terminal",
    flags: [
      { name: "session", value: "key", help: "Which session; the main one unless told" },
      { name: "history", value: "count", kind: "number", preset: "4", help: "Earlier messages to show first" },
      ...RPC_FLAGS.filter(({ name }) => name !== "json"),
    ],
    load: async () => (await import("./commands/chat.ts")).run,
  },
  {
    path: ["status"],
    summary: "The gateway, its sessions, devices and use at a glance",
    flags: [
      ...RPC_FLAGS,
      { name: "all", help: "Show ten recent sessions instead of five" },
      { name: "deep", help: "Taken for compatibility; everything is always asked" },
      { name: "usage", help: "Taken for compatibility; use is always shown" },
      { name: "verbose", help: "Taken for compatibility" },
    ],
    load: async () => (await import("./commands/status.ts")).run,
  },
  {
    path: ["health"],
    summary: "Ask the gateway whether it is well",
    flags: [...RPC_FLAGS, { name: "verbose", help: "Measure anew instead of taking the last result" }],
    load: async () => (await import("./commands/health.ts")).run,
  },
  {
    path: ["logs"],
    summary: "Show the gateway's log",
    flags: [
      { name: "follow", short: "f", help: "Go on with new lines until Ctrl-C" },
      { name: "limit", value: "lines", kind: "number", preset: "200", help: "How many lines" },
      { name: "max-bytes", value: "bytes", kind: "number", preset: "250000", help: "How much of the file to read" },
      { name: "interval", value: "ms", kind: "number", preset: "1000", help: "How often --follow looks" },
      { name: "plain", help: "No colours" },
      { name: "local-time", help: "Times of this machine instead of UTC" },
      ...RPC_FLAGS.map((flag) =>
        flag === JSON_FLAG ? { ...flag, help: "The lines as they are: one JSON object each" } : flag,
      ),
    ],
    load: async () => (await import("./commands/logs.ts")).run,
  },
  {
    path: ["sessions"],
    summary: "List conversations, newest first",
    flags: [
      { name: "agent", value: "id", help: "Only of this agent" },
      { name: "all-agents", help: "Of all agents (the usual)" },
      { name: "active", value: "minutes", kind: "number", help: "Only those used in the last minutes" },
      { name: "limit", value: "count", kind: "number", help: "At most this many" },
      {
        name: "store",
        value: "path",
        help: "Another store",
        unused: "--store has no effect: sessions live in the ledger.",
      },
      ...RPC_FLAGS,
    ],
    load: async () => (await sessions()).list,
  },
  {
    path: ["sessions", "cleanup"],
    summary: "Show what is too old or too much; --enforce clears it (transcripts are archived)",
    flags: [
      { name: "dry-run", help: "Only show (the usual)" },
      { name: "enforce", help: "Do it" },
      { name: "active-key", value: "key", help: "A session that must stay" },
      { name: "all-agents", help: "Of all agents (the usual)" },
      {
        name: "agent",
        value: "id",
        help: "Only of one agent",
        unused: "--agent has no effect here: all agents are looked at.",
      },
      {
        name: "store",
        value: "path",
        help: "Another store",
        unused: "--store has no effect: sessions live in the ledger.",
      },
      {
        name: "fix-missing",
        help: "Forget sessions without a transcript",
        unused: "--fix-missing has no effect: the ledger keeps sessions and transcripts together.",
      },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("./commands/sessions-cleanup.ts")).run,
  },
  {
    path: ["sessions", "branches"],
    summary: "The branches of a conversation and its checkpoints",
    args: [SESSION_ARGUMENT],
    flags: RPC_FLAGS,
    load: async () => (await sessionTree()).branches,
  },
  {
    path: ["sessions", "checkpoint"],
    summary: "Give the present point of a conversation a name",
    args: [SESSION_ARGUMENT, { name: "name", help: "At most 64 characters; the same name again moves it" }],
    flags: RPC_FLAGS,
    load: async () => (await sessionTree()).checkpoint,
  },
  {
    path: ["sessions", "rewind"],
    summary: "Go back in a conversation; what came after stays as a branch",
    args: [
      SESSION_ARGUMENT,
      { name: "point", isOptional: true, help: "A checkpoint, or an entry id; its first characters are enough" },
    ],
    flags: [
      { name: "turns", value: "count", kind: "number", preset: "1", help: "How many of your messages to take back" },
      ...RPC_FLAGS,
    ],
    load: async () => (await sessionTree()).rewind,
  },
  {
    path: ["sessions", "switch"],
    summary: "Go on in another branch of a conversation",
    args: [SESSION_ARGUMENT, { name: "point", help: "A checkpoint, or an entry id; its first characters are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await sessionTree()).switchTo,
  },
  { path: ["approvals"], summary: "Which commands the agent may run" },
  {
    path: ["approvals", "list"],
    summary: "Commands that wait for a yes, in full",
    flags: RPC_FLAGS,
    load: async () => (await approvals()).list,
  },
  {
    path: ["approvals", "approve"],
    summary: "Let a waiting command run",
    args: [{ name: "id", help: "Of the question; its first four characters are enough" }],
    flags: [{ name: "always", help: "And from now on without asking" }, ...RPC_FLAGS],
    load: async () => (await approvals()).approve,
  },
  {
    path: ["approvals", "deny"],
    summary: "Refuse a waiting command",
    args: [{ name: "id", help: "Of the question; its first four characters are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await approvals()).deny,
  },
  {
    path: ["approvals", "get"],
    summary: "Rules and allow-lists",
    flags: APPROVALS_FLAGS,
    load: async () => (await approvalsFile()).get,
  },
  {
    path: ["approvals", "set"],
    summary: "Replace rules and allow-lists by a JSON document",
    flags: [
      { name: "file", value: "file", help: "Read it from this file" },
      { name: "stdin", help: "Read it from the input" },
      ...APPROVALS_FLAGS,
    ],
    load: async () => (await approvalsFile()).set,
  },
  { path: ["approvals", "allowlist"], summary: "Programs that may run without asking" },
  {
    path: ["approvals", "allowlist", "add"],
    summary: "Allow a program",
    args: [{ name: "pattern", help: "Such as /usr/bin/git, ~/bin/* or git" }],
    flags: ALLOW_LIST_FLAGS,
    load: async () => (await approvalsFile()).add,
  },
  {
    path: ["approvals", "allowlist", "remove"],
    summary: "Allow a program no longer",
    args: [{ name: "pattern", help: "As `chela approvals get` shows it" }],
    flags: ALLOW_LIST_FLAGS,
    load: async () => (await approvalsFile()).remove,
  },
  { path: ["agents"], summary: "Who answers" },
  {
    path: ["agents", "list"],
    summary: "Agents, their models and workspaces",
    flags: [{ name: "bindings", help: "Also where each of them answers" }, ...RPC_FLAGS],
    load: async () => (await agents()).list,
  },
  {
    path: ["agents", "add"],
    summary: "Add an agent with a workspace of its own",
    args: [{ name: "name", help: "Its name; the id is made from it" }],
    flags: [
      { name: "workspace", value: "dir", help: "Where it works; in the state directory unless told" },
      { name: "model", value: "model", help: "Its model; the usual one unless told" },
      { name: "agent-dir", value: "dir", help: "Where its own settings are kept" },
      { name: "bind", value: "channel[:account]", repeats: true, help: "Where it answers; may be given several times" },
      { name: "non-interactive", help: "Taken for compatibility; nothing is asked" },
      ...RPC_FLAGS,
    ],
    load: async () => (await agents()).add,
  },
  {
    path: ["agents", "delete"],
    summary: "Remove an agent; its sessions and files go to the trash folder",
    args: [{ name: "id", help: "Of the agent" }],
    flags: [{ name: "force", help: "Do not ask" }, ...RPC_FLAGS],
    load: async () => (await agents()).remove,
  },
  {
    path: ["agents", "set-identity"],
    summary: "Give an agent a name, an emoji, a picture or a theme",
    flags: [
      { name: "agent", value: "id", help: "Which agent; the default one unless told" },
      { name: "workspace", value: "dir", help: "The agent that works there" },
      { name: "identity-file", value: "file", help: "Read them from this file" },
      { name: "from-identity", help: "Read them from IDENTITY.md in the workspace" },
      { name: "name", value: "name", help: "How it is called" },
      { name: "theme", value: "text", help: "What it is like" },
      { name: "emoji", value: "emoji", help: "Its sign" },
      { name: "avatar", value: "picture", help: "Emoji, http(s) or data address, or a picture in the workspace" },
      ...RPC_FLAGS,
    ],
    load: async () => (await agents()).setIdentity,
  },
  {
    path: ["usage"],
    summary: "What was spent by whom, and what is left of the budgets",
    flags: [
      {
        name: "by",
        value: "what",
        choices: ["agent", "session", "channel", "person", "job", "model", "provider"],
        preset: "agent",
        help: "What is counted together",
      },
      { name: "days", value: "count", kind: "number", preset: "30", help: "How many days, today included" },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("./commands/usage.ts")).run,
  },
  {
    path: ["explain"],
    summary: "How a turn came about: route, prompt, models, tools, cost, delivery",
    args: [{ name: "id", help: "Of the run or of the message; the first characters of a run are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await import("./commands/explain.ts")).run,
  },
  { path: ["tools"], summary: "What agents may do" },
  {
    path: ["tools", "explain"],
    summary: "Whether a tool may be used, and which layer of the policy decides it",
    args: [{ name: "tool", help: "Such as exec" }],
    flags: [
      { name: "session", value: "key", help: "In this session; the agent's main one unless told" },
      { name: "agent", value: "id", help: "For this agent; the default one unless told" },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("./commands/tools-explain.ts")).run,
  },
  { path: ["models"], summary: "Which models there are, which one answers, and sign-ins" },
  {
    path: ["models", "list"],
    summary: "Models that can be used now",
    flags: [
      { name: "all", help: "Also those that lack a key" },
      { name: "provider", value: "name", help: "Only of this provider" },
      { name: "local", help: "Only of servers on this machine" },
      PLAIN_FLAG,
      ...RPC_FLAGS,
    ],
    load: async () => (await import("./commands/models-list.ts")).run,
  },
  {
    path: ["models", "status"],
    summary: "Which model answers, by which key, and what would take its place",
    flags: [
      { name: "agent", value: "id", help: "Of which agent; the default one unless told" },
      { name: "check", help: "End with 1 when no model can be used" },
      { name: "plain", help: "Only the name of the model" },
      JSON_FLAG,
    ],
    load: async () => (await import("./commands/models-status.ts")).run,
  },
  {
    path: ["models", "set"],
    summary: "Choose the model that answers; its fallbacks stay",
    args: [MODEL_ARGUMENT],
    load: async () => (await modelChoice()).set,
  },
  {
    path: ["models", "set-image"],
    summary: "Choose the model that looks at pictures",
    args: [MODEL_ARGUMENT],
    load: async () => (await modelChoice()).set,
  },
  { path: ["models", "aliases"], summary: "Short names for models" },
  {
    path: ["models", "aliases", "list"],
    summary: "Show them",
    flags: [{ ...PLAIN_FLAG, help: "One per line: the alias and its model" }, JSON_FLAG],
    load: async () => (await modelAliases()).list,
  },
  {
    path: ["models", "aliases", "add"],
    summary: "Give a model a short name",
    args: [{ name: "alias", help: "Such as fast" }, MODEL_ARGUMENT],
    load: async () => (await modelAliases()).add,
  },
  {
    path: ["models", "aliases", "remove"],
    summary: "Take a short name away",
    args: [{ name: "alias", help: "Such as fast" }],
    load: async () => (await modelAliases()).remove,
  },
  ...fallbackCommands("fallbacks", "model"),
  ...fallbackCommands("image-fallbacks", "model for pictures"),
  { path: ["models", "auth"], summary: "Keys and sign-ins of an agent" },
  {
    path: ["models", "auth", "add"],
    summary: "Store an API key; it is asked for, or read from a pipe, and never shown",
    flags: [
      { ...PROVIDER_FLAG, help: "Which provider; asked for unless told" },
      { name: "profile-id", value: "id", help: "<provider>:default unless told" },
      AGENT_FLAG,
    ],
    load: async () => (await modelAuth()).add,
  },
  {
    path: ["models", "auth", "paste-token"],
    summary: "Store a token; it is asked for, or read from a pipe, and never shown",
    flags: [
      PROVIDER_FLAG,
      { name: "profile-id", value: "id", help: "<provider>:manual unless told" },
      { name: "expires-in", value: "time", help: "When it ends, such as 365d or 12h" },
      AGENT_FLAG,
    ],
    load: async () => (await modelAuth()).pasteToken,
  },
  {
    path: ["models", "auth", "login-github-copilot"],
    summary: "Sign in at GitHub with a code, to use the models of Copilot",
    flags: [
      { name: "profile-id", value: "id", help: "github-copilot:github unless told" },
      { name: "enterprise-url", value: "url", help: "GitHub of an enterprise, such as acme.ghe.com" },
      AGENT_FLAG,
    ],
    load: async () => (await import("./commands/models-login-github.ts")).run,
  },
  { path: ["models", "auth", "order"], summary: "In which order the profiles of a provider are tried" },
  {
    path: ["models", "auth", "order", "get"],
    summary: "Show the order",
    flags: [PROVIDER_FLAG, AGENT_FLAG, JSON_FLAG],
    load: async () => (await profileOrder()).get,
  },
  {
    path: ["models", "auth", "order", "set"],
    summary: "Say which profiles are tried, first one first; others are not used",
    args: [{ ...PROFILE_ARGUMENT, repeats: true, help: `${PROFILE_ARGUMENT.help}; more may follow` }],
    flags: [PROVIDER_FLAG, AGENT_FLAG],
    load: async () => (await profileOrder()).set,
  },
  {
    path: ["models", "auth", "order", "clear"],
    summary: "Let the gateway choose again",
    flags: [PROVIDER_FLAG, AGENT_FLAG],
    load: async () => (await profileOrder()).clear,
  },
  {
    path: ["models", "auth", "remove"],
    summary: "Remove a stored profile",
    args: [PROFILE_ARGUMENT],
    flags: [AGENT_FLAG],
    load: async () => (await modelAuth()).remove,
  },
  {
    path: ["models", "auth", "clear-cooldown"],
    summary: "Let a resting profile be tried again at once",
    args: [PROFILE_ARGUMENT],
    flags: [AGENT_FLAG],
    load: async () => (await modelAuth()).clearCooldown,
  },
  { path: ["config"], summary: "Read and change the configuration" },
  {
    path: ["config", "get"],
    summary: "Print one value; secrets are not shown",
    args: [{ name: "path", help: "Such as gateway.port or agents.list[0].id" }],
    flags: [JSON_FLAG],
    load: async () => (await import("./commands/config-get.ts")).run,
  },
  {
    path: ["config", "set"],
    summary: "Change one value; a running gateway takes it up by itself",
    args: [
      { name: "path", help: "Such as gateway.port" },
      { name: "value", help: "JSON5; what is none is taken as text" },
    ],
    flags: [
      { name: "strict-json", help: "Refuse a value that is not JSON" },
      { name: "json", help: "Same as --strict-json" },
    ],
    load: async () => (await config()).set,
  },
  {
    path: ["config", "unset"],
    summary: "Remove one value",
    args: [{ name: "path", help: "Such as gateway.port" }],
    load: async () => (await config()).unset,
  },
  {
    path: ["config", "validate"],
    summary: "Check the file and show everything that is wrong, with lines",
    flags: [JSON_FLAG],
    load: async () => (await config()).validate,
  },
  { path: ["config", "file"], summary: "Print where the file lies", load: async () => (await config()).file },
  {
    path: ["config", "schema"],
    summary: "Print the JSON Schema of the file",
    flags: [JSON_FLAG],
    load: async () => (await config()).schema,
  },
  { path: ["devices"], summary: "Who has a key to the gateway" },
  {
    path: ["devices", "list"],
    summary: "Devices that wait and devices that are paired",
    flags: RPC_FLAGS,
    load: async () => (await devices()).list,
  },
  {
    path: ["devices", "approve"],
    summary: "Let a waiting device in",
    args: [{ name: "id", isOptional: true, help: "Of the request; its first characters are enough" }],
    flags: [{ name: "latest", help: "The newest request" }, ...RPC_FLAGS],
    load: async () => (await devices()).approve,
  },
  {
    path: ["devices", "reject"],
    summary: "Turn a waiting device away",
    args: [{ name: "id", help: "Of the request; its first characters are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await devices()).reject,
  },
  {
    path: ["devices", "remove"],
    summary: "Forget a paired device and close its connections",
    args: [{ name: "device", help: "Its id; the first characters are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await devices()).remove,
  },
  {
    path: ["devices", "rotate"],
    summary: "Give a device a new token",
    flags: [
      { name: "device", value: "id", help: "Which device (required)" },
      { name: "role", value: "role", preset: "operator", help: "operator or node" },
      { name: "scope", value: "scope", repeats: true, help: "What the token may do; may be given several times" },
      ...RPC_FLAGS,
    ],
    load: async () => (await devices()).rotate,
  },
  {
    path: ["devices", "revoke"],
    summary: "Take a device's token away",
    flags: [
      { name: "device", value: "id", help: "Which device (required)" },
      { name: "role", value: "role", preset: "operator", help: "operator or node" },
      ...RPC_FLAGS,
    ],
    load: async () => (await devices()).revoke,
  },
  {
    path: ["doctor"],
    summary: "Check everything and say what to do",
    flags: [
      { name: "fix", help: "Put right what can be put right safely" },
      { name: "repair", help: "Same as --fix" },
      { name: "deep", help: "Taken for compatibility; every check is always made" },
      { name: "yes", help: "Taken for compatibility; nothing is asked" },
      { name: "non-interactive", help: "Taken for compatibility; nothing is asked" },
      { name: "force", help: "Taken for compatibility; nothing is asked" },
      { name: "no-workspace-suggestions", help: "Taken for compatibility; there are none" },
      { name: "generate-gateway-token", help: "Taken for compatibility; a start makes a token when there is none" },
      JSON_FLAG,
    ],
    load: async () => (await import("./commands/doctor.ts")).run,
  },
  {
    path: ["import"],
    summary: "Take conversations from OpenClaw files into the ledger",
    flags: [{ name: "from", value: "dir", help: "State directory to read; this one unless told" }, JSON_FLAG],
    load: async () => (await import("./commands/import.ts")).run,
  },
  {
    path: ["export"],
    summary: "Write conversations as OpenClaw files, or hand out what is new",
    flags: [
      { name: "to", value: "dir", help: "Write everything into this directory" },
      { name: "state", value: "file", help: "Print what is new since the last time, and remember it in this file" },
      { name: "follow", help: "With --state: go on until Ctrl-C" },
      JSON_FLAG,
    ],
    load: async () => (await import("./commands/export.ts")).run,
  },
  { path: ["backup"], summary: "Copies of the ledger" },
  {
    path: ["backup", "create"],
    summary: "Copy the ledger to a file, also while the gateway runs",
    flags: [{ name: "output", value: "file", help: "Where to; beside the ledger unless told" }, JSON_FLAG],
    load: async () => (await import("./commands/backup-create.ts")).run,
  },
  {
    path: ["completion"],
    summary: "Print a script that completes commands in your shell",
    flags: [
      {
        name: "shell",
        short: "s",
        value: "shell",
        choices: ["bash", "zsh", "fish", "powershell"],
        help: "Which shell; the one of $SHELL unless told",
      },
    ],
    load: async () => (await import("./commands/completion.ts")).run,
  },
];

export interface ReferenceRow {
  readonly command: string;
  readonly summary: string;
  readonly flags: ReadonlyArray<{ readonly flag: string; readonly help: string; readonly preset?: string }>;
}

/** For the generated reference: every command with its flags. */
export function commandReference(): ReferenceRow[] {
  return COMMANDS.map(({ path, args = [], summary, flags = [] }) => ({
    command: ["chela", ...path, ...args.map(argumentShape)].join(" "),
    summary,
    flags: flags.map(({ name, short, value, help, preset, choices }) => ({
      flag: `${short ? `-${short}, ` : ""}--${name}${value ? ` <${value}>` : ""}`,
      help: choices ? `${help} (${choices.join(", ")})` : help,
      ...(preset === undefined ? {} : { preset }),
    })),
  }));
}
