// The checks of `chela doctor`. Each looks at one thing and says how it is in one sentence.
import { existsSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import { systemClock } from "../base/clock.ts";
import { errnoOf } from "../base/files/files.ts";
import { inspectLock, stateLockPath } from "../base/files/lock-file.ts";
import { gatewayPort } from "../rooms/config/settings/gateway-port.ts";
import { issueSentence, openStateDirectory, unusedSentence } from "../rooms/config/room.ts";
import { TOKEN_FILE } from "../house/start/gateway-token.ts";
import { checkIntegrity, openDatabase } from "../rooms/ledger/room.ts";
import type { Check, CheckedGateway } from "./doctor-check.ts";
import { checkChannels } from "./doctor-channels.ts";
import { checkCredentials } from "./doctor-credentials.ts";
import { checkVault } from "./doctor-vault.ts";
import { checkFileModes, checkStateDirectory } from "./doctor-files.ts";
import { connectGateway } from "./connect/gateway-client.ts";
import { count, formatBytes } from "../base/terminal/layout.ts";
import { findDefaultModel } from "./models/with-models.ts";
import { openConfig } from "./offline/open-config.ts";
import { splitConfigNotice } from "./offline/split-config.ts";
import { ledgerPath, readLedger, writeLedger } from "./offline/open-ledger.ts";

export type { Check } from "./doctor-check.ts";

const NEEDED_NODE = 24;
const LITTLE_SPACE = 1024 ** 3;
/** btrfs and bcachefs, by the numbers Linux has for them. */
const COPIES_ON_WRITE: readonly number[] = [0x9123683e, 0xca451a4e];
const NO_SPACE = 100 * 1024 ** 2;
const PROBE_MS = 3000;

export async function runChecks(call: CommandCall, repairs: boolean): Promise<Check[]> {
  const { paths } = openStateDirectory(call.env, call.state);
  const config = openConfig(paths, call.env);
  const isRunning = inspectLock(stateLockPath(paths.stateDir), systemClock).kind === "held";
  const place: CheckedGateway = { call, paths, config, repairs, isRunning };
  return [
    checkNode(),
    checkStateDirectory(place),
    ...checkFileModes(place),
    ...checkConfig(place),
    ...(await checkStart(place)),
    checkLock(place),
    await checkGateway(place),
    ...(await checkApprovals(place)),
    checkToken(place),
    await checkLedger(place),
    await checkMirror(place),
    await checkModel(place),
    ...checkCredentials(place),
    ...checkVault(place),
    ...(await checkChannels(place)),
    checkDisk(place),
  ];
}

function checkNode(): Check {
  const version = process.versions.node;
  if (Number(version.split(".")[0]) >= NEEDED_NODE) return { name: "Node", state: "ok", says: version };
  return {
    name: "Node",
    state: "fail",
    says: `${version} is too old; ${NEEDED_NODE} is needed`,
    fix: "install it from https://nodejs.org",
  };
}

/** A file without a mistake may still ask for what no gateway does. */
async function checkStart({ config, paths }: CheckedGateway): Promise<Check[]> {
  const { startRefusal } = await import("../start-refusal.ts");
  const refusal = config.check().valid ? startRefusal(config, paths) : undefined;
  if (!refusal) return [];
  const says = `the gateway does not start like this: ${refusal.detail}`;
  return [{ name: "Config", state: "fail", says, fix: refusal.row.fix }];
}

function checkConfig({ config, paths }: CheckedGateway): Check[] {
  const { configPath } = paths;
  const name = "Config";
  const { exists, source } = config.snapshot();
  const { valid, issues, warnings, notUsedYet } = config.check();
  const unused = unusedSentence(notUsedYet);
  const split = splitConfigNotice(paths);
  const fix = `edit ${configPath}, then chela config validate`;
  const told = [
    ...issues.map((issue): Check => ({ name, state: "fail", says: issueSentence(issue), fix })),
    ...warnings.map((issue): Check => ({ name, state: "warn", says: issueSentence(issue), fix })),
    ...(split ? [{ name, state: "warn" as const, says: split, fix: "write them with chela config set" }] : []),
    ...(unused ? [{ name, state: "warn" as const, says: unused, fix: "chela config validate names them all" }] : []),
  ];
  if (!exists)
    return [{ name, state: "ok", says: `${configPath} does not exist; built-in settings are used` }, ...told];
  if (valid) return [{ name, state: "ok", says: configPath }, ...told];
  const used = source === "last-good" ? "the last version that worked is used" : "built-in settings are used";
  return [
    { name, state: "fail", says: `${configPath} is broken, so ${used}`, fix: "the lines below say where" },
    ...told,
  ];
}

function checkLock({ paths: { stateDir } }: CheckedGateway): Check {
  const lock = inspectLock(stateLockPath(stateDir), systemClock);
  if (lock.kind === "held")
    return {
      name: "Lock",
      state: "ok",
      says: `held by process ${lock.pid ?? "that is starting"}${lock.isElsewhere ? " in another container or on another machine" : ""}`,
    };
  if (lock.kind === "free") return { name: "Lock", state: "ok", says: "free" };
  return {
    name: "Lock",
    state: "ok",
    says: `left by process ${lock.pid ?? "?"}, which is gone; the next start takes it over`,
  };
}

/** Only a gateway that runs knows what of the file it does not believe; a gateway that does not answer is told of elsewhere. */
async function checkApprovals({ call, isRunning }: CheckedGateway): Promise<Check[]> {
  if (!isRunning) return [];
  try {
    const { connection } = await connectGateway(call, PROBE_MS);
    const known = await connection.request("exec.approvals.get", {}, { timeoutMs: PROBE_MS });
    connection.drop();
    const waiting = known.notBelieved?.length ?? 0;
    if (waiting === 0) return [];
    const says = `somebody else wrote ${count(waiting, "addition")} into exec-approvals.json while agents could run commands; not in force`;
    return [
      {
        name: "Approvals",
        state: "warn",
        says,
        fix: "chela approvals get shows it, chela approvals accept believes it",
      },
    ];
  } catch (error) {
    if (!CommandFailure.is(error)) throw error;
    return [];
  }
}

async function checkGateway(place: CheckedGateway): Promise<Check> {
  const name = "Gateway";
  try {
    const { connection, hello, url } = await connectGateway(place.call, PROBE_MS);
    connection.drop();
    return { name, state: "ok", says: `version ${hello.server.version} answers at ${url}` };
  } catch (error) {
    if (!CommandFailure.is(error)) throw error;
    if (error.kind !== "no-gateway")
      return { name, state: "fail", says: error.message, ...(error.fix ? { fix: error.fix } : {}) };
    if (place.isRunning)
      return {
        name,
        state: "fail",
        says: "it runs, but does not answer",
        fix: "chela logs, then chela gateway stop and chela gateway run",
      };
    return checkPort(place);
  }
}

async function checkPort({ config, paths }: CheckedGateway): Promise<Check> {
  const name = "Gateway";
  const port = gatewayPort(config.current(), config.effectiveEnv(), paths);
  const problem = await new Promise<string | undefined>((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => resolve(errnoOf(error) ?? "unknown reason"));
    probe.listen({ host: "127.0.0.1", port }, () => probe.close(() => resolve(undefined)));
  });
  if (problem === undefined)
    return { name, state: "warn", says: `not running; port ${port} is free`, fix: "chela gateway run" };
  const says =
    problem === "EADDRINUSE" ? `port ${port} is used by another program` : `port ${port} cannot be opened (${problem})`;
  return { name, state: "fail", says, fix: "chela config set gateway.port <another>" };
}

