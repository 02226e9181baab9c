// What a plugin registered as a contribution, without what the gateway or an earlier plugin has already.
import type { ChatCommand, Contribution, HttpRoute, MethodFamily, Tool } from "@chela/sdk";
import type { House } from "../../../house/house.ts";
import { bringCommands } from "./bring-commands.ts";
import { bringEventHooks, bringHooks } from "./bring-hooks.ts";
import { bringMethods } from "./bring-methods.ts";
import { bringRoutes } from "./bring-routes.ts";
import { bringTools } from "./bring-tools.ts";
import type { BroughtPlugin } from "./brought-plugin.ts";

/** Names that are given away. Each plugin adds its own to them. */
export interface TakenNames {
  readonly methods: Set<string>;
  readonly commands: Set<string>;
  readonly tools: Set<string>;
  /** Whether a path is answered by somebody already. */
  hasRoute(path: string): boolean;
  readonly routes: Set<string>;
}

export function contributionOf(plugin: BroughtPlugin, taken: TakenNames): Contribution<House> {
  const { id, catalogue } = plugin;
  const tools = bringTools(plugin).filter(({ name }) => takes(name, "tool", taken.tools, plugin));
  const commands = bringCommands(plugin).filter(({ name }) => takes(name, "command", taken.commands, plugin, "/"));
  const family = familyOf(plugin, taken);
  return {
    id,
    says: catalogue.description ?? `Brought by the plugin ${id}.`,
    ...(family ? { methods: [family] } : {}),
    routes: routesOf(plugin, taken),
    tools: tools.map((tool) => async (): Promise<Tool> => tool),
    typedHooks: bringHooks(plugin),
    eventHooks: bringEventHooks(plugin),
    commands: async (): Promise<ReadonlyArray<ChatCommand<House>>> => commands,
  };
}

function takes(name: string, what: string, taken: Set<string>, plugin: BroughtPlugin, sign = ""): boolean {
  const plain = name.toLowerCase();
  if (taken.has(plain)) {
    plugin.warn(`Its ${what} ${sign}${name} is not there: that name is taken.`);
    return false;
  }
  taken.add(plain);
  return true;
}

function familyOf(plugin: BroughtPlugin, taken: TakenNames): MethodFamily<House> | undefined {
  const methods = plugin.catalogue.methods.filter((name) => takes(name, "method", taken.methods, plugin));
  return bringMethods({ ...plugin, catalogue: { ...plugin.catalogue, methods } });
}

/** The same path and way to match is one route; a path of the gateway's is never a plugin's. */
function routesOf(plugin: BroughtPlugin, taken: TakenNames): ReadonlyArray<HttpRoute<House>> {
  const free = plugin.catalogue.routes.filter(({ path, match, auth }) => {
    if (match !== "any" && taken.hasRoute(path)) {
      plugin.warn(`Its route ${path} is not there: the gateway answers it.`);
      return false;
    }
    const others = [`${match} ${path} ${auth === "plugin" ? "gateway" : "plugin"}`, `${match} ${path} ${auth}`];
    if (others.some((one) => taken.routes.has(one))) {
      plugin.warn(`Its route ${path} is not there: another one of that path is.`);
      return false;
    }
    taken.routes.add(`${match} ${path} ${auth}`);
    return true;
  });
  return bringRoutes({ ...plugin, catalogue: { ...plugin.catalogue, routes: free } });
}
