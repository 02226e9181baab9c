// Agents as they stand in the configuration file, and the patches that change them.
import { isObject, type JsonObject } from "../../settings/json-place.ts";

export interface ModelChoice {
  readonly primary?: string;
  /** Missing when those of all agents hold. */
  readonly fallbacks?: readonly string[];
}

function agentsPart(parsed: unknown): JsonObject {
  const agents = isObject(parsed) ? parsed["agents"] : undefined;
  return isObject(agents) ? agents : {};
}

function writtenList(parsed: unknown): readonly JsonObject[] {
  const { list } = agentsPart(parsed);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** What is written for all agents. */
export function writtenDefaults(parsed: unknown): JsonObject {
  const { defaults } = agentsPart(parsed);
  return isObject(defaults) ? defaults : {};
}

/** Place of an agent in the list; -1 when nothing is written of it. */
export function placeOf(parsed: unknown, id: string): number {
  return writtenList(parsed).findIndex((entry) => idOf(entry).trim().toLowerCase() === id);
}

export function writtenAgent(parsed: unknown, id: string): JsonObject {
  return writtenList(parsed)[placeOf(parsed, id)] ?? {};
}

function idOf(entry: JsonObject): string {
  return typeof entry["id"] === "string" ? entry["id"] : "";
}

export function modelChoiceOf(entry: JsonObject): ModelChoice {
  const { model } = entry;
  if (typeof model === "string") return model === "" ? {} : { primary: model };
  if (!isObject(model)) return {};
  const { primary, fallbacks } = model;
  return {
    ...(typeof primary === "string" && primary !== "" ? { primary } : {}),
    ...(Array.isArray(fallbacks) ? { fallbacks: fallbacks.filter((one) => typeof one === "string") } : {}),
  };
}

/** What stands in the file for a choice; null takes it out. */
export function writtenChoice({ primary, fallbacks }: ModelChoice): unknown {
  return fallbacks ? { primary: primary ?? null, fallbacks } : (primary ?? null);
}

/** A patch that changes single agents; null in a change takes a key out. */
export function agentsPatch(parsed: unknown, changes: Readonly<Record<string, JsonObject>>): JsonObject {
  const list = writtenList(parsed);
  const entries = Object.entries(changes).map(([id, change]) => {
    const known = list[placeOf(parsed, id)];
    return { id: known ? idOf(known) : id, ...change };
  });
  // Without a list there is nothing to merge into: the patch is taken as it is, and null would be written.
  return { agents: { list: list.length > 0 ? entries : entries.map(withoutNulls) } };
}

function withoutNulls(entry: JsonObject): JsonObject {
  const kept = Object.entries(entry).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, isObject(value) ? withoutNulls(value) : value]));
}

/**
 * A patch that makes one agent the default. Where an agent lives depends on whether it is the default unless it is
 * written, so the places of today are written down: nobody moves away from their files.
 */
export function defaultPatch(
  parsed: unknown,
  agents: ReadonlyArray<{ readonly id: string; readonly workspace?: string | undefined }>,
  id: string,
): JsonObject {
  const changes = agents.map((agent) => {
    const hasPlace = typeof writtenAgent(parsed, agent.id)["workspace"] === "string";
    const place = hasPlace || !agent.workspace ? {} : { workspace: agent.workspace };
    return [agent.id, { default: agent.id === id ? true : null, ...place }] as const;
  });
  return agentsPatch(parsed, Object.fromEntries(changes));
}
