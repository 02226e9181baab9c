// Facts in a session's row between its lines: how full it is, and which model answers.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { World } from "../../app/world.ts";
import { agentOf } from "../../state/session-title.ts";
import type { SessionRow } from "./filter.ts";

/** What holds for sessions that say nothing else. */
export type SessionDefaults = NonNullable<MethodAnswer<"sessions.list">["defaults"]>;

interface Context {
  readonly used: number;
  readonly room?: number;
  readonly share?: number;
}

export function contextOf(row: SessionRow, defaults: SessionDefaults | undefined): Context | undefined {
  const { totalTokens: used } = row;
  if (!used) return undefined;
  const room = row.contextTokens ?? defaults?.contextTokens;
  return room ? { used, room, share: used / room } : { used };
}

interface Model {
  readonly id: string;
  /** `provider/id`, as far as both are known. */
  readonly ref: string;
  /** For this session, and not by its agent. */
  readonly isChosen: boolean;
}

export function modelOf(row: SessionRow, defaults: SessionDefaults | undefined): Model | undefined {
  const isChosen = row.modelOverride !== undefined;
  const id = row.modelOverride ?? row.model ?? defaults?.model;
  if (!id) return undefined;
  const usual = row.model === undefined ? defaults?.modelProvider : row.modelProvider;
  const provider = isChosen ? row.providerOverride : usual;
  return { id, ref: provider ? `${provider}/${id}` : id, isChosen };
}

/** Every agent has a main session, which can be started anew but not deleted. */
export function isMain(key: string, { wire }: Pick<World, "wire">): boolean {
  const mainKey = wire.hello?.snapshot.sessionDefaults?.mainKey ?? "main";
  return key === `agent:${agentOf(key)}:${mainKey}`;
}
