// The life of one scope's container: created, started again, warned about while it is in use, or replaced.
import { GatewayError, type Clock, type Logger, type SandboxProfile } from "@chela/sdk";
import { describeContainer, LABELS, MACHINE_NETWORK, type ContainerBody } from "./container-body.ts";
import { ContainerState, CreatedContainer, NetworkAnswer, type ContainerStateAnswer } from "./engine-answers.ts";
import { nameOf, type Engine, type EngineParts } from "./engine.ts";
import { checkMounts } from "./mount-guard.ts";
import { describeReach, isWithinReach } from "./reach.ts";
import type { ContainerRegistry } from "./registry.ts";
import { runToEnd } from "./run-to-end.ts";

export interface ContainerParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly id: EngineParts["id"];
  readonly engine: Engine;
  readonly registry: ContainerRegistry;
  readonly stateDir: string;
  readonly home: string;
  socketPath(): string;
  /** Whether a command of ours runs in it right now. */
  isBusy(name: string): boolean;
}

export interface ReadyContainer {
  readonly name: string;
  /** It is in use, so it was not replaced, though the configuration is another by now. */
  readonly isOutdated: boolean;
}

/** A container used more recently than this is not taken away from whoever uses it. */
const HOT_MS = 5 * 60_000;
const CREATE_MS = 60_000;
const SETUP_MS = 10 * 60_000;

/** The container of this profile, running. Throws SANDBOX_FAILED. */
export async function ensureContainer(profile: SandboxProfile, parts: ContainerParts): Promise<ReadyContainer> {
  checkMounts(profile, { stateDir: parts.stateDir, socketPath: parts.socketPath() });
  const wanted = describeContainer(profile, parts.home);
  await checkNetwork(profile, parts);
  const found = await inspectContainer(wanted.name, parts.engine);
  if (!found) return await createContainer(wanted, profile, parts);
  const labels = found.Config.Labels ?? {};
  if (labels[LABELS.home] !== parts.home) {
    throw refuse(
      `a container named ${wanted.name} is there already, and it is not this gateway's; rename or remove it`,
    );
  }
  if (labels[LABELS.hash] === wanted.hash) return await startAgain(wanted, found, false, parts);
  if (isHot(wanted.name, found, parts) && isWithinReach(labels[LABELS.reach], profile)) {
    const advice = "`chela sandbox recreate` replaces it at once";
    parts.log.warn(`the configuration of a sandbox has changed while it is in use; ${advice}`, { name: wanted.name });
    return await startAgain(wanted, found, true, parts);
  }
  await removeContainer(wanted.name, parts);
  return await createContainer(wanted, profile, parts);
}

function inspectContainer(name: string, engine: Engine): Promise<ContainerStateAnswer | undefined> {
  const path = `/containers/${encodeURIComponent(name)}/json`;
  return engine.find(ContainerState(), { method: "GET", path, expects: [404] });
}

/** Also when it runs, and with whatever storage its image asked for. */
export async function removeContainer(name: string, parts: Pick<ContainerParts, "engine" | "registry">): Promise<void> {
  const path = `/containers/${encodeURIComponent(name)}`;
  const query = { force: "1", v: "1" };
  await parts.engine.call({ method: "DELETE", path, query, expects: [404], timeoutMs: CREATE_MS });
  parts.registry.forget(name);
}

function isHot(name: string, { State, Config }: ContainerStateAnswer, parts: ContainerParts): boolean {
  if (!State.Running) return false;
  if (parts.isBusy(name)) return true;
  const lastUsedAt = parts.registry.lastUsedAt(name) ?? Number(Config.Labels?.[LABELS.created] ?? 0);
  return parts.clock.now() - lastUsedAt < HOT_MS;
}

async function startAgain(
  { name }: ContainerBody,
  found: ContainerStateAnswer,
  isOutdated: boolean,
  parts: ContainerParts,
): Promise<ReadyContainer> {
  if (found.State.Paused) throw refuse(`the container ${name} was paused by somebody; unpause or remove it`);
  if (!found.State.Running) await startContainer(name, parts);
  parts.registry.touch(name);
  return { name, isOutdated };
}

