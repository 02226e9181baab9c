// Fills what hooks need of configuration and workspaces, for the gateway and for commands that run without one.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Clock } from "@chela/sdk";
import { agentSettings, type ConfigStore, type StatePaths } from "../../rooms/config/room.ts";
import type { HooksParts } from "../../rooms/hooks/room.ts";
import { listAgents } from "../../rooms/routing/room.ts";

export interface HookDeskNeeds {
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  readonly clock: Clock;
}

type SenderParts = Pick<
  HooksParts,
  "stateDir" | "clock" | "platform" | "config" | "env" | "extraDirs" | "named" | "agents" | "workspaces" | "setConfig"
>;

export function hookCatalogueParts({ config, paths, clock }: HookDeskNeeds): SenderParts {
  const agents = () =>
    listAgents(config.current()).map(({ id, isDefault }) => ({
      id,
      isDefault,
      workspace: agentSettings(config.current(), { id, isDefault }, paths).workspace,
    }));
  return {
    stateDir: paths.stateDir,
    clock,
    platform: process.platform,
    config: () => config.current(),
    env: () => config.effectiveEnv(),
    extraDirs() {
      const written = config.current().hooks?.internal?.load?.extraDirs ?? [];
      const isHome = (place: string): boolean => /^~(?:\/|$)/.test(place);
      return written.map((place) =>
        isHome(place) ? join(paths.home, place.slice(1)) : resolve(dirname(paths.configPath), place),
      );
    },
    named() {
      const [first] = agents().sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
      const home = (place: string): string =>
        /^~(?:\/|$)/.test(place) ? join(paths.home, place.slice(1)) : resolve(dirname(paths.configPath), place);
      // Written relative to the workspace, as OpenClaw has it, or to the configuration.
      const placed = (place: string): string => {
        const inWorkspace = resolve(first?.workspace ?? paths.stateDir, place);
        return existsSync(inWorkspace) ? inWorkspace : home(place);
      };
      return (config.current().hooks?.internal?.handlers ?? []).flatMap(({ event, module, export: exportName }) =>
        event && module ? [{ event, path: placed(module), exportName: exportName ?? "default" }] : [],
      );
    },
    agents,
    workspaces() {
      const byPath = new Map<string, string[]>();
      // Where two workspaces hold hooks of the same name, the default agent's keeps it.
      const inOrder = agents().sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
      for (const { id, workspace } of inOrder) byPath.set(workspace, [...(byPath.get(workspace) ?? []), id]);
      return [...byPath].map(([path, agentIds]) => ({ path, agentIds }));
    },
    setConfig: (path, value) => void config.setPath(path, value),
  };
}
