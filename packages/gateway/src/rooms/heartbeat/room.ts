// Heartbeats: an agent looks after things by itself, now and then, and is woken when something happens. Owns: whether there is
// anything to ask a model, what it is asked, what its answer means, and what is remembered of it. An idle gateway asks nothing.
// The timer (pulse.ts), the settings and the last event are light and read without the rest.
export { createHeartbeats, type AgentHeartbeat, type Heartbeats } from "./heartbeats.ts";
export type { BeatTurn } from "./beat-errands.ts";
export type { HeartbeatHouse, HeartbeatParts } from "./parts.ts";
