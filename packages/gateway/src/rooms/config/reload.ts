// Plans what a changed config asks of the running gateway: nothing, some rooms to start over, or a full restart.
import { reloadOf } from "./key-facts.ts";
import { parsePath } from "./edit/path.ts";

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

export function planReload(changed: readonly string[], mode: ReloadMode): ReloadPlan {
  const none = { changed, restart: false, hot: [], waiting: [] };
  if (mode === "off" || changed.length === 0) return none;
  if (mode === "restart") return { ...none, restart: true };
  const actions = changed.map((text) => ({ text, action: reloadOf(parsePath(text)) }));
  const rooms = actions.flatMap(({ action }) => (typeof action === "object" ? [action.room] : []));
  const needing = actions.filter(({ action }) => action === "restart").map(({ text }) => text);
  const hot = [...new Set(rooms)];
  return mode === "hot" ? { ...none, hot, waiting: needing } : { ...none, hot, restart: needing.length > 0 };
}
