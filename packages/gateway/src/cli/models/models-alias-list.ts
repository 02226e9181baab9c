// The short names of models that work with this configuration.
import type { ModelsConfigView } from "../../rooms/models/room.ts";
import { USUAL_ALIASES } from "../../rooms/models/known-providers.ts";

export interface ModelAlias {
  readonly alias: string;
  /** "provider/model" */
  readonly ref: string;
  readonly isBuiltIn: boolean;
}

export function listAliases(config: ModelsConfigView): ModelAlias[] {
  const listed = config.agents?.defaults?.models ?? {};
  const own = Object.entries(listed).flatMap(([ref, model]) =>
    model?.alias ? [{ alias: model.alias, ref, isBuiltIn: false }] : [],
  );
  const taken = new Set(own.map(({ alias }) => alias.toLowerCase()));
  const usual = Object.entries(USUAL_ALIASES)
    .filter(([alias, ref]) => Object.hasOwn(listed, ref) && !taken.has(alias))
    .map(([alias, ref]) => ({ alias, ref, isBuiltIn: true }));
  return [...own, ...usual];
}
