// Greeting for a client that was let in, and what the others are told of it.
import {
  EVENTS,
  MAX_BUFFERED_BYTES,
  MAX_PAYLOAD_BYTES,
  PROTOCOL_VERSION,
  TICK_INTERVAL_MS,
  type ConnectParams,
  type HelloOk,
  mayRead,
} from "@chela/sdk/protocol";
import type { House } from "../house/house.ts";
import type { HandshakeOutcome } from "./handshake.ts";
import { glimpseOf, type HealthSnapshot } from "./health.ts";

export type Admitted = Extract<HandshakeOutcome, { kind: "admitted" }>;

/** What only the connection knows. */
interface HelloPlace {
  readonly connId: string;
  readonly authMode: HelloOk["snapshot"]["authMode"];
  readonly health: HealthSnapshot;
  /** That clients are told of. */
  readonly methods: readonly string[];
}

export function writeHello(
  gateway: House,
  outcome: Admitted,
  { connId, authMode, health, methods }: HelloPlace,
): HelloOk {
  const keys = gateway.keys();
  const { device } = outcome;
  const isReader = mayRead(outcome);
  const mainSessionKey = keys.scope === "global" ? "global" : `agent:${keys.defaultAgentId}:${keys.mainKey}`;
  return {
    type: "hello-ok",
    protocol: PROTOCOL_VERSION,
    server: { version: gateway.version, connId },
    features: { methods: [...methods], events: [...EVENTS] },
    snapshot: {
      presence: isReader ? gateway.presence.list() : [],
      health: isReader ? health : glimpseOf(health),
      stateVersion: { presence: gateway.presence.revision, health: gateway.health.revision },
      uptimeMs: gateway.clock.now() - gateway.startedAt,
      ...(isReader ? { configPath: gateway.config.snapshot().path, stateDir: gateway.stateDir } : {}),
      sessionDefaults: {
        defaultAgentId: keys.defaultAgentId,
        mainKey: keys.mainKey,
        mainSessionKey,
        scope: keys.scope,
      },
      authMode,
    },
    ...(device
      ? {
          auth: {
            deviceToken: device.token,
            role: outcome.role,
            scopes: [...device.scopes],
            issuedAtMs: device.issuedAtMs,
          },
        }
      : {}),
    policy: {
      maxPayload: MAX_PAYLOAD_BYTES,
      maxBufferedBytes: MAX_BUFFERED_BYTES,
      tickIntervalMs: TICK_INTERVAL_MS,
    },
  };
}

/** How the newcomer stands in the list of who is here. */
export function presenceOf({ client }: ConnectParams, { device, role, scopes }: Admitted) {
  const host = client.displayName ?? client.id;
  return {
    host,
    version: client.version,
    platform: client.platform,
    mode: client.mode,
    ...(client.deviceFamily ? { deviceFamily: client.deviceFamily } : {}),
    ...(client.modelIdentifier ? { modelIdentifier: client.modelIdentifier } : {}),
    ...(device ? { deviceId: device.id } : {}),
    ...(device || client.instanceId ? { instanceId: client.instanceId ?? device?.id } : {}),
    roles: [role],
    ...(scopes.length > 0 ? { scopes: [...scopes] } : {}),
    reason: "connect",
    text: `Node: ${host} · mode ${client.mode}`,
  };
}

export function broadcastPresence(gateway: House): void {
  const { presence, health, hub } = gateway;
  const stateVersion = { presence: presence.revision, health: health.revision };
  const scope = "operator.read";
  hub.broadcast("presence", { presence: presence.list() }, { scope, stateVersion, dropIfSlow: true });
}

/** The whole of it for who may read, and that all is well for the others. */
export function broadcastHealth({ presence, health, hub }: House, snapshot: HealthSnapshot): void {
  const stateVersion = { presence: presence.revision, health: health.revision };
  const scope = "operator.read";
  hub.broadcast("health", snapshot, { scope, stateVersion, dropIfSlow: true });
  hub.broadcast("health", glimpseOf(snapshot), { withoutScope: scope, stateVersion, dropIfSlow: true });
}

/** A newcomer changes what others see: tell them once, however many come together. */
export function refreshEverybody(gateway: House): void {
  void gateway.health.refresh().then(
    (snapshot) => {
      broadcastHealth(gateway, snapshot);
      broadcastPresence(gateway);
    },
    (error: unknown) => gateway.log.warn("health could not be read", { error: String(error) }),
  );
}
