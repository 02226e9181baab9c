// The composition root: opens the house and its doors, and stops both in reverse.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { GatewayError, type Clock, type Ids, type Ledger, type ModelProvider, type Channel } from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import { createIds } from "./base/ids.ts";
import { acquireGatewayLock, type GatewayLock } from "./base/locks/gateway-lock.ts";
import type { LogSink } from "./base/log.ts";
import {
  agentDirectory,
  agentSettings,
  createConfigStore,
  openStateDirectory,
  unusedSentence,
  type ConfigStore,
  type StateOptions,
  type StatePaths,
} from "./rooms/config/room.ts";
import { lookAtOwners } from "./rooms/access/store/owners-at-start.ts";
import { createBelieved } from "./base/files/believed.ts";
import { createDevices } from "./rooms/devices/room.ts";
import { ensureToken } from "./house/start/gateway-token.ts";
import { House } from "./house/house.ts";
import { openModels } from "./house/open-models.ts";
import { liveIn, type Life } from "./house/start-stop.ts";
import { IMPORT_FINISHED, ledgerPath, openOrRecover } from "./rooms/ledger/room.ts";
import type { DefaultModel, Models } from "./rooms/models/room.ts";
import { defaultAgent, listAgents } from "./rooms/routing/room.ts";
import type { BindMode, GatewayAuth } from "./server/auth/index.ts";
import { readAuth } from "./server/door-rules.ts";
import { openServer, type RunningServer } from "./server/server.ts";
import { configNotices, openStartLog } from "./house/start/log.ts";
import { chooseListeningAddress } from "./house/start/listening-address.ts";
import { openVaultDoor } from "./house/start/vault.ts";
import { findFilesToTake } from "./house/start/takeover-places.ts";
import type { TakeoverSurvey } from "./house/start/takeover-report.ts";
import type { TakeoverReport } from "./house/start/takeover-text.ts";
import { VERSION } from "./version.ts";
import { openAuditKey, type AuditTrail } from "./rooms/audit/room.ts";

export interface StartOptions extends StateOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly port?: number;
  readonly bind?: BindMode;
  readonly auth?: { readonly mode?: GatewayAuth["mode"]; readonly token?: string; readonly password?: string };
  /** Where lines for people go; nowhere when absent. */
  readonly console?: (text: string) => void;
  readonly verbose?: boolean;
  readonly pageRoot: string;
  readonly given?: GivenToGateway;
}

/** What whoever puts a gateway into a program of their own gives it: in place of what it would take, or beside that. */
interface GivenToGateway {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly providers?: Readonly<Record<string, ModelProvider>>;
  /** Channels beside those that are built in, by id. */
  readonly channels?: Readonly<Record<string, Channel>>;
  /** Other addresses for the token endpoints of sign-ins, by provider. */
  readonly tokenEndpoints?: Readonly<Record<string, string>>;
}

export interface RunningGateway {
  readonly port: number;
  readonly paths: StatePaths;
  readonly config: ConfigStore;
  readonly log: LogSink;
  /** Where holders of OPENCLAW_CLI_SECRET reach the home session, when there is one. */
  readonly homePort: number | undefined;
  /** SHA-256 of the certificate, when nobody else vouches for it. */
  readonly fingerprint: string | undefined;
  /** Addresses it listens on. */
  readonly hosts: readonly string[];
  /** The file a new gateway token was put into by this start. */
  readonly tokenMadeIn?: string;
  /** What this start found of another program's and took over; only where there was something. */
  readonly takeover?: TakeoverReport;
  /** A one-time code with which a browser is let in. It is for the person who started the gateway: never log it. */
  accessCode(): string;
  /** The model that answers unless a session or agent has its own; looking for local servers may take a moment. */
  defaultModel(): Promise<DefaultModel>;
  /** Resolves when the gateway has stopped, with what should happen next. */
  readonly done: Promise<"stop" | "restart">;
  /** Finishes the turns that run, within the limit, then closes. */
  stop(reason: "stop" | "restart"): Promise<void>;
}

