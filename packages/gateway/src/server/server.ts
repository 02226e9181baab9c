// The server: opens the door on the joined rooms, keeps clients told, and ends connections whose grant is gone.
import { networkInterfaces } from "node:os";
import { readFileSync } from "node:fs";
import { GatewayError } from "@chela/sdk";
import { TICK_INTERVAL_MS } from "@chela/sdk/protocol";
import { bindSettings } from "../config/room.ts";
import type { DeviceChange } from "../devices/room.ts";
import type { Joined } from "../join-rooms.ts";
import { createRateLimiter, createTailscaleWhois, resolveBind } from "./auth/index.ts";
import type { ConnectionParts } from "./connection.ts";
import { openDoor, type Door } from "./door.ts";
import { readDoorRules, type DoorRules, type DoorRulesParts } from "./door-rules.ts";
import { Dispatcher } from "./dispatch.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import type { Client } from "./hub.ts";
import { createRoutes } from "./http/routes.ts";
import { createHandlers } from "./methods/index.ts";
import { openSecondDoor } from "./second-door.ts";

export interface ServerParts {
  readonly joined: Joined;
  readonly hosts: readonly string[];
  readonly port: number;
  readonly auth: DoorRulesParts["override"];
  readonly pageRoot: string;
}

export interface RunningServer {
  readonly port: number;
  announceShutdown(reason: "stop" | "restart"): void;
  close(): Promise<void>;
}

const HEALTH_EVERY_MS = 60_000;
const RESTART_EXPECTED_MS = 1_500;

export async function openServer(parts: ServerParts): Promise<RunningServer> {
  const { gateway, bus } = parts.joined;
  const { clock, log, config, hub } = gateway;
  const limiter = createRateLimiter(clock, config.current().gateway?.auth?.rateLimit);
  const whois = createTailscaleWhois(clock);
  let { hosts } = parts;
  let rules = readRules();
  let isStopping = false;

  function readRules(): DoorRules {
    return readDoorRules(config.current(), config.effectiveEnv(), {
      limiter,
      whois,
      listenHosts: hosts,
      override: parts.auth,
    });
  }

  const connection: ConnectionParts = {
    gateway,
    ids: gateway.ids,
    log,
    dispatcher: new Dispatcher(createHandlers(gateway), clock, log),
    handshake: {
      devices: gateway.devices,
      clock,
      log,
      rules: () => rules,
    },
    authMode: () => rules.auth.auth.mode,
  };
  const routes = createRoutes({ gateway, bus, pageRoot: parts.pageRoot, isReady: () => !isStopping });
  const open = (port: number): Promise<Door> =>
    openDoor({
      hosts,
      port,
      clock,
      log,
      routes,
      connection,
      env: config.effectiveEnv(),
      rules: () => rules,
      tls: readTls(gateway),
    });
  let door = await open(parts.port);
  const second = await openSecondDoor({ gateway, env: config.effectiveEnv() });

  /** New credentials and rules hold at once; connections that were made with an old secret end. */
  parts.joined.onDoorChange(() => {
    const before = rules.credentials;
    rules = readRules();
    if (rules.credentials !== before) {
      closeClients(gateway, (client) => client.method !== "device-token", "gateway credentials changed");
    }
    void moveDoor();
  });

  /** A changed port or bind opens the new door before the old one closes. */
  async function moveDoor(): Promise<void> {
    const { bind, customHost } = bindSettings(config.current());
    const wanted = resolveBind({ bind, customBindHost: customHost }, networkInterfaces()).hosts;
    const port = config.current().gateway?.port ?? parts.port;
    if (port === door.port && wanted.join() === hosts.join()) return;
    const old = door;
    hosts = wanted;
    rules = readRules();
    try {
      door = await open(port);
      log.warn("now listening elsewhere", { port, hosts });
      await old.close();
    } catch (error) {
      log.error(error instanceof Error ? error.message : String(error));
    }
  }

  const leaveDevices = gateway.devices.onChange((change) => tellDeviceChange(gateway, change));
  const stopTimers = [
    every(gateway, TICK_INTERVAL_MS, () => hub.broadcast("tick", { ts: clock.now() }, { dropIfSlow: true })),
    every(gateway, HEALTH_EVERY_MS, () => void broadcastHealth(gateway)),
  ];

  return {
    get port() {
      return door.port;
    },
    announceShutdown(reason) {
      isStopping = true;
      const restartExpectedMs = reason === "restart" ? RESTART_EXPECTED_MS : null;
      hub.broadcast("shutdown", {
        reason: reason === "restart" ? "gateway restarting" : "gateway stopping",
        restartExpectedMs,
      });
    },
    async close() {
      leaveDevices();
      for (const stop of stopTimers) stop();
      closeClients(gateway, () => true, "service restart", 1012);
      await Promise.all([door.close(), second?.close()]);
    },
  };
}

function readTls(gateway: GatewayParts): { cert: string; key: string } | undefined {
  const tls = gateway.config.current().gateway?.tls;
  if (!tls?.enabled) return undefined;
  if (!tls.certPath || !tls.keyPath) {
    throw new GatewayError("CONFIG_INVALID", "gateway.tls.enabled needs gateway.tls.certPath and gateway.tls.keyPath");
  }
  return { cert: readFileSync(tls.certPath, "utf8"), key: readFileSync(tls.keyPath, "utf8") };
}

/** Repeats on the gateway's clock. */
function every(gateway: GatewayParts, ms: number, task: () => void): () => void {
  let cancel = (): void => {};
  const again = (): void => {
    cancel = gateway.clock.after(ms, () => {
      task();
      again();
    });
  };
  again();
  return () => cancel();
}

async function broadcastHealth({ health, presence, hub, log }: GatewayParts): Promise<void> {
  if (hub.clients.size === 0) return;
  try {
    const snapshot = await health.refresh();
    hub.broadcast("health", snapshot, {
      stateVersion: { presence: presence.revision, health: health.revision },
      dropIfSlow: true,
    });
  } catch (error) {
    log.warn("health could not be read", { error: String(error) });
  }
}

function closeClients({ hub }: GatewayParts, which: (client: Client) => boolean, reason: string, code = 1008): void {
  for (const client of [...hub.clients]) if (which(client)) client.close(code, reason);
}

function tellDeviceChange(gateway: GatewayParts, change: DeviceChange): void {
  const { hub } = gateway;
  const scope = "operator.pairing";
  const gone = (which: (client: Client) => boolean): void => closeClients(gateway, which, "device access was revoked");
  switch (change.kind) {
    case "requested":
      return hub.broadcast("device.pair.requested", change.request, { scope });
    case "resolved": {
      const { requestId, deviceId, decision, at } = change;
      return hub.broadcast("device.pair.resolved", { requestId, deviceId, decision, ts: at }, { scope });
    }
    case "removed":
      return gone((client) => client.deviceId === change.deviceId);
    case "revoked":
      return gone((client) => client.deviceId === change.deviceId && client.role === change.role);
    case "rotated":
      return gone(
        (client) =>
          client.deviceId === change.deviceId &&
          client.role === change.role &&
          (change.cause === "requested" || client.method === "device-token"),
      );
  }
}
