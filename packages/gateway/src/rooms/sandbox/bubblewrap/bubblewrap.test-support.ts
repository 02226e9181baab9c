// Sandboxes for tests: a backend, a profile with small limits, and a way to run a command to its end.
import { randomBytes, randomUUID } from "node:crypto";
import type { Clock, Ids, Logger, SandboxBackend, SandboxExit, SandboxPlace, SandboxProfile } from "@chela/sdk";
import { createBubblewrap, type BubblewrapParts } from "./bubblewrap.ts";

export const realClock: Clock = {
  now: () => Date.now(),
  steady: () => Math.floor(performance.now()),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

export const realIds: Ids = {
  uuid: () => randomUUID(),
  entryId: () => randomBytes(4).toString("hex"),
  secretHex: (bytes) => randomBytes(bytes).toString("hex"),
};

const silent: Logger = {
  log: () => {},
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
};

export function testBackend(parts: Partial<BubblewrapParts> = {}): SandboxBackend {
  return createBubblewrap({ clock: realClock, ids: realIds, log: silent, ...parts });
}

export function testProfile(workspace: string, changes: Partial<SandboxProfile> = {}): SandboxProfile {
  return {
    scope: "session:test",
    workdir: "/workspace",
    mounts: [{ outside: workspace, inside: "/workspace", isWritable: true }],
    network: { kind: "none" },
    limits: { memoryBytes: 256 * 2 ** 20, processes: 64, cpuSeconds: 30, fileBytes: 128 * 2 ** 20, openFiles: 256 },
    env: { HOME: "/workspace", FROM_PROFILE: "yes" },
    container: {
      image: "",
      namePrefix: "",
      isRootReadOnly: true,
      tmpfs: [],
      capDrop: ["ALL"],
      ulimits: {},
      dns: [],
      extraHosts: [],
    },
    ...changes,
  };
}

export interface Ran extends SandboxExit {
  readonly text: string;
}

export async function run(place: SandboxPlace, command: string, env: Record<string, string> = {}): Promise<Ran> {
  let text = "";
  const running = await place.start({
    command,
    cwd: "/workspace",
    env,
    takesInput: false,
    onText: (more) => (text += more),
  });
  const exit = await running.exited;
  await running.closed;
  return { ...exit, text };
}
