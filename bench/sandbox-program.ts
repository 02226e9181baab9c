// Runs `true` in sandboxes and prints what each took: the first command of a new one, the next ones, and beside them
// a plain start and bubblewrap by itself, so that a slow hour can be told from a slow program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger, SandboxPlace, SandboxProfile } from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import { createIds } from "../packages/gateway/src/base/ids.ts";
import { createBubblewrap } from "../packages/gateway/src/rooms/sandbox/bubblewrap/bubblewrap.ts";

const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, log() {}, child: () => silent } as Logger;
const root = mkdtempSync(join(tmpdir(), "chela-bench-sandbox-"));
const backend = createBubblewrap({ clock: systemClock, ids: createIds(), log: silent });

function profileOf(name: string): SandboxProfile {
  const outside = join(root, name);
  mkdirSync(outside);
  return {
    scope: name,
    workdir: "/workspace",
    mounts: [{ outside, inside: "/workspace", isWritable: true }],
    network: { kind: "none" },
    limits: { memoryBytes: 2 ** 30, processes: 256, cpuSeconds: 3600, fileBytes: 2 ** 30, openFiles: 1024 },
    env: { PATH: "/usr/bin:/bin", HOME: "/workspace" },
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
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function runTrue(place: SandboxPlace): Promise<void> {
  const started = await place.start({ command: "true", cwd: "/workspace", env: {}, takesInput: false, onText() {} });
  const { exitCode } = await started.exited;
  if (exitCode !== 0) throw new Error(`true ended with ${exitCode}`);
}

/** The same namespaces and as few folders as `true` needs: nobody who keeps commands this way can be faster. */
const BARE = [
  ..."--unshare-all --unshare-user --cap-drop ALL --die-with-parent --new-session --clearenv".split(" "),
  ..."--ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64".split(" "),
  ..."--proc /proc --dev /dev --tmpfs /tmp -- /usr/bin/true".split(" "),
];
/** Conversations do not begin one right after the other, and what is made ready between them takes a moment. */
const BETWEEN_MS = 200;

const rounds = Number(process.argv[2] ?? 30);
const samples = { plain: [] as number[], bare: [] as number[], first: [] as number[], warm: [] as number[] };
const runToEnd = (file: string, args: string[]) => once(spawn(file, args, { stdio: "pipe" }), "close");
try {
  const check = await backend.check();
  if (check.kind !== "ready") throw new Error(`${check.why} ${check.fix}`);
  for (let round = 0; round < rounds; round++) {
    await pause(BETWEEN_MS);
    samples.plain.push(await timed(() => runToEnd("/usr/bin/true", [])));
    samples.bare.push(await timed(() => runToEnd("bwrap", BARE)));
    const profile = profileOf(`round-${round}`);
    let place: SandboxPlace | undefined;
    samples.first.push(
      await timed(async () => {
        place = await backend.open(profile);
        await runTrue(place);
      }),
    );
    if (!place) continue;
    for (let again = 0; again < 10; again++) samples.warm.push(await timed(() => runTrue(place as SandboxPlace)));
    await place.close();
  }
  process.stdout.write(JSON.stringify(samples));
} finally {
  await backend.close();
  rmSync(root, { recursive: true, force: true });
}
