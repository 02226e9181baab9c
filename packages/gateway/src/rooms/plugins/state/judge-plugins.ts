// Whether each plugin that was found may run, and why not: by the configuration, by what was approved, by its own state. Pure.
import type { FoundPlugin } from "../discover/found.ts";
import type { Approval } from "../grants/plugin-records.ts";

/** `plugins` of the configuration. */
export interface PluginSettings {
  readonly enabled?: boolean | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly slots?: { readonly memory?: string | undefined; readonly contextEngine?: string | undefined } | undefined;
  readonly entries?: Readonly<Record<string, EntrySettings | undefined>> | undefined;
  readonly trusted?: Readonly<Record<string, string>> | undefined;
}

export interface EntrySettings {
  readonly enabled?: boolean | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly env?: Readonly<Record<string, unknown>> | undefined;
}

export type PluginState =
  | { readonly kind: "enabled" }
  | { readonly kind: "disabled"; readonly why: string; readonly fix: string }
  | { readonly kind: "missing"; readonly why: string; readonly fix: string }
  | { readonly kind: "invalid"; readonly why: string; readonly fix: string }
  | { readonly kind: "blocked"; readonly reason: string; readonly why: string; readonly fix: string }
  | { readonly kind: "broken"; readonly why: string; readonly fix: string }
  | { readonly kind: "needs-approval"; readonly why: string; readonly fix: string };

export interface Judged {
  readonly id: string;
  /** Absent for an id that only the configuration names. */
  readonly found?: FoundPlugin;
  readonly state: PluginState;
}

export interface JudgeParts {
  readonly settings: PluginSettings;
  approvalOf(id: string): Approval | undefined;
  /** Why its settings are not what it asks for. */
  whyInvalid(found: FoundPlugin): string | undefined;
  /** Its process fell too often, or could not load it, with these very files. */
  whyBroken(found: FoundPlugin): { readonly why: string; readonly fix: string } | undefined;
}

/** In the order in which they were found; then the ids nobody has. */
export function judgePlugins(found: readonly FoundPlugin[], parts: JudgeParts): readonly Judged[] {
  const keepers = keepersOf(found, parts);
  const judged = found.map((plugin): Judged => {
    const keeper = keepers.get(plugin.id);
    return {
      id: plugin.id,
      found: plugin,
      state: keeper && keeper !== plugin ? shadowed(plugin, keeper) : judge(plugin, parts),
    };
  });
  return [...judged, ...missing(found, parts.settings)];
}

/** The first keeps an id; one in a workspace only when the owner said yes to it. */
function keepersOf(found: readonly FoundPlugin[], parts: JudgeParts): ReadonlyMap<string, FoundPlugin> {
  const keepers = new Map<string, FoundPlugin>();
  for (const plugin of found) if (!keepers.has(plugin.id) && mayKeep(plugin, parts)) keepers.set(plugin.id, plugin);
  for (const plugin of found) if (!keepers.has(plugin.id)) keepers.set(plugin.id, plugin);
  return keepers;
}

function mayKeep(plugin: FoundPlugin, { approvalOf }: JudgeParts): boolean {
  return plugin.origin !== "workspace" || approvalOf(plugin.id)?.root === plugin.root;
}

function shadowed({ id }: FoundPlugin, keeper: FoundPlugin): PluginState {
  const fix = `Keep one of them: chela plugins inspect ${id}`;
  return { kind: "disabled", why: `Another plugin has this id: ${keeper.source}.`, fix };
}

function judge(plugin: FoundPlugin, parts: JudgeParts): PluginState {
  const { id, trouble } = plugin;
  if (trouble) return trouble;
  const off = whyOff(plugin, parts.settings);
  if (off) return { kind: "disabled", ...off };
  // Nothing of a bundle runs.
  if (plugin.bundle) return { kind: "enabled" };
  const approval = parts.approvalOf(id);
  if (plugin.origin !== "bundled" && approval?.root !== plugin.root) {
    const why = approval ? "Another folder was approved under this id." : "Nobody has said yet what it may do.";
    return { kind: "needs-approval", why, fix: `chela plugins approve ${id}` };
  }
  const broken = parts.whyBroken(plugin);
  if (broken) return { kind: "broken", ...broken };
  const invalid = parts.whyInvalid(plugin);
  if (invalid !== undefined)
    return { kind: "invalid", why: invalid, fix: `chela config set plugins.entries.${id}.config …` };
  return { kind: "enabled" };
}

