// Where plugins lie, by the configuration: looked at by every start, so that nothing else is loaded where there are none.
import { dirname, join, resolve } from "node:path";
import { agentSettings, type ConfigStore, type StatePaths } from "../rooms/config/room.ts";
import type { PluginsParts } from "../rooms/plugins/room.ts";
import { listAgents } from "../rooms/routing/room.ts";

type Places = ReturnType<PluginsParts["places"]>;
type PlacesHouse = { readonly config: Pick<ConfigStore, "current">; readonly paths: StatePaths };

const WORKSPACE_FOLDER = join(".openclaw", "extensions");

export function pluginPlaces({ config, paths }: PlacesHouse): Places {
  const { load, installs = {} } = config.current().plugins ?? {};
  const home = (place: string): string =>
    /^~(?:\/|$)/.test(place) ? join(paths.home, place.slice(1)) : resolve(dirname(paths.configPath), place);
  const byPath = new Map<string, string[]>();
  const agents = listAgents(config.current()).toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
  for (const { id, isDefault } of agents) {
    const { workspace } = agentSettings(config.current(), { id, isDefault }, paths);
    byPath.set(workspace, [...(byPath.get(workspace) ?? []), id]);
  }
  return {
    config: (load?.paths ?? []).map(home),
    workspaces: [...byPath].map(([path, agentIds]) => ({ path, agentIds })),
    global: [join(paths.stateDir, "extensions")],
    bundled: [],
    installed: Object.values(installs).flatMap((install) => (install?.installPath ? [home(install.installPath)] : [])),
  };
}

/** Where there is something to look at when there are plugins at all. */
export function pluginFolders(house: PlacesHouse): readonly string[] {
  const { config, workspaces, global, installed } = pluginPlaces(house);
  return [...config, ...workspaces.map(({ path }) => join(path, WORKSPACE_FOLDER)), ...global, ...installed];
}
