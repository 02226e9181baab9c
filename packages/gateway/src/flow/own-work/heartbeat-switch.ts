// The light part of heartbeats that runs in every gateway: the timer, the switch, and the way to the rest, which is loaded
// when a beat is due or somebody is woken.
import { hostname } from "node:os";
import type { Standing } from "@chela/sdk";
import type { HeartbeatEvent } from "@chela/sdk/protocol";
import { createPulse } from "../../rooms/heartbeat/pulse.ts";
import type { AgentHeartbeat, Heartbeats } from "../../rooms/heartbeat/room.ts";
import { beatSettings, type BeatSettings } from "../../rooms/heartbeat/settings.ts";
import { readLast } from "../../rooms/heartbeat/state.ts";
import { hasWakes } from "../../rooms/heartbeat/wake-list.ts";
import type { OwnWorkHouse } from "./wake.ts";
import { lazy, type Lazy } from "../../base/lazy.ts";

export interface HeartbeatSwitch {
  /** The rest, loaded when a beat is due or somebody is woken. */
  readonly room: Lazy<Heartbeats>;
  settings(agentId: string): BeatSettings;
  isEnabled(): boolean;
  /** Until the gateway starts again. */
  setEnabled(enabled: boolean): Promise<void>;
  last(): Promise<HeartbeatEvent | undefined>;
  status(): Promise<AgentHeartbeat[]>;
  /** Keeps what happened for the conversation and lets its agent tell of it at once. */
  wake(wake: HeartbeatWake): Promise<void>;
  start(): Promise<void>;
  configured(): void;
  stop(): Promise<void>;
}

interface HeartbeatWake {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly text: string;
  readonly reason: string;
  readonly key: string;
  /** Whose words these are. */
  readonly standing: Standing;
}

export function createHeartbeatSwitch(house: OwnWorkHouse): HeartbeatSwitch {
  const { clock, config, ledger, log, changes } = house;
  let isEnabled = true;
  const agentIds = (): readonly string[] => house.agents().map(({ id }) => id);
  const settings = (agentId: string): BeatSettings => beatSettings(config.current(), agentId);
  const pulse = createPulse({
    clock,
    seed: `${hostname()}${house.paths.stateDir}`,
    agents: () => agentIds().map((id) => ({ id, everyMs: settings(id).everyMs })),
    beat: (agentId) => void withRoom((room) => room.beat(agentId)),
  });
  const heartbeats = lazy(async () =>
    (await import("./heartbeat.ts")).openHeartbeats(house, {
      settings,
      isSwitchedOn: () => isEnabled,
      nextAt: (agentId) => (isEnabled ? pulse.nextAt(agentId) : undefined),
    }),
  );
  const withRoom = (work: (room: Heartbeats) => void | Promise<void>): Promise<void> =>
    heartbeats()
      .then(work)
      .catch((error: unknown) => log.error("heartbeats could not be looked after", { error: String(error) }));

  /** What cannot be used is said once for each configuration. */
  function warn(): void {
    for (const agentId of agentIds()) {
      for (const problem of settings(agentId).problems) log.warn(problem, { agent: agentId });
    }
  }
  function plan(): void {
    pulse.plan();
    warn();
  }

  return {
    room: heartbeats,
    settings,
    isEnabled: () => isEnabled,
    async setEnabled(enabled) {
      isEnabled = enabled;
      changes.note("heartbeat");
      if (enabled && (await hasWakes(ledger))) await withRoom((room) => room.takeUp());
    },
    last: () => readLast(ledger),
    status: async () => (await heartbeats()).status(),
    async wake({ agentId, sessionKey, text, reason, key, standing }) {
      const room = await heartbeats();
      await room.wake({ agentId, sessionKey, reason }, { sessionKey, key, at: clock.now(), body: { text, standing } });
    },
    async start() {
      plan();
      if (await hasWakes(ledger)) void withRoom((room) => room.takeUp());
    },
    configured: () => plan(),
    async stop() {
      pulse.stop();
      (await heartbeats.known())?.close();
    },
  };
}
