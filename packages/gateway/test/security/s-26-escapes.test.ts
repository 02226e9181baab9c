// S-26 Sandbox escape: the self-test's escapes inside each backend that can be had here. Every one of them has to fail.
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Logger, SandboxBackend, SandboxProfile } from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import { createIds } from "../../src/base/ids.ts";
import { createBubblewrap } from "../../src/rooms/sandbox/bubblewrap/bubblewrap.ts";
import { createDocker } from "../../src/rooms/sandbox/docker/docker.ts";
import { tryEscapes } from "../../src/rooms/sandbox/self-test.ts";
import { ensureDebianPackage, warnNotTested } from "../support/stages/debian-package.ts";
import { startDockerDaemon } from "../support/stages/docker-daemon.ts";
import { createStateDirectory } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";

const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, log() {}, child: () => silent } as Logger;
const parts = { clock: systemClock, ids: createIds(), log: silent };
const state = createStateDirectory();
const hasBubblewrap = ensureDebianPackage("bubblewrap", "bwrap");
if (!hasBubblewrap) warnNotTested("escapes from bubblewrap", "no bubblewrap");
const daemon = await startDockerDaemon();
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

const profileWith = (image: string): Pick<SandboxProfile, "env" | "container"> => ({
  env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/workspace" },
  container: {
    image,
    namePrefix: "chela-test-",
    isRootReadOnly: true,
    tmpfs: ["/tmp", "/var/tmp", "/run"],
    capDrop: ["ALL"],
    ulimits: {},
    dns: [],
    extraHosts: [],
  },
});

async function expectClosed(backend: SandboxBackend, image: string, least: number): Promise<void> {
  try {
    const check = await backend.check();
    expect(check).toMatchObject({ kind: "ready" });
    const outcomes = await tryEscapes({ ...parts, backend, profile: profileWith(image) });
    expect(outcomes.filter(({ result }) => result === "open")).toEqual([]);
    const held = outcomes.filter(({ result }) => result === "held").length;
    // A test in which nothing could be tried would hold, too.
    expect(held).toBeGreaterThanOrEqual(least);
    countCases("S-26", held);
  } finally {
    await backend.close();
  }
}

describe("S-26 every escape fails", () => {
  it.runIf(hasBubblewrap)("in bubblewrap", () => expectClosed(createBubblewrap(parts), "", 45), 120_000);

  it.runIf(daemon)(
    "in Docker",
    async () => {
      if (!daemon) return;
      const { socketPath, image } = daemon;
      const stateDir = join(state.path, "docker");
      await expectClosed(createDocker({ ...parts, id: "docker", stateDir, socketPath, image }), image, 25);
    },
    240_000,
  );
});