/**
 * A container that has to be prepared gets its name only when it is: one that was left half-prepared by a crash is
 * never taken for a whole one.
 */
async function createContainer(
  wanted: ContainerBody,
  profile: SandboxProfile,
  parts: ContainerParts,
): Promise<ReadyContainer> {
  const { setupCommand, image } = profile.container;
  const firstName = setupCommand ? `${wanted.name}.new` : wanted.name;
  if (setupCommand) await removeContainer(firstName, parts);
  const createdAtMs = parts.clock.now();
  const labels = {
    [LABELS.ours]: "1",
    [LABELS.home]: parts.home,
    [LABELS.scope]: profile.scope,
    [LABELS.hash]: wanted.hash,
    [LABELS.created]: String(createdAtMs),
    [LABELS.reach]: describeReach(profile),
  };
  await requestContainer(firstName, { ...wanted.body, Labels: labels }, image, parts);
  try {
    await startContainer(firstName, parts);
    if (setupCommand) {
      await prepare(firstName, setupCommand, parts);
      const path = `/containers/${encodeURIComponent(firstName)}/rename`;
      await parts.engine.call({ method: "POST", path, query: { name: wanted.name } });
    }
  } catch (error) {
    await removeContainer(firstName, parts).catch(() => parts.log.warn("a sandbox that failed could not be removed"));
    throw error;
  }
  const { name, hash } = wanted;
  parts.registry.note({ containerName: name, sessionKey: profile.scope, createdAtMs, image, configHash: hash });
  parts.log.info("a sandbox was set up", { name, image });
  return { name, isOutdated: false };
}

async function requestContainer(name: string, body: unknown, image: string, parts: ContainerParts): Promise<void> {
  const path = "/containers/create";
  const answer = await parts.engine.call({
    method: "POST",
    path,
    query: { name },
    body,
    expects: [400, 404, 409, 500],
    timeoutMs: CREATE_MS,
  });
  if (answer.status === 404) throw refuse(missingImage(image, parts.id));
  if (answer.status >= 400) {
    throw refuse(`${nameOf(parts.id)} did not create the container ${name}: ${answer.complaint}`);
  }
  const created = CreatedContainer().safeParse(answer.json);
  for (const text of created.data?.Warnings ?? []) parts.log.warn("the container engine warns", { name, text });
}

export function missingImage(image: string, id: ContainerParts["id"]): string {
  return `the image ${image} is not there; build it with \`chela sandbox image build\`, or get it with \`${id} pull ${image}\``;
}

async function startContainer(name: string, { engine }: ContainerParts): Promise<void> {
  const path = `/containers/${encodeURIComponent(name)}/start`;
  await engine.call({ method: "POST", path, timeoutMs: CREATE_MS });
}

async function prepare(name: string, setupCommand: string, parts: ContainerParts): Promise<void> {
  const line = ["sh", "-lc", setupCommand];
  const { exitCode, text } = await runToEnd(name, line, { ...parts, timeoutMs: SETUP_MS });
  if (exitCode === 0) return;
  const ending = text.trim().slice(-400);
  throw refuse(`the setupCommand failed with code ${exitCode}${ending ? `; it said: ${ending}` : ""}`);
}

/** Another name of the machine's own network is still the machine's own network. */
async function checkNetwork({ network }: SandboxProfile, { engine, id }: ContainerParts): Promise<void> {
  if (network.kind !== "named" || [MACHINE_NETWORK, "none"].includes(network.name)) return;
  const path = `/networks/${encodeURIComponent(network.name)}`;
  const found = await engine.find(NetworkAnswer(), { method: "GET", path, expects: [404] });
  if (!found)
    throw refuse(`there is no network ${network.name}; make it with \`${id} network create ${network.name}\``);
  if (found.Driver === "host") {
    throw refuse(`the network ${network.name} is this machine's own; if that is meant, write "${MACHINE_NETWORK}"`);
  }
}

function refuse(detail: string): GatewayError {
  return new GatewayError("SANDBOX_FAILED", detail);
}
