// The models named in `agents.defaults`: read, looked up, and changed in one write of the configuration each.
import { GatewayError } from "@chela/sdk";
import type { CommandCall } from "@chela/sdk/command-line";
import { issueSentence, openStateDirectory, type ChelaConfig, type ConfigStore } from "../../rooms/config/room.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import { findProvider, modelsOf, resolveModel } from "../../rooms/models/catalog.ts";
import { wrapText } from "../../base/terminal/layout.ts";
import { openConfig } from "../offline/open-config.ts";

type ModelDefaults = NonNullable<NonNullable<ChelaConfig["agents"]>["defaults"]>;

export interface OpenedDefaults {
  readonly store: ConfigStore;
  readonly config: ChelaConfig;
  readonly defaults: ModelDefaults;
}

export function openModelDefaults({ env, state, terminal }: CommandCall): OpenedDefaults {
  const { paths, notices } = openStateDirectory(env, state);
  for (const notice of notices) terminal.note(notice);
  const store = openConfig(paths, env);
  const config = store.current();
  return { store, config, defaults: config.agents?.defaults ?? {} };
}

/** "provider/model" behind what was typed. Throws MODEL_UNKNOWN; a name the catalogue lacks is taken, with a note. */
export function requireModel({ config }: OpenedDefaults, typed: string, { terminal }: CommandCall): string {
  const { provider, id } = resolveModel(config, typed);
  const entry = findProvider(config, provider);
  const known = entry ? modelsOf(entry).map((model) => model.id) : [];
  if (known.length > 0 && !known.includes(id)) {
    const near = nearestWord(id, known);
    const hint = near ? ` The nearest is ${provider}/${near}.` : "";
    const says = `${provider}/${id} is not in the catalogue, which may just be older than the model.${hint}`;
    terminal.note(wrapText(says, terminal.columns));
  }
  return `${provider}/${id}`;
}

/** For comparing: what cannot be resolved stands for itself. */
export function tryRef(config: ChelaConfig, text: string): string {
  try {
    const { provider, id } = resolveModel(config, text);
    return `${provider}/${id}`;
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return text;
  }
}

/** Null takes a key away. */
export function changeDefaults(
  { store }: OpenedDefaults,
  patch: Readonly<Record<string, unknown>>,
  done: string,
  { terminal }: CommandCall,
): void {
  const report = store.mergePatch(JSON.stringify({ agents: { defaults: patch } }), store.snapshot().hash);
  if (report.kind === "unchanged") return terminal.print("Nothing changed: that is the setting already.");
  const effect = `A running gateway ${report.plan.restart ? "starts again with it" : "takes it up"} by itself.`;
  terminal.print(wrapText(`${done} ${effect}`, terminal.columns));
  for (const warning of report.warnings) terminal.note(issueSentence(warning));
}
