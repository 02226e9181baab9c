// The plugins room owns code of others: where it lies, whether it may run, what it may do, its processes, and what it brings.
export type { Plugins, PluginsParts, PluginEvent } from "./plugins.ts";
export { createPluginStarter, type PluginStarter } from "./plugin-starter.ts";
