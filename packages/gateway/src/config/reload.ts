// What a changed config asks of the running gateway: nothing, some rooms to start over, or a restart of everything.
import { parsePath, type Path } from "./path.ts";

export type ReloadMode = "off" | "restart" | "hot" | "hybrid";

export interface ReloadPlan {
  readonly changed: readonly string[];
  /** The whole process must start over. */
  readonly restart: boolean;
  /** Rooms that must start over by themselves. */
  readonly hot: readonly string[];
  /** Changes that need a restart, which the mode "hot" does not do by itself. */
  readonly waiting: readonly string[];
}

type Action = "live" | "restart" | { readonly room: string };

/** First match wins, so the narrower prefix stands first. `live` settings are read anew each time they are used. */
const RULES: ReadonlyArray<readonly [prefix: string, action: Action]> = [
  ["gateway.port", { room: "server" }],
  ["gateway.bind", { room: "server" }],
  ["gateway.customBindHost", { room: "server" }],
  ["gateway.tls", { room: "server" }],
  ["gateway.tailscale", { room: "server" }],
  ["gateway.auth", "live"],
  ["gateway.controlUi", "live"],
  ["gateway.http", "live"],
  ["gateway.trustedProxies", "live"],
  ["gateway.tools", "live"],
  ["gateway.allowRealIpFallback", "live"],
  ["gateway.remote", "live"],
  ["gateway.reload", "live"],
  ["hooks.gmail", { room: "gmail" }],
  ["hooks", { room: "hooks" }],
  ["agents.defaults.heartbeat", { room: "heartbeat" }],
  ["cron", { room: "cron" }],
  ["browser", { room: "browser" }],
  ["web", { room: "channel:whatsapp" }],
  // Each account looks whether the change concerns it.
  ["channels.defaults", { room: "channels" }],
  ["channels.modelByChannel", "live"],
  ...[
    "$schema",
    "meta",
    "identity",
    "wizard",
    "logging",
    "models",
    "agents",
    "budgets",
    "audit",
    "agent",
    "tools",
    "bindings",
    "audio",
    "media",
    "commands",
    "approvals",
    "routing",
    "messages",
    "session",
    "talk",
    "skills",
    "secrets",
    "ui",
  ].map((prefix) => [prefix, "live"] as const),
];

export function planReload(changed: readonly string[], mode: ReloadMode): ReloadPlan {
  const none = { changed, restart: false, hot: [], waiting: [] };
  if (mode === "off" || changed.length === 0) return none;
  if (mode === "restart") return { ...none, restart: true };
  const actions = changed.map((text) => ({ text, action: actionFor(parsePath(text)) }));
  const rooms = actions.flatMap(({ action }) => (typeof action === "object" ? [action.room] : []));
  const needing = actions.filter(({ action }) => action === "restart").map(({ text }) => text);
  const hot = [...new Set(rooms)];
  return mode === "hot" ? { ...none, hot, waiting: needing } : { ...none, hot, restart: needing.length > 0 };
}

function actionFor(path: Path): Action {
  const rule = RULES.find(([prefix]) => prefix.split(".").every((key, index) => path[index] === key));
  if (rule) return rule[1];
  return path[0] === "channels" && path.length > 1 ? { room: `channel:${String(path[1])}` } : "restart";
}