function checkToken({ config, paths }: CheckedGateway): Check {
  const name = "Token";
  const auth = config.current().gateway?.auth;
  const env = config.effectiveEnv();
  if (auth?.mode === "none")
    return {
      name,
      state: "warn",
      says: "gateway.auth.mode is none: every program on this machine may use the gateway",
      fix: "chela config set gateway.auth.mode token",
    };
  if (auth?.token) return { name, state: "ok", says: `in ${paths.configPath}` };
  if (auth?.password) return { name, state: "ok", says: `a password, in ${paths.configPath}` };
  if (env["OPENCLAW_GATEWAY_TOKEN"] || env["OPENCLAW_GATEWAY_PASSWORD"])
    return { name, state: "ok", says: "from the environment" };
  if (existsSync(join(paths.stateDir, TOKEN_FILE)))
    return { name, state: "ok", says: `in ${join(paths.stateDir, TOKEN_FILE)}` };
  return { name, state: "ok", says: "none yet; the first start makes one" };
}

async function checkLedger(place: CheckedGateway): Promise<Check> {
  const name = "Ledger";
  const path = ledgerPath(place.paths);
  if (!existsSync(path)) return { name, state: "ok", says: "none yet; the first start makes it" };
  try {
    const database = openDatabase(path, { readOnly: true });
    try {
      checkIntegrity(database);
    } finally {
      database.close();
    }
    // What was written last stands in the log beside it.
    const size = [path, `${path}-wal`].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
    return { name, state: "ok", says: `whole, ${formatBytes(size)}` };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return repairLedger(place, error);
  }
}

