// The health snapshot: what clients show first, kept ready so that asking costs nothing.
import { join } from "node:path";
import type { Clock, Ledger } from "@chela/sdk";
import type { MethodResult } from "@chela/sdk/protocol";
import type { AgentRecord } from "../rooms/routing/room.ts";
import type { ChannelGlance } from "../rooms/channels/glance.ts";

export interface HealthParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly stateDir: string;
  agents(): readonly AgentRecord[];
  heartbeatOf(agentId: string): AgentHeartbeat;
  /** Undefined while no channel is configured. `probe` asks the platforms; else what they said last is told. */
  channels?(probe: boolean): Promise<ChannelGlance | undefined>;
}

interface AgentHeartbeat {
  readonly enabled: boolean;
  readonly every: string;
  readonly everyMs: number | null;
  readonly prompt: string;
  readonly target?: string | undefined;
  readonly model?: string | undefined;
  readonly ackMaxChars: number;
}

export type HealthSnapshot = MethodResult<"health">;

/** For who may not read: that all is well, and nothing of who is here, what is said, and where it lies. */
export function glimpseOf({ ok, ts, durationMs, ...rest }: HealthSnapshot): HealthSnapshot {
  const { heartbeatSeconds, defaultAgentId } = rest;
  const sessions = { path: "[redacted]", count: 0, recent: [] };
  const channels = { channels: {}, channelOrder: [], channelLabels: {} };
  return { ok, ts, durationMs, ...channels, heartbeatSeconds, defaultAgentId, agents: [], sessions };
}

const FRESH_MS = 60_000;
const RECENT = 5;

export class Health {
  readonly #parts: HealthParts;
  #snapshot: HealthSnapshot | undefined;
  /** By the steady clock. */
  #readAt = 0;
  readonly #refreshing = new Map<boolean, Promise<HealthSnapshot>>();
  /** Counts refreshes, so that clients know when they are behind. */
  revision = 0;

  constructor(parts: HealthParts) {
    this.#parts = parts;
  }

  /** The last snapshot while it is fresh, else a new one; with `probe`, a new one for which platforms are asked. */
  async get(probe = false): Promise<HealthSnapshot> {
    const last = this.#snapshot;
    if (last && !probe && this.#parts.clock.steady() - this.#readAt < FRESH_MS) return last;
    return this.refresh(probe);
  }

  /** Many may ask at once; the ledger is read once, and platforms are. */
  refresh(probe = false): Promise<HealthSnapshot> {
    const under = this.#refreshing.get(probe) ?? this.#read(probe).finally(() => this.#refreshing.delete(probe));
    this.#refreshing.set(probe, under);
    return under;
  }

  async #read(probe: boolean): Promise<HealthSnapshot> {
    const { clock } = this.#parts;
    const started = clock.steady();
    const listed = this.#parts.agents();
    const agents = [];
    for (const agent of listed) agents.push(await this.#agent(agent));
    const main = agents.find((agent) => agent.isDefault) ?? agents[0];
    const channels = await this.#parts.channels?.(probe);
    const ts = clock.now();
    this.#readAt = clock.steady();
    this.revision += 1;
    this.#snapshot = {
      ok: true,
      ts,
      durationMs: this.#readAt - started,
      ...(channels ?? { channels: {}, channelOrder: [], channelLabels: {} }),
      heartbeatSeconds: Math.round((main?.heartbeat.everyMs ?? 0) / 1000),
      defaultAgentId: main?.agentId,
      agents,
      sessions: main?.sessions,
    };
    return this.#snapshot;
  }

  async #agent(agent: AgentRecord) {
    const { ledger, clock, stateDir } = this.#parts;
    const recent = await ledger.sessions({ agentId: agent.id, includeHidden: true, limit: RECENT });
    const now = clock.now();
    return {
      agentId: agent.id,
      ...(agent.name ? { name: agent.name } : {}),
      isDefault: agent.isDefault,
      heartbeat: this.#heartbeat(agent.id),
      sessions: {
        path: join(stateDir, "agents", agent.id, "sessions", "sessions.json"),
        count: await ledger.countSessions(agent.id),
        recent: recent.map(({ key, entry }) => ({ key, updatedAt: entry.updatedAt, age: now - entry.updatedAt })),
      },
    };
  }

  #heartbeat(agentId: string) {
    const { enabled, every, everyMs, prompt, target = "none", model, ackMaxChars } = this.#parts.heartbeatOf(agentId);
    return { enabled, every, everyMs, prompt, target, ...(model ? { model } : {}), ackMaxChars };
  }
}