export async function startGateway(options: StartOptions): Promise<RunningGateway> {
  const { clock = systemClock, ids = createIds(), providers, channels, tokenEndpoints } = options.given ?? {};
  const { paths, notices } = openStateDirectory(options.env, options);
  prepareStateDirectory(paths);
  const lock = acquireGatewayLock({ stateDir: paths.stateDir, configPath: paths.configPath, clock });
  const undo: Array<() => Promise<void> | void> = [() => lock.release()];
  try {
    const { log, follow } = openStartLog(options, paths, clock);
    undo.push(() => log.flush());
    const vault = openVaultDoor({ paths, clock, log, env: options.env });
    undo.push(() => vault.door.close());
    await vault.door.openIfNeeded();
    const secrets = vault.door.secrets;
    const config = createConfigStore({ paths, env: options.env, clock, log, version: VERSION, secrets });
    undo.push(() => config.close());
    await vault.serve(config);
    follow(config);
    const following = config.watch(() => follow(config));
    undo.push(() => following[Symbol.dispose]());
    for (const notice of [...notices, ...configNotices(config)]) log.warn(notice);

    const auditKey = openAuditKey(paths.stateDir);
    const opened = await openOrRecover({
      auditKey: auditKey.key,
      path: ledgerPath(paths),
      stateDir: paths.stateDir,
      log,
      clock,
      ids,
    });
    undo.push(() => opened.ledger.close());
    const isFirstStart = (await opened.ledger.value(IMPORT_FINISHED)) === undefined;
    const takenFiles = await takeOverIfThere(paths, config, opened.ledger, log);
    const believed = createBelieved({ folder: join(paths.stateDir, "identity"), runsAgents: true, log });
    undo.push(() => believed.close());
    const credentials = { directory: join(paths.stateDir, "credentials"), clock, log, lock: async () => undefined };
    await lookAtOwners({ ...credentials, believed });
    const devices = createDevices({ stateDir: paths.stateDir, clock, ids, log, believed });
    undo.push(() => devices.flush());
    const models = openModels({ config, clock, log, ids, paths, vault: vault.door, providers, tokenEndpoints });
    undo.push(() => models.close());

    const auth = { ...options.auth };
    const made = ensureToken(readAuth(config.current(), config.effectiveEnv(), auth), config, {
      stateDir: paths.stateDir,
      ids,
      log,
    });
    if (made?.token) auth.token ??= made.token;
    const house = new House({
      version: VERSION,
      paths,
      clock,
      ids,
      log,
      config,
      ledger: opened.ledger,
      devices,
      believed,
      auditKey,
      isAlone: aloneBy(lock, log),
      models,
      auth,
      vault: vault.door,
      ...(channels ? { extraChannels: channels } : {}),
    });
    const life = liveIn(house);
    undo.push(() => life.stop());
    if (opened.notices.length > 0) noteRebuilt(house.audit, opened.notices);
    await life.prepare();
    const survey = isFirstStart ? await surveyFirstStart(paths, config, opened.ledger) : undefined;
    const server = await openServer({
      house,
      onDoorChange: life.onDoorChange,
      place: () => chooseListeningAddress(config, options, auth, paths),
      auth,
      pageRoot: options.pageRoot,
    });
    undo.push(() => server.close());
    await life.start();
    const takeover = survey && (await tellTakeover({ paths, config, clock, survey, ...opened, files: takenFiles }));
    const told = { ...(made ? { tokenMadeIn: made.madeIn } : {}), ...(takeover ? { takeover } : {}) };
    return { ...run({ paths, config, log, models, house, life, server, undo }), ...told };
  } catch (error) {
    await undoAll(undo, () => {});
    throw error;
  }
}