async function repairLedger({ call, paths, repairs, isRunning }: CheckedGateway, damage: GatewayError): Promise<Check> {
  const name = "Ledger";
  if (damage.code !== "STORE_CORRUPT") return { name, state: "fail", says: damage.message, fix: damage.row.fix };
  if (!repairs)
    return { name, state: "fail", says: damage.message, fix: "chela gateway stop, then chela doctor --fix" };
  if (isRunning)
    return {
      name,
      state: "fail",
      says: damage.message,
      fix: "a gateway uses it: chela gateway stop, then chela doctor --fix",
    };
  await writeLedger(
    paths,
    (text) => call.terminal.note(text),
    async () => {},
  );
  return { name, state: "ok", says: "was damaged, and is rebuilt; the damaged file was kept beside it" };
}

async function checkMirror({ paths, isRunning }: CheckedGateway): Promise<Check> {
  const name = "Mirror";
  if (!existsSync(ledgerPath(paths))) return { name, state: "ok", says: "nothing to write yet" };
  try {
    const behind = await readLedger(paths, async (ledger) => (await ledger.unmirrored(1000)).length);
    if (behind === 0) return { name, state: "ok", says: "the transcript files are current" };
    const says = `${count(behind, "transcript file")} behind the ledger`;
    return isRunning
      ? { name, state: "ok", says: `${says}, or written a moment ago` }
      : { name, state: "warn", says, fix: "chela gateway run writes them" };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { name, state: "warn", says: "cannot be looked at while the ledger is damaged" };
  }
}

async function checkModel({ call }: CheckedGateway): Promise<Check> {
  const name = "Model";
  try {
    const { model, source } = await findDefaultModel(call);
    const says = `${model.provider}/${model.id} (${source})`;
    if (model.provider !== "demo") return { name, state: "ok", says };
    return {
      name,
      state: "warn",
      says,
      fix: "set an API key such as ANTHROPIC_API_KEY, or start Ollama on this machine",
    };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { name, state: "fail", says: error.message, fix: error.row.fix };
  }
}

function checkDisk({ paths: { stateDir } }: CheckedGateway): Check {
  const name = "Disk";
  if (!existsSync(stateDir)) return { name, state: "ok", says: "not used yet" };
  const { bavail, bsize, type } = statfsSync(stateDir);
  const free = bavail * bsize;
  const says = `${formatBytes(free)} free`;
  if (free < NO_SPACE)
    return { name, state: "fail", says, fix: "free some space; nothing new is accepted when it runs out" };
  if (free >= LITTLE_SPACE) return { name, state: "ok", says };
  // There a full disk is not told to the program, but ends it; see docs/decisions.
  const danger = COPIES_ON_WRITE.includes(type) ? "; a full disk of this kind may end the gateway" : "";
  return { name, state: "warn", says: `${says}${danger}`, fix: "free some space soon" };
}
