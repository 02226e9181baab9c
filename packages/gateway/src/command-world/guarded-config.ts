// Which places of the configuration decide over safety: they are changed by somebody at the machine, not by a message.
import { parsePath } from "../config/room.ts";

/** Without the numbers of list entries. */
const GUARDED = [
  "gateway.auth",
  "gateway.bind",
  "gateway.controlUi",
  "gateway.tailscale",
  "gateway.tls",
  "gateway.trustedProxies",
  "env",
  "tools.fs",
  "commands",
  "approvals",
  "secrets",
  "plugins",
  "hooks",
  "tools.exec",
  "tools.elevated",
  "agents.defaults.sandbox",
  "agents.list.sandbox",
  "agents.list.tools.exec",
  "agents.list.tools.elevated",
];

/** A place is guarded with all that is in it, and so is whatever holds one. Throws CONFIG_INVALID when it is none. */
export function isGuardedPlace(written: string): boolean {
  const keys = parsePath(written).filter((key) => !/^\d+$/.test(String(key)));
  // What an included file says cannot be seen from here.
  if (keys.includes("$include")) return true;
  const place = `${keys.join(".")}.`;
  return GUARDED.some((guarded) => place.startsWith(`${guarded}.`) || `${guarded}.`.startsWith(place));
}
