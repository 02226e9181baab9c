// Commands about models and the credentials for them.
import { type CommandSpec, type FlagSpec, JSON_FLAG, RPC_FLAGS } from "@chela/sdk/command-line";

const modelChoice = () => import("../models/commands/choice.ts");
const modelAliases = () => import("../models/commands/aliases.ts");
const modelAuth = () => import("../models/commands/auth.ts");
const profileOrder = () => import("../models/commands/auth-order.ts");
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

export const MODEL_COMMANDS: readonly CommandSpec[] = [
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
    load: async () => (await import("../models/commands/list.ts")).run,
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
    load: async () => (await import("../models/commands/status.ts")).run,
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
    path: ["models", "auth", "login"],
    summary: "Sign in with a browser, to use the models of a subscription",
    flags: [
      { ...PROVIDER_FLAG, help: "Where: anthropic, openai-codex, google-gemini-cli or qwen-portal" },
      { name: "profile-id", value: "id", help: "<provider>:default unless told" },
      { name: "accept-risk", help: "Sign in although the provider may suspend the account for it" },
      AGENT_FLAG,
    ],
    load: async () => (await import("../models/commands/login.ts")).run,
  },
  {
    path: ["models", "auth", "login-github-copilot"],
    summary: "Sign in at GitHub with a code, to use the models of Copilot",
    flags: [
      { name: "profile-id", value: "id", help: "github-copilot:github unless told" },
      { name: "enterprise-url", value: "url", help: "GitHub of an enterprise, such as acme.ghe.com" },
      AGENT_FLAG,
    ],
    load: async () => (await import("../models/commands/login-github.ts")).run,
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
];
