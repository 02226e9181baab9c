// The joined rooms on a ledger of the test's own, for troubles that a real disk has only now and then.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayError, type Ledger } from "@chela/sdk";
import { createMemoryLedger, createScriptedModel, type ScriptedModel } from "@chela/sdk/testing";
import { believesAll } from "../../src/base/files/believed.test-support.ts";
import { systemClock } from "@chela/sdk/base";
import { createIds } from "../../src/base/ids.ts";
import { createLog } from "../../src/base/log.ts";
import { createConfigStore, resolveStatePaths } from "../../src/rooms/config/room.ts";
import { createDevices } from "../../src/rooms/devices/room.ts";
import { House } from "../../src/house/house.ts";
import { liveIn } from "../../src/house/start-stop.ts";
import { createModels } from "../../src/rooms/models/room.ts";
import { openServer } from "../../src/server/server.ts";
import { createLazyVault } from "../../src/house/start/lazy-vault.ts";
import { connectClient, type WireClient } from "./wire-client.ts";

export interface TroubledGateway extends AsyncDisposable {
  readonly house: House;
  readonly model: ScriptedModel;
  readonly client: WireClient;
  /** From now on writes fail like this; undefined makes them work again. */
  fail(code: "STORE_FULL" | "STORE_READONLY" | "STORE_FAILED" | undefined, which?: "admit" | "commit"): void;
  /** Resolves at the first write that failed. */
  firstFailure(): Promise<void>;
}

export async function startTroubledGateway(): Promise<TroubledGateway> {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-test-"));
  const token = "token-of-a-troubled-gateway";
  const scripted = { baseUrl: "http://127.0.0.1:9", models: [{ id: "test", name: "Test" }] };
  const config = {
    gateway: { auth: { token } },
    agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" }, memorySearch: { enabled: false } } },
    models: { providers: { scripted } },
  };
  writeFileSync(join(stateDir, "openclaw.json"), JSON.stringify(config));
  const env = { HOME: stateDir, OPENCLAW_STATE_DIR: stateDir };
  const [clock, ids, paths] = [systemClock, createIds(), resolveStatePaths(env)];
  const log = createLog({ clock, level: "silent", consoleLevel: "silent" });
  const store = createConfigStore({ paths, env, clock, log, version: "1" });
  const model = createScriptedModel();
  const trouble = createTrouble(createMemoryLedger());
  const house = new House({
    isAlone: () => true,
    version: "1",
    paths,
    clock,
    ids,
    log,
    config: store,
    ledger: trouble.ledger,
    auth: {},
    vault: createLazyVault({
      stateDir,
      clock,
      log,
      env: () => env,
      workspaces: () => [],
      onSecret: () => {},
    }),
    devices: createDevices({
      stateDir,
      clock,
      ids,
      log,
      believed: believesAll,
    }),
    believed: believesAll,
    models: createModels({
      config: () => store.current(),
      env: () => store.effectiveEnv(),
      clock,
      log,
      providers: { scripted: model },
    }),
  });
  const place = { hosts: ["127.0.0.1"], port: 0 };
  const life = liveIn(house);
  const { onDoorChange } = life;
  const server = await openServer({ house, onDoorChange, place: () => place, auth: {}, pageRoot: stateDir });
  await life.start();
  const client = await connectClient({ url: `ws://127.0.0.1:${server.port}`, token });
  return {
    house,
    model,
    client,
    fail: trouble.fail,
    firstFailure: trouble.firstFailure,
    async [Symbol.asyncDispose]() {
      trouble.fail(undefined);
      await client.close();
      await life.drain();
      await server.close();
      await life.stop();
      store.close();
      rmSync(stateDir, {
        recursive: true,
        force: true,
      });
    },
  };
}

function createTrouble(inner: Ledger) {
  let code: "STORE_FULL" | "STORE_READONLY" | "STORE_FAILED" | undefined;
  let which: "admit" | "commit" | undefined;
  const failed = Promise.withResolvers<void>();
  const check = (method: "admit" | "commit"): void => {
    if (!code || (which && which !== method)) return;
    failed.resolve();
    throw new GatewayError(code, "no space left");
  };
  const ledger: Ledger = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "admit" && name !== "commit") return value.bind(target);
      return async (...args: unknown[]) => {
        check(name);
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return {
    ledger,
    fail(next: typeof code, only?: typeof which) {
      [code, which] = [next, only];
    },
    firstFailure: () => failed.promise,
  };
}
