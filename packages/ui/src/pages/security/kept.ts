// Tells whose conversations are kept in a sandbox, as the configuration and this machine have it.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { isObject, valueAt, type JsonObject } from "../../settings/json-place.ts";

type Status = MethodAnswer<"sandbox.status">;
type Mode = "off" | "non-main" | "all";

/** Agents that are treated alike. */
export interface KeptAgents {
  readonly mode: Mode;
  /** It should be, and cannot. */
  readonly isBroken: boolean;
  readonly agents: readonly string[];
}

/** One entry where it is the same for all. */
export function whoIsKept(config: unknown, status: Status): KeptAgents[] {
  const usual = asObject(valueAt(config, ["agents", "defaults", "sandbox"]));
  const groups = new Map<string, { mode: Mode; isBroken: boolean; agents: string[] }>();
  for (const { id, own } of agentsIn(config)) {
    const settings = { ...usual, ...own };
    const mode = modeOf(settings, status.isKeptByDefault);
    const isBroken = mode !== "off" && !canBeKept(settings, status);
    const group = groups.get(`${mode} ${isBroken}`) ?? { mode, isBroken, agents: [] };
    groups.set(`${mode} ${isBroken}`, group);
    group.agents.push(id);
  }
  return [...groups.values()];
}

function agentsIn(config: unknown): Array<{ readonly id: string; readonly own: JsonObject }> {
  const written = valueAt(config, ["agents", "list"]);
  const list = Array.isArray(written) ? written.filter(isObject) : [];
  if (list.length === 0) return [{ id: "main", own: {} }];
  return list.map((agent) => ({ id: String(agent["id"]), own: asObject(agent["sandbox"]) }));
}

function modeOf({ mode, backend }: JsonObject, isKeptByDefault: boolean): Mode {
  if (backend === "host") return "off";
  if (mode === "off" || mode === "non-main" || mode === "all") return mode;
  return isKeptByDefault ? "non-main" : "off";
}

function canBeKept({ backend }: JsonObject, { backends }: Status): boolean {
  const ready = backends.filter(({ check }) => check.kind === "ready");
  if (backend === undefined || backend === "auto") return ready.length > 0;
  return ready.some(({ id }) => id === backend);
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
