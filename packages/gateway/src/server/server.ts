// The server: opens the door of the house, keeps clients told, and ends connections whose grant is gone.
import { isDeepStrictEqual } from "node:util";
import { TICK_INTERVAL_MS, type Client } from "@chela/sdk/protocol";
import { every } from "@chela/sdk/base";
import type { DeviceChange } from "../rooms/devices/room.ts";
import { createRateLimiter, createTailscaleWhois } from "./auth/index.ts";
import type { ConnectionParts } from "./connection.ts";
import { collectMethods, type CollectedMethods } from "./collect-methods.ts";
import { CONTRIBUTIONS } from "../house/contributions.ts";
import { openDoor, type Door } from "./door.ts";
import { readDoorRules, type DoorRules, type AuthOverride } from "./door-rules.ts";
import { Dispatcher } from "./dispatch.ts";
import type { House } from "../house/house.ts";
import { callMethodsBy } from "./http/method-route.ts";
import { collectRoutes } from "./http/routes.ts";
import { openHomeListener } from "./home-listener.ts";
import type { TlsFiles } from "./tls-files.ts";
import { broadcastHealth } from "./welcome.ts";

export interface ListeningAddress {
  readonly hosts: readonly string[];
  readonly port: number;
}

export interface ServerParts {
  readonly house: House;
  /** Calls back when the configuration of the door has changed. */
  onDoorChange(task: () => void): void;
  /** Where to listen, by the configuration as it is now. Throws when that would not be safe. */
  place(): ListeningAddress;
  readonly auth: AuthOverride;
  readonly pageRoot: string;
}

export interface RunningServer {
  readonly port: number;
  readonly hosts: readonly string[];
  /** Of the listener for holders of OPENCLAW_CLI_SECRET. */
  readonly homePort: number | undefined;
  /** What clients know its own certificate by, when it shows one that nobody else vouches for. */
  readonly fingerprint: string | undefined;
  announceShutdown(reason: "stop" | "restart"): void;
  close(): Promise<void>;
}

const HEALTH_EVERY_MS = 60_000;
const RESTART_EXPECTED_MS = 1_500;
const FAREWELL_MS = 1_000;

