// Commands that start, stop and ask a gateway.
import { type CommandSpec, type FlagSpec, JSON_FLAG, RPC_FLAGS } from "@chela/sdk/command-line";

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
/** Also read from .env in the state directory. */
const RUN_ENVIRONMENT: CommandSpec["environment"] = [
  {
    name: "OPENCLAW_CLI_SECRET",
    help: "Opens a second, local port for scripts: whoever shows this secret reads and speaks in the home session, the main conversation as plain pairs (GET and POST /api/sessions/home)",
  },
  { name: "OPENCLAW_CLI_PORT", help: "That port (default 8080)" },
  { name: "OPENCLAW_GATEWAY_TOKEN", help: "The token clients must show, when none is configured" },
  { name: "OPENCLAW_STATE_DIR", help: "Where everything is kept (default ~/.openclaw)" },
];
const gateway = () => import("../commands/gateway.ts");

export const GATEWAY_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["gateway"],
    summary: "Start the gateway here (same as `gateway run`), or ask one",
    flags: RUN_FLAGS,
    environment: RUN_ENVIRONMENT,
    load: async () => (await import("../run/gateway-entry.ts")).run,
  },
  {
    path: ["gateway", "run"],
    summary: "Start the gateway in this terminal",
    flags: RUN_FLAGS,
    environment: RUN_ENVIRONMENT,
    load: async () => (await import("../run/gateway-entry.ts")).run,
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
    load: async () => (await import("../commands/health.ts")).run,
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
    path: ["dashboard"],
    summary: "Open the control page in a browser, with a link that lets it in once",
    flags: [{ name: "no-open", help: "Only print the link" }, ...RPC_FLAGS],
    load: async () => (await import("../commands/dashboard.ts")).run,
  },
];
