// Tries every known way out of a sandbox that is set up for this alone, with small limits. All of them have to fail.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock, Ids, SandboxBackend, SandboxPlace, SandboxProfile } from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import { ESCAPE_LIMITS, judgeEscape, listEscapes, type Escape, type EscapeStage } from "./escapes.ts";

export interface EscapeOutcome {
  readonly name: string;
  /** What was tried, as words for people. */
  readonly tries: string;
  /** `untested`: a tool for it is missing inside. */
  readonly result: "held" | "open" | "untested";
}

export interface SelfTestParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backend: SandboxBackend;
  /** What sandboxes get here; folders, network and limits are those of the test. */
  readonly profile: Pick<SandboxProfile, "env" | "container">;
}

/** A bomb is given so long, and then it is ended; everything else is over at once. */
const PATIENCE_MS = 20_000;
const KEPT_CHARS = 256 * 1024;
const SECRET_NAME = "CHELA_SELFTEST_SECRET";
const READ_ONLY = "/selftest-read-only";
const WORKDIR = "/workspace";

/** Throws SANDBOX_FAILED when there is no sandbox to try. */
export async function tryEscapes(parts: SelfTestParts): Promise<EscapeOutcome[]> {
  await using stage = await setStage(parts.ids);
  const profile = { ...parts.profile, ...stage.profile };
  const place = await parts.backend.open(profile);
  const outcomes: EscapeOutcome[] = [];
  try {
    for (const escape of listEscapes(stage.seen)) {
      const printed = await attempt(place, escape, parts.clock);
      const result = stage.isUnharmed() ? judgeEscape(printed, stage.seen).kind : "open";
      outcomes.push({ name: escape.name, tries: escape.tries, result });
    }
  } finally {
    await place.close();
    await removeAll(parts.backend, profile.scope);
  }
  return outcomes;
}

async function removeAll(backend: SandboxBackend, wanted: string): Promise<void> {
  for (const { scope, name } of await backend.list()) if (scope === wanted) await backend.remove(name);
}

async function attempt(place: SandboxPlace, { command }: Escape, clock: Clock): Promise<string> {
  let printed = "";
  const running = await place.start({
    command,
    cwd: WORKDIR,
    env: {},
    takesInput: false,
    onText: (text) => (printed = (printed + text).slice(-KEPT_CHARS)),
  });
  if ((await waitAtMost(PATIENCE_MS, running.exited, clock)) === "late") running.signal("SIGKILL");
  if ((await waitAtMost(PATIENCE_MS, running.closed, clock)) === "late") running.abandon();
  return printed;
}

interface Stage extends AsyncDisposable {
  readonly seen: EscapeStage;
  readonly profile: Pick<SandboxProfile, "scope" | "workdir" | "mounts" | "network" | "limits">;
  /** Whether what stands outside is as it was. */
  isUnharmed(): boolean;
}

/** Things outside that are worth reaching: a file, listeners, a process, a variable. */
async function setStage(ids: Ids): Promise<Stage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "chela-selftest-")));
  const [workspace, readOnly, canary] = [join(folder, "workspace"), join(folder, "read-only"), join(folder, "canary")];
  for (const path of [workspace, readOnly]) await mkdir(path, { mode: 0o700 });
  const [canaryText, secretText, name] = [ids.secretHex(16), ids.secretHex(16), `chela-selftest-${ids.secretHex(4)}`];
  await writeFile(canary, canaryText, { mode: 0o600 });
  const bystander = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], {
    stdio: "ignore",
    env: { [SECRET_NAME]: secretText },
  });
  // Only on loopback: a test must not open a door to the network.
  const door = await listen({ port: 0, host: "127.0.0.1" });
  const unnamed = platform() === "linux" ? await listen({ path: `\0${name}` }) : undefined;
  return {
    seen: {
      canary,
      canaryText,
      stateDir: folder,
      workdir: WORKDIR,
      readOnlyFolder: READ_ONLY,
      port: (door.address() as { port: number }).port,
      pid: bystander.pid ?? process.pid,
      secretName: SECRET_NAME,
      secretText,
      ...(unnamed ? { abstractSocket: name } : {}),
    },
    profile: {
      scope: `selftest:${name}`,
      workdir: WORKDIR,
      mounts: [
        { outside: workspace, inside: WORKDIR, isWritable: true },
        { outside: readOnly, inside: READ_ONLY, isWritable: false },
      ],
      network: { kind: "none" },
      limits: ESCAPE_LIMITS,
    },
    isUnharmed: () => isAlive(bystander) && door.listening,
    async [Symbol.asyncDispose]() {
      bystander.kill("SIGKILL");
      for (const server of [door, unnamed])
        await new Promise<void>((end) => (server ? server.close(() => end()) : end()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Somebody is there: it says nothing and closes at once. */
function listen(place: { port: number; host: string } | { path: string }): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => resolve(server));
  });
}