export async function openServer(parts: ServerParts): Promise<RunningServer> {
  const { house: gateway } = parts;
  const { clock, log, config, hub } = gateway;
  const limits = () => config.current().gateway?.auth?.rateLimit;
  let limitsInForce = JSON.stringify(limits());
  let limiter = createRateLimiter(clock, limits());
  const whois = createTailscaleWhois(clock);
  let place = parts.place();
  let tls = await readTls(gateway);
  let rules = readRules();
  let isStopping = false;

  function readRules(): DoorRules {
    return readDoorRules(config.current(), config.effectiveEnv(), {
      limiter,
      whois,
      listenHosts: place.hosts,
      override: parts.auth,
    });
  }

  gateway.hasDoor({
    get listening() {
      return {
        hosts: place.hosts,
        port: door.port,
        isEncrypted: tls !== undefined,
        allowPlaintext: rules.allowPlaintext,
      };
    },
    get isReady() {
      return !isStopping;
    },
    pageRoot: parts.pageRoot,
  });
  const ownMethods = await collectMethods(gateway, CONTRIBUTIONS);
  const dispatcher = new Dispatcher(await withBrought(ownMethods, gateway), gateway);
  const connection: ConnectionParts = {
    gateway,
    ids: gateway.ids,
    log,
    dispatcher,
    handshake: {
      devices: gateway.devices,
      accessCodes: gateway.accessCodes,
      clock,
      log,
      rules: () => rules,
    },
    authMode: () => rules.auth.auth.mode,
  };
  const callMethod = callMethodsBy(dispatcher);
  let routes = collectRoutes(gateway.contributions());
  const leavePlugins = gateway.plugins.onChange(async () => {
    routes = collectRoutes(gateway.contributions());
    dispatcher.replace(await withBrought(ownMethods, gateway));
  });
  const open = (at: ListeningAddress, encryption: typeof tls): Promise<Door> =>
    openDoor({
      ...at,
      clock,
      log,
      routes: () => routes,
      callMethod,
      connection,
      env: config.effectiveEnv(),
      rules: () => rules,
      tls: encryption,
    });
  let door = await open(place, tls);
  const second = await openHomeListener({ gateway, env: config.effectiveEnv() }).catch(async (error: unknown) => {
    await door.close();
    throw error;
  });

  /** New credentials and rules hold at once; connections that were made with an old secret end. */
  parts.onDoorChange(() => {
    if (JSON.stringify(limits()) !== limitsInForce) {
      limitsInForce = JSON.stringify(limits());
      limiter = createRateLimiter(clock, limits());
    }
    const before = rules.credentials;
    rules = readRules();
    if (rules.credentials !== before) {
      closeClients(gateway, (client) => client.method !== "device-token", "gateway credentials changed");
      door.endGranted();
      gateway.accessCodes.forget();
    }
    void moveDoor();
  });

  /** Where the configuration now wants it: the clients that are there stay, the new ones come in elsewhere. */
  async function moveDoor(): Promise<void> {
    try {
      const next = parts.place();
      const nextTls = await readTls(gateway);
      if (isDeepStrictEqual([next, nextTls], [place, tls])) return;
      const old = door;
      // Two listeners cannot share a port, so for a moment there is none.
      if (next.port === place.port) void old.close();
      door = await open(next, nextTls).catch(async (error: unknown) => {
        log.error(error instanceof Error ? error.message : String(error));
        return next.port === place.port ? open(place, tls) : old;
      });
      if (door === old) return;
      void old.close();
      [place, tls] = [next, nextTls];
      rules = readRules();
      log.warn("now listening elsewhere", { port: door.port, hosts: next.hosts });
    } catch (error) {
      log.error(error instanceof Error ? error.message : String(error));
    }
  }

  const leaveDevices = gateway.devices.onChange((change) => {
    if (isTakenBack(change)) gateway.accessCodes.forget(change.deviceId);
    tellDeviceChange(gateway, change);
  });
  const stopTimers = [
    every(clock, TICK_INTERVAL_MS, () => hub.broadcast("tick", { ts: clock.now() }, { dropIfSlow: true })),
    every(clock, HEALTH_EVERY_MS, () => tellHealth(gateway)),
  ];

  return {
    get port() {
      return door.port;
    },
    get hosts() {
      return place.hosts;
    },
    homePort: second?.port,
    get fingerprint() {
      return tls?.isSelfSigned ? tls.fingerprint : undefined;
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
      leavePlugins();
      for (const stop of stopTimers) stop();
      // Turns that ended just now are still being answered.
      await new Promise((resolve) => setImmediate(resolve));
      closeClients(gateway, () => true, "service restart", 1012);
      // A client that does not answer the farewell must not keep the gateway from stopping.
      const cancel = clock.after(FAREWELL_MS, () => door.drop());
      await Promise.all([door.close(), second?.close()]);
      cancel();
    },
  };
}

/** Ours, made once, and those of plugins as they are now. */
async function withBrought(own: CollectedMethods, gateway: House): Promise<CollectedMethods> {
  const brought = gateway.plugins.brought();
  if (brought.length === 0) return own;
  const added = await collectMethods(gateway, brought);
  return { byName: new Map([...added.byName, ...own.byName]), listed: [...own.listed, ...added.listed] };
}

/** Loaded when TLS is wanted. */
async function readTls({ config, stateDir, clock }: House): Promise<TlsFiles | undefined> {
  const { tls } = config.current().gateway ?? {};
  if (!tls?.enabled) return undefined;
  return (await import("./tls-files.ts")).openTls(tls, { stateDir, clock });
}

async function tellHealth(gateway: House): Promise<void> {
  if (gateway.hub.clients.size === 0) return;
  try {
    broadcastHealth(gateway, await gateway.health.refresh());
  } catch (error) {
    gateway.log.warn("health could not be read", { error: String(error) });
  }
}

function closeClients({ hub }: House, which: (client: Client) => boolean, reason: string, code = 1008): void {
  for (const client of hub.clients) if (which(client)) client.close(code, reason);
}

/** What the device was trusted with before is in doubt, so what it gave to others is, too. */
function isTakenBack(change: DeviceChange): change is Exclude<DeviceChange, { kind: "requested" }> {
  if (change.kind === "rotated") return change.cause === "requested";
  return change.kind === "removed" || change.kind === "revoked";
}

function tellDeviceChange(gateway: House, change: DeviceChange): void {
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
