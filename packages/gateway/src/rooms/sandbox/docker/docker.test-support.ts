// Helpers for tests of container sandboxes: a profile, a log that is kept, and commands that are waited for.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger, SandboxBackend, SandboxCommand, SandboxExit, SandboxPlace, SandboxProfile } from "@chela/sdk";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { createIds } from "../../../base/ids.ts";
import { createDocker } from "./docker.ts";

const MB = 1024 * 1024;

export interface DockerStage extends AsyncDisposable {
  readonly backend: SandboxBackend;
  readonly clock: FakeClock;
  readonly stateDir: string;
  readonly socketPath: string;
  readonly workspace: string;
  /** Level and text of what was logged. */
  readonly logged: string[];
  profile(changes?: ProfileChanges): SandboxProfile;
  /** Another run of the gateway with the same state. */
  again(): SandboxBackend;
}

interface ProfileChanges extends Partial<Omit<SandboxProfile, "container" | "limits">> {
  readonly container?: Partial<SandboxProfile["container"]>;
  readonly limits?: Partial<SandboxProfile["limits"]>;
}

export function openStage(socketPath: string, image = "chela-test:busybox"): DockerStage {
  const directory = mkdtempSync(join(tmpdir(), "chela-stage-"));
  const stateDir = join(directory, "state");
  const workspace = join(stateDir, "workspace");
  mkdirSync(workspace, { recursive: true });
  const clock = createFakeClock();
  const logged: string[] = [];
  const log = keepLog(logged);
  const again = (): SandboxBackend =>
    createDocker({ clock, ids: createIds(), log, stateDir, id: "docker", socketPath, image });
  const backend = again();
  return {
    backend,
    again,
    clock,
    stateDir,
    socketPath,
    workspace,
    logged,
    profile: (changes = {}) => profileOf(workspace, image, changes),
    [Symbol.asyncDispose]: async () => {
      const standing = await backend.list().catch(() => []);
      for (const { name } of standing) await backend.remove(name);
      await backend.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function profileOf(workspace: string, image: string, changes: ProfileChanges): SandboxProfile {
  const { container, limits, ...rest } = changes;
  return {
    scope: "agent:main",
    workdir: "/workspace",
    mounts: [{ outside: workspace, inside: "/workspace", isWritable: true }],
    network: { kind: "none" },
    env: { PATH: "/bin", HOME: "/tmp", LANG: "C.UTF-8" },
    ...rest,
    limits: { memoryBytes: 64 * MB, processes: 64, cpuSeconds: 60, fileBytes: 32 * MB, openFiles: 256, ...limits },
    container: {
      image,
      namePrefix: "chela-sbx-",
      isRootReadOnly: true,
      tmpfs: ["/tmp"],
      capDrop: ["ALL"],
      ulimits: {},
      dns: [],
      extraHosts: [],
      ...container,
    },
  };
}

function keepLog(logged: string[]): Logger {
  const add = (level: string) => (text: string) => void logged.push(`${level}: ${text}`);
  const log: Logger = {
    log: (level, text) => add(level)(text),
    trace: add("trace"),
    debug: add("debug"),
    info: add("info"),
    warn: add("warn"),
    error: add("error"),
    child: () => log,
  };
  return log;
}

export interface Ran extends SandboxExit {
  readonly text: string;
}

export async function run(
  place: SandboxPlace,
  command: string,
  changes: Partial<SandboxCommand> & { readonly input?: string } = {},
): Promise<Ran> {
  let text = "";
  const { input, ...rest } = changes;
  const process = await place.start({
    command,
    cwd: "/workspace",
    env: {},
    takesInput: input !== undefined,
    onText: (piece) => void (text += piece),
    ...rest,
  });
  if (input !== undefined) {
    process.write(input);
    process.closeInput();
  }
  const exit = await process.exited;
  await process.closed;
  return { ...exit, text };
}
