// Checks by `chela doctor` of the machine and of the gateway as a whole: what belongs to no room.
import { existsSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { DoctorCall, DoctorCheck, DoctorLine } from "@chela/sdk";
import { CommandFailure } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { errnoOf } from "@chela/sdk/files";
import { stateLockPath } from "../../base/locks/gateway-lock.ts";
import { inspectLock } from "../../base/locks/holder.ts";
import { formatBytes } from "../../base/terminal/layout.ts";
import type { House } from "../../house/house.ts";
import { TOKEN_FILE } from "../../house/start/gateway-token.ts";
import { gatewayPort } from "../../rooms/config/settings/gateway-port.ts";
import { startRefusal } from "../../start-refusal.ts";
import { connectGateway } from "../connect/gateway-client.ts";
import { splitConfigNotice } from "../offline/split-config.ts";

const NEEDED_NODE = 24;
const LITTLE_SPACE = 1024 ** 3;
/** btrfs and bcachefs, by the numbers Linux has for them. */
const COPIES_ON_WRITE: readonly number[] = [0x9123683e, 0xca451a4e];
const NO_SPACE = 100 * 1024 ** 2;
const PROBE_MS = 3000;

type CheckedServices = Pick<House, "config" | "paths">;

export const OWN_CHECKS: ReadonlyArray<DoctorCheck<House>> = [
  { name: "Node", look: () => [checkNode()] },
  { name: "Disk", look: (house) => [checkDisk(house)] },
  { name: "Lock", look: (house) => [checkLock(house)] },
  { name: "Gateway", look: async (house, doctor) => [await checkGateway(house, doctor)] },
  { name: "Start", look: checkStart },
  { name: "Token", look: (house) => [checkToken(house)] },
  { name: "YAML", look: checkSplitConfig },
];

function checkNode(): DoctorLine {
  const version = process.versions.node;
  if (Number(version.split(".")[0]) >= NEEDED_NODE) return { state: "ok", says: version };
  const says = `${version} is too old; ${NEEDED_NODE} is needed`;
  return { state: "fail", says, fix: "install it from https://nodejs.org" };
}

/** A file without a mistake may still ask for what no gateway does. */
function checkStart({ config, paths }: CheckedServices): DoctorLine[] {
  const refusal = config.check().valid ? startRefusal(config, paths) : undefined;
  if (!refusal) return [];
  const says = `the gateway does not start like this: ${refusal.detail}`;
  return [{ state: "fail", says, fix: refusal.row.fix }];
}

function checkSplitConfig({ paths }: CheckedServices): DoctorLine[] {
  const says = splitConfigNotice(paths);
  return says === undefined ? [] : [{ state: "warn", says, fix: "write them with chela config set" }];
}

function checkLock({ paths: { stateDir } }: CheckedServices): DoctorLine {
  const lock = inspectLock(stateLockPath(stateDir), systemClock);
  if (lock.kind === "free") return { state: "ok", says: "free" };
  if (lock.kind === "held") {
    const where = lock.isElsewhere ? " in another container or on another machine" : "";
    return { state: "ok", says: `held by process ${lock.pid ?? "that is starting"}${where}` };
  }
  return { state: "ok", says: `left by process ${lock.pid ?? "?"}, which is gone; the next start takes it over` };
}

async function checkGateway(place: CheckedServices, { call, isRunning }: DoctorCall): Promise<DoctorLine> {
  try {
    const { connection, hello, url } = await connectGateway(call, PROBE_MS);
    connection.drop();
    return { state: "ok", says: `version ${hello.server.version} answers at ${url}` };
  } catch (error) {
    if (!CommandFailure.is(error)) throw error;
    if (error.kind !== "no-gateway")
      return { state: "fail", says: error.message, ...(error.fix ? { fix: error.fix } : {}) };
    if (!isRunning) return checkPort(place);
    const fix = "chela logs, then chela gateway stop and chela gateway run";
    return { state: "fail", says: "it runs, but does not answer", fix };
  }
}

async function checkPort({ config, paths }: CheckedServices): Promise<DoctorLine> {
  const port = gatewayPort(config.current(), config.effectiveEnv(), paths);
  const problem = await new Promise<string | undefined>((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => resolve(errnoOf(error) ?? "unknown reason"));
    probe.listen({ host: "127.0.0.1", port }, () => probe.close(() => resolve(undefined)));
  });
  if (problem === undefined)
    return { state: "warn", says: `not running; port ${port} is free`, fix: "chela gateway run" };
  const says =
    problem === "EADDRINUSE" ? `port ${port} is used by another program` : `port ${port} cannot be opened (${problem})`;
  return { state: "fail", says, fix: "chela config set gateway.port <another>" };
}

function checkToken({ config, paths }: CheckedServices): DoctorLine {
  const auth = config.current().gateway?.auth;
  const env = config.effectiveEnv();
  if (auth?.mode === "none") {
    const says = "gateway.auth.mode is none: every program on this machine may use the gateway";
    return { state: "warn", says, fix: "chela config set gateway.auth.mode token" };
  }
  if (auth?.token) return { state: "ok", says: `in ${paths.configPath}` };
  if (auth?.password) return { state: "ok", says: `a password, in ${paths.configPath}` };
  if (env["OPENCLAW_GATEWAY_TOKEN"] || env["OPENCLAW_GATEWAY_PASSWORD"])
    return { state: "ok", says: "from the environment" };
  const file = join(paths.stateDir, TOKEN_FILE);
  return { state: "ok", says: existsSync(file) ? `in ${file}` : "none yet; the first start makes one" };
}

function checkDisk({ paths: { stateDir } }: CheckedServices): DoctorLine {
  if (!existsSync(stateDir)) return { state: "ok", says: "not used yet" };
  const { bavail, bsize, type } = statfsSync(stateDir);
  const free = bavail * bsize;
  const says = `${formatBytes(free)} free`;
  if (free < NO_SPACE) return { state: "fail", says, fix: "free some space; nothing new is accepted when it runs out" };
  if (free >= LITTLE_SPACE) return { state: "ok", says };
  // There a full disk is not told to the program, but ends it; see docs/decisions.
  const danger = COPIES_ON_WRITE.includes(type) ? "; a full disk of this kind may end the gateway" : "";
  return { state: "warn", says: `${says}${danger}`, fix: "free some space soon" };
}