/** Deny before everything, then its own switch, the slot, the list of those that are allowed, and where it comes from. */
function whyOff(
  plugin: FoundPlugin,
  settings: PluginSettings,
): { readonly why: string; readonly fix: string } | undefined {
  const { id, origin, manifest } = plugin;
  const enable = `chela plugins enable ${id}`;
  if (settings.enabled === false) return { why: "All plugins are switched off (plugins.enabled).", fix: enable };
  if (names(settings.deny, id)) return { why: "plugins.deny names it.", fix: enable };
  const entry = entryOf(settings, id);
  if (entry?.enabled === false) return { why: `It is switched off (plugins.entries.${id}.enabled).`, fix: enable };
  const slot = slotOf(plugin, settings);
  if (slot === "chosen") return undefined;
  if (slot !== undefined) return { why: slot, fix: enable };
  const { allow = [] } = settings;
  if (allow.length > 0) return names(allow, id) ? undefined : { why: "plugins.allow does not name it.", fix: enable };
  if (entry?.enabled === true) return undefined;
  if (origin === "workspace") return { why: "It lies in a workspace, where agents write.", fix: enable };
  if (origin === "bundled" && !manifest.enabledByDefault)
    return { why: "It comes along, and nobody needs it yet.", fix: enable };
  return undefined;
}

const SLOTS = [
  { kind: "memory", key: "memory" },
  { kind: "context-engine", key: "contextEngine" },
] as const;

/** Whether it has the place that only one can have: "chosen", why not, or nothing when it wants none. */
function slotOf({ id, manifest }: FoundPlugin, { slots }: PluginSettings): "chosen" | string | undefined {
  const slot = SLOTS.find(({ kind }) => manifest.kinds.includes(kind));
  if (!slot) return undefined;
  const chosen = slots?.[slot.key];
  if (chosen === id) return "chosen";
  // A plugin of several kinds still has the others.
  if (manifest.kinds.length > 1) return undefined;
  return chosen === undefined
    ? `plugins.slots.${slot.key} has not chosen it.`
    : `plugins.slots.${slot.key} has chosen "${chosen}".`;
}

/** A package of several plugins is also named as a whole. */
function names(list: readonly string[] | undefined, id: string): boolean {
  return list?.includes(id) === true || (!id.startsWith("@") && list?.includes(id.split("/")[0] ?? id) === true);
}

export function entryOf({ entries = {} }: PluginSettings, id: string): EntrySettings | undefined {
  return Object.hasOwn(entries, id) ? entries[id] : undefined;
}

/** Slots that nobody has to fill. */
const OWN_SLOTS = new Set(["none", "legacy", "memory-core"]);

function missing(found: readonly FoundPlugin[], settings: PluginSettings): readonly Judged[] {
  const { allow = [], deny = [], entries = {}, slots = {} } = settings;
  const slotted = Object.values(slots).filter((id): id is string => id !== undefined && !OWN_SLOTS.has(id));
  const named = new Map<string, string>();
  const note = (where: string) => (id: string) => void named.set(id, named.get(id) ?? where);
  Object.keys(entries).forEach(note("plugins.entries"));
  allow.forEach(note("plugins.allow"));
  deny.forEach(note("plugins.deny"));
  slotted.forEach(note("plugins.slots"));
  const known = new Set(found.flatMap(({ id }) => [id, id.split("/")[0] ?? id]));
  return [...named].flatMap(([id, where]): Judged[] => {
    if (known.has(id)) return [];
    const fix = `Install it (chela plugins install ${id}), or take the entry away: chela config unset ${where}`;
    return [{ id, state: { kind: "missing", why: `${where} names it, and there is no such plugin.`, fix } }];
  });
}