/** Most directories have none of these files, and then nothing is loaded for them. */
async function takeOverIfThere(
  paths: StatePaths,
  config: ConfigStore,
  ledger: Ledger,
  log: LogSink,
): Promise<readonly string[]> {
  const agentDir = (agentId: string): string => agentDirectory(config.current(), agentId, paths);
  const places = { stateDir: paths.stateDir, defaultAgentId: defaultAgent(config.current()).id, agentDir };
  const files = findFilesToTake(places);
  if (!files) return [];
  const { takeOverFiles } = await import("./house/start/takeover-files.ts");
  return takeOverFiles(files, { ...places, ledger, log });
}

async function surveyFirstStart(paths: StatePaths, config: ConfigStore, ledger: Ledger): Promise<TakeoverSurvey> {
  const { surveyTakeover } = await import("./house/start/takeover-report.ts");
  const agents = listAgents(config.current()).map((agent) => agentSettings(config.current(), agent, paths));
  return surveyTakeover({ ledger, stateDir: paths.stateDir, agents });
}

interface Takeover {
  readonly paths: StatePaths;
  readonly config: ConfigStore;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly survey: TakeoverSurvey;
  readonly files: readonly string[];
}

async function tellTakeover({ paths, config, ...found }: Takeover): Promise<TakeoverReport | undefined> {
  const { reportTakeover } = await import("./house/start/takeover-report.ts");
  const unused = unusedSentence(config.notUsedYet());
  return reportTakeover({ ...found, stateDir: paths.stateDir, unused });
}

/** Asked where others write into the state directory. Each other gateway is told of once. */
function aloneBy(lock: GatewayLock, log: LogSink): () => boolean {
  const told = new Set<number>();
  return () => {
    const pid = lock.intruder();
    if (pid === undefined) return true;
    if (!told.has(pid)) {
      log.warn(
        `Another gateway (process ${pid}) works on this state directory, on another port. Both run its jobs and answer its channels: ` +
          "stop one of them.",
      );
    }
    told.add(pid);
    return false;
  };
}

/** So that gaps in the trail have an explanation in the trail itself. */
function noteRebuilt(audit: AuditTrail, notices: readonly string[]): void {
  const detail = { step: "ledger rebuilt", notices };
  audit.noteAtOnce({ action: "audit", actor: "gateway", target: "ledger", outcome: "failed", detail });
}

/** The newest first. One that fails, because nothing can be written any more, does not keep the others from it. */
async function undoAll(undo: Array<() => Promise<void> | void>, failed: (why: string) => void): Promise<void> {
  for (const task of undo.reverse()) {
    try {
      await task();
    } catch (error) {
      failed(String(error));
    }
  }
}

interface Built {
  readonly paths: StatePaths;
  readonly config: ConfigStore;
  readonly log: LogSink;
  readonly models: Models;
  readonly house: House;
  readonly life: Life;
  readonly server: RunningServer;
  readonly undo: Array<() => Promise<void> | void>;
}

function run({ paths, config, log, models, house, life, server, undo }: Built): RunningGateway {
  const { promise: done, resolve } = Promise.withResolvers<"stop" | "restart">();
  let stopping: Promise<void> | undefined;
  const stopNow = async (reason: "stop" | "restart"): Promise<void> => {
    log.info(reason === "restart" ? "restarting" : "stopping");
    server.announceShutdown(reason);
    await life.drain();
    await undoAll(undo, (why) => log.error("a part of the gateway did not stop as it should", { why }));
    resolve(reason);
  };
  const stop = (reason: "stop" | "restart") => (stopping ??= stopNow(reason));
  // Not at once: whoever made the change is answered before the connections close.
  house.onRestartNeeded(() => void setImmediate(() => void stop("restart")));
  const { port, hosts, homePort, fingerprint } = server;
  const accessCode = () => house.accessCodes.issue().code;
  return {
    port,
    hosts,
    homePort,
    fingerprint,
    paths,
    config,
    log,
    accessCode,
    defaultModel: () => models.defaultModel(),
    done,
    stop,
  };
}

function prepareStateDirectory({ stateDir }: StatePaths): void {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new GatewayError("START_STATE", `${stateDir}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
