// The sandbox of container engines: Docker, and Podman, which speaks the same language.
import { existsSync, statSync } from "node:fs";
import {
  GatewayError,
  type Clock,
  type Ids,
  type Logger,
  type SandboxBackend,
  type SandboxBackendId,
  type SandboxCheck,
  type SandboxCommand,
  type SandboxedProcess,
  type SandboxPlace,
  type SandboxProfile,
  type StandingSandbox,
  OneAtATime,
} from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import { describeContainer, homeOf } from "./container-body.ts";
import { startCommand } from "./container-command.ts";
import { ensureContainer, missingImage, removeContainer, type ContainerParts } from "./containers.ts";
import { EngineVersion } from "./engine-answers.ts";
import { createEngine, nameOf } from "./engine.ts";
import { openRegistry } from "./registry.ts";
import { listStanding } from "./standing.ts";

export interface DockerParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly stateDir: string;
  readonly id: Exclude<SandboxBackendId, "bubblewrap">;
  /** Where the engine usually listens unless given. */
  readonly socketPath?: string;
  /** Looked for by the check; absent when nobody has chosen one. */
  readonly image?: string;
}

const CLOSE_MS = 10_000;

export function createDocker(parts: DockerParts): SandboxBackend {
  const { clock, log, id, stateDir } = parts;
  const socketPath = (): string => parts.socketPath ?? findSocket(id);
  const engine = createEngine({ clock, id, socketPath });
  const registry = openRegistry({ stateDir, backendId: id, clock, log });
  const home = homeOf(stateDir);
  const turns = new OneAtATime();
  const running = new Map<SandboxedProcess, RunningIn>();
  /** What each container should be like, as far as it was asked for since the gateway started. */
  const wanted = new Map<string, string>();
  const isBusy = (name: string): boolean => running.values().some((one) => one.name === name);
  const tools: ContainerParts = { clock, log, id, engine, registry, stateDir, home, socketPath, isBusy };

  const ensure = async (profile: SandboxProfile): Promise<string> => {
    const { name, hash } = describeContainer(profile, home);
    wanted.set(name, hash);
    await turns.run(name, () => ensureContainer(profile, tools));
    return name;
  };
  const lastUsedAt = (name: string): number | undefined => (isBusy(name) ? clock.now() : registry.lastUsedAt(name));
  const list = (): Promise<readonly StandingSandbox[]> => listStanding({ engine, id, home, wanted, lastUsedAt });
  const takeDown = (name: string): Promise<void> => turns.run(name, () => removeContainer(name, tools));

  return {
    id,
    list,
    check: () => checkEngine(parts, tools),
    async open(wanted) {
      const profile = id === "docker" ? asOurselves(wanted, socketPath()) : wanted;
      const name = await ensure(profile);
      return placeOf({ name, profile }, tools, { ids: parts.ids, ensure, takeDown, running });
    },
    async remove(name) {
      const standing = await list();
      if (standing.some((one) => one.name === name)) await takeDown(name);
    },
    async close() {
      const ending = [...running.keys()];
      for (const process of ending) process.signal("SIGKILL");
      await waitAtMost(CLOSE_MS, Promise.all(ending.map(({ exited }) => exited)), clock);
      for (const process of ending) process.abandon();
    },
  };
}

/** What runs in which container, and whoever hears of it. */
interface RunningIn {
  readonly name: string;
  readonly onText: SandboxCommand["onText"];
}

interface PlaceParts {
  readonly ids: Ids;
  ensure(profile: SandboxProfile): Promise<string>;
  takeDown(name: string): Promise<void>;
  readonly running: Map<SandboxedProcess, RunningIn>;
}

function placeOf(
  { name, profile }: { readonly name: string; readonly profile: SandboxProfile },
  { engine, clock, log, registry, id }: ContainerParts,
  parts: PlaceParts,
): SandboxPlace {
  const { running } = parts;
  const start: SandboxPlace["start"] = async (command) => {
    const mark = parts.ids.secretHex(16);
    const attempt = () => startCommand(name, command, { engine, clock, log, mark, onExit: () => registry.touch(name) });
    let begun = await attempt();
    if (begun.kind === "gone") {
      await parts.ensure(profile);
      begun = await attempt();
    }
    if (begun.kind === "gone") {
      throw new GatewayError("SANDBOX_FAILED", `the container ${name} ended as soon as it was started`);
    }
    const { process } = begun;
    registry.touch(name);
    running.set(process, { name, onText: command.onText });
    void process.exited.then(() => running.delete(process));
    return process;
  };
  return {
    backend: id,
    profile,
    start,
    async close(why) {
      const told = why === undefined ? [] : running.values().filter((one) => one.name === name);
      for (const { onText } of told) onText(`\n[The sandbox was ended, with everything in it: ${why}.]\n`);
      await parts.takeDown(name);
    },
  };
}

async function checkEngine(parts: DockerParts, { engine, id }: ContainerParts): Promise<SandboxCheck> {
  const { image } = parts;
  try {
    const { Version } = await engine.ask(EngineVersion(), { method: "GET", path: "/version" });
    const notes = [`It speaks version ${await engine.version()} of the engine's interface.`];
    if (image !== undefined) {
      const path = `/images/${encodeURIComponent(image)}/json`;
      const { status } = await engine.call({ method: "GET", path, expects: [404] });
      if (status === 404) notes.push(`Commands cannot run yet: ${missingImage(image, id)}.`);
    }
    return { kind: "ready", version: Version, notes };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { kind: "unusable", why: `${error.detail}.`, fix: fixOf(id) };
  }
}

/**
 * Root of a container, without its capabilities, cannot write to folders of an ordinary user. So where an engine of the
 * machine's root serves such a user, commands run as that one. An engine of the user's own makes its root the user.
 */
function asOurselves(profile: SandboxProfile, socketPath: string): SandboxProfile {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const isOfRoot = statSync(socketPath, { throwIfNoEntry: false })?.uid === 0;
  if (profile.container.user !== undefined || uid === 0 || !isOfRoot) return profile;
  return { ...profile, container: { ...profile.container, user: `${uid}:${gid}` } };
}

function fixOf(id: DockerParts["id"]): string {
  if (id === "docker") {
    return "Install Docker, start it (`systemctl start docker`), and let the gateway's user use it (`usermod -aG docker USER`, then log in again).";
  }
  return `Install ${nameOf(id)} and start its service: \`systemctl --user start podman.socket\`, or \`systemctl start podman.socket\` for the whole machine.`;
}

/** Where the engine listens; the first of the usual places when it does nowhere, so that the failure names one. */
function findSocket(id: DockerParts["id"]): string {
  const own = process.env["XDG_RUNTIME_DIR"];
  const usual =
    id === "docker"
      ? ["/var/run/docker.sock", ...(own ? [`${own}/docker.sock`] : [])]
      : [...(own ? [`${own}/podman/podman.sock`] : []), "/run/podman/podman.sock"];
  return usual.find((path) => existsSync(path)) ?? usual[0] ?? "";
}
