// Opens the plugins with the configuration, the workspaces, the sandbox and the names the gateway has itself.
import { agentOfSessionKey } from "@chela/sdk";
import { isObject } from "@chela/sdk/base";
import type { PluginEvent, Plugins, PluginsParts } from "../rooms/plugins/room.ts";
import { defaultAgent } from "../rooms/routing/room.ts";
import type { ProgramWrapper } from "../rooms/sandbox/room.ts";
import { fits } from "../server/http/router.ts";
import { collectRoutes } from "../server/http/routes.ts";
import { CONTRIBUTIONS } from "./contributions.ts";
import type { House } from "./house.ts";
import { openProxy } from "./open-sandboxes.ts";
import { pluginPlaces } from "./plugin-places.ts";

export async function openPlugins(house: House, broughtChanged: () => Promise<void>): Promise<Plugins> {
  const { Plugins: Room } = await import("../rooms/plugins/plugins.ts");
  const { clock, log, ledger, config, stateDir } = house;
  let wrapper: ProgramWrapper | undefined;
  const { createProgramWrapper } = await import("../rooms/sandbox/bubblewrap/wrap-program.ts");
  return new Room({
    clock,
    log,
    ledger,
    stateDir,
    settings: () => config.current().plugins ?? {},
    places: () => pluginPlaces(house),
    env: () => config.effectiveEnv(),
    workspaceDir: () => house.workspaceOf(defaultAgent(config.current()).id),
    shownConfig: (open) => shownConfig(house, open),
    setConfig: (path, value) => void config.setPath(path, value),
    unsetConfig: (path) => void config.unsetPath(path),
    wrapper: () => (process.platform === "linux" ? (wrapper ??= createProgramWrapper()) : undefined),
    openProxy: (hosts) => openProxy(hosts, house),
    takenNames: async () => takenNames(house),
    systemEvent: (text, sessionKey) => systemEvent(house, text, sessionKey),
    noted: (event) => noted(house, event),
    broughtChanged,
  });
}

/** As clients see it; where a plugin has a say, as it is. */
function shownConfig({ config }: Pick<House, "config">, open: readonly string[]): unknown {
  const shown = structuredClone(config.describe().config);
  for (const place of open) copyPlace(config.current(), shown, place.split("."));
  return shown;
}

function copyPlace(from: unknown, to: unknown, [name, ...rest]: readonly string[]): void {
  if (name === undefined || !isObject(from) || !isObject(to) || !Object.hasOwn(from, name)) return;
  if (rest.length === 0) (to as Record<string, unknown>)[name] = structuredClone(from[name]);
  else copyPlace(from[name], to[name], rest);
}

/** Names of tools and chat commands are looked at where they are collected: only there all of them are loaded. */
function takenNames(house: House): Awaited<ReturnType<PluginsParts["takenNames"]>> {
  const methods = CONTRIBUTIONS.flatMap(({ methods: families = [] }) =>
    families.flatMap(({ specs }) => Object.keys(specs)),
  );
  const routes = collectRoutes(CONTRIBUTIONS).filter(({ auth }) => auth !== "page");
  return {
    methods: new Set(methods.map((name) => name.toLowerCase())),
    commands: new Set(),
    tools: new Set(),
    routes: new Set(),
    hasRoute: (path) => routes.some((route) => fits(route, path, house)),
  };
}

async function systemEvent(house: House, text: string, sessionKey: string | undefined): Promise<void> {
  const { defaultAgentId } = house.keys();
  await house.wake({
    agentId: (sessionKey === undefined ? undefined : agentOfSessionKey(sessionKey)) ?? defaultAgentId,
    ...(sessionKey === undefined ? {} : { sessionKey }),
    text,
    mode: "next-heartbeat",
    reason: "hook:plugin",
    key: `plugin:${house.ids.uuid()}`,
    // A plugin is no person: what it says is told, and gives nobody rights.
    standing: "webhook",
  });
}

function noted({ log, audit, changes }: House, { kind, id, why, detail }: PluginEvent): void {
  changes.note("plugins");
  if (kind === "started") return;
  const isBad = kind === "gave up" || kind === "not loaded" || kind === "changed files";
  log[isBad ? "warn" : "info"](`plugin ${kind}`, { plugin: id, ...(why === undefined ? {} : { why }) });
  const outcome = isBad ? "failed" : "ok";
  audit.note({
    action: "plugin",
    actor: "gateway",
    target: id,
    outcome,
    detail: { step: kind, ...(why ? { why } : {}), ...detail },
  });
}
