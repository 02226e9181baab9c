// The hooks room owns handlers on events: where they lie, which of them may run, and how they are told what happens.
export { checkHooks, createHookCatalogue, createHooks, type HookReport, type Hooks, type HooksParts } from "./hooks.ts";
export type { BootErrand, Remark } from "./bundled/needs.ts";
