// Containers, with a real daemon: their life, what commands in them see and cannot do, and how they end.
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxCommand, SandboxedProcess, SandboxPlace } from "@chela/sdk";
import { startDockerDaemon, type DockerDaemon } from "../../../../test/support/stages/docker-daemon.ts";
import { runCommand } from "../../../../test/support/stages/command-here.ts";
import { pickIdle } from "../pick-idle.ts";
import { openStage, run, type DockerStage } from "./docker.test-support.ts";

let daemon: DockerDaemon | undefined;
/** One container for all tests that leave it as it was. */
let standing: DockerStage | undefined;

beforeAll(async () => {
  daemon = await startDockerDaemon();
  standing = daemon && openStage(daemon.socketPath);
}, 300_000);

afterAll(async () => {
  await standing?.[Symbol.asyncDispose]();
  await daemon?.[Symbol.asyncDispose]();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A test that needs the daemon; where there is none, that was said loudly. */
function within(name: string, test: (stage: DockerStage) => Promise<void>): void {
  it(name, async (context) => {
    if (!daemon) return context.skip();
    await using stage = openStage(daemon.socketPath);
    await test(stage);
  });
}

/** The same in the one container that stands. */
function inside(name: string, test: (place: SandboxPlace, stage: DockerStage) => Promise<void>): void {
  it(name, async (context) => {
    if (!standing) return context.skip();
    await test(await standing.backend.open(standing.profile()), standing);
  });
}

describe("the container of a scope", () => {
  within("is created and started with the first command, and used again by the next", async ({ backend, profile }) => {
    expect(await backend.list()).toEqual([]);
    const place = await backend.open(profile());
    expect(await run(place, "touch /tmp/mark; echo made")).toMatchObject({ exitCode: 0, text: "made\n" });
    const again = await backend.open(profile());
    expect((await run(again, "ls /tmp")).text).toBe("mark\n");
    expect(await backend.list()).toMatchObject([
      { backend: "docker", scope: "agent:main", isRunning: true, isOutdated: false },
    ]);
    const [{ name = "" } = {}] = await backend.list();
    expect(name).toMatch(/^chela-sbx-agent-main-[0-9a-f]{8}$/);
  });

  within("is one for each scope", async ({ backend, profile }) => {
    await backend.open(profile({ scope: "session:agent:main:telegram:dm:42" }));
    await backend.open(profile({ scope: "session:agent:main:telegram:dm:4:2" }));
    expect(new Set((await backend.list()).map(({ name }) => name)).size).toBe(2);
  });

  within("is made once, though two ask for it at the same time", async ({ backend, profile, logged }) => {
    await Promise.all([backend.open(profile()), backend.open(profile())]);
    expect(logged.filter((line) => line.includes("was set up"))).toHaveLength(1);
  });

  within("is started again when it was stopped", async ({ backend, profile }) => {
    const place = await backend.open(profile({ container: { isRootReadOnly: false } }));
    await run(place, "echo kept > /kept");
    await engineCall("POST", `/containers/${await nameOfOnly(backend)}/kill`);
    expect(await backend.list()).toMatchObject([{ isRunning: false }]);
    expect((await run(place, "cat /kept")).text).toBe("kept\n");
  });

  within("is created again by the next command when somebody removed it", async ({ backend, profile }) => {
    const place = await backend.open(profile());
    await backend.remove(await nameOfOnly(backend));
    expect((await run(place, "echo back")).text).toBe("back\n");
  });

  within("is kept with a warning while it is hot, though its configuration changed", async (stage) => {
    const { backend, profile, clock, logged } = stage;
    await run(await backend.open(profile()), "touch /tmp/mark");
    await clock.advance(5 * MINUTE - 1);
    const place = await backend.open(profile({ limits: { processes: 32 } }));
    expect((await run(place, "ls /tmp")).text).toBe("mark\n");
    expect(logged.filter((line) => line.startsWith("warn: the configuration of a sandbox has changed"))).toHaveLength(
      1,
    );
    expect(await backend.list()).toMatchObject([{ isOutdated: true }]);
  });

  within("is replaced when its configuration changed and it is cold", async ({ backend, profile, clock }) => {
    await run(await backend.open(profile()), "touch /tmp/mark");
    await clock.advance(5 * MINUTE);
    const place = await backend.open(profile({ limits: { processes: 32 } }));
    expect((await run(place, "ls /tmp")).text).toBe("");
    expect(await backend.list()).toMatchObject([{ isOutdated: false }]);
  });

  within(
    "is replaced at once when it is stopped, or reaches more than is allowed now",
    async ({ backend, ...stage }) => {
      await run(await backend.open(stage.profile()), "touch /tmp/mark");
      const [mount] = stage.profile().mounts;
      if (!mount) throw new Error("no mount");
      const place = await backend.open(stage.profile({ mounts: [{ ...mount, isWritable: false }] }));
      expect(await run(place, "ls /tmp; touch here")).toMatchObject({ exitCode: 1, text: /^touch: .*Read-only/ });
      await engineCall("POST", `/containers/${await nameOfOnly(backend)}/kill`);
      await backend.open(stage.profile());
      expect(stage.logged.filter((line) => line.includes("was set up"))).toHaveLength(3);
    },
  );

  within("is hot while a command runs in it, however long", async ({ backend, profile, clock, logged }) => {
    const place = await backend.open(profile());
    const process = await place.start(command("cat", { takesInput: true }));
    await clock.advance(2 * HOUR);
    await backend.open(profile({ limits: { processes: 32 } }));
    expect(logged.join()).toContain("has changed while it is in use");
    process.closeInput();
    expect(await process.exited).toEqual({ exitCode: 0, signal: null });
  });

  within("is found again by another run of the gateway, which still knows when it was used", async (stage) => {
    const { clock, profile, backend, logged } = stage;
    await run(await backend.open(profile()), "touch /tmp/mark");
    await clock.advance(4 * MINUTE);
    const later = stage.again();
    const place = await later.open(profile({ env: { PATH: "/bin", NEW: "1" } }));
    expect((await run(place, "ls /tmp")).text).toBe("mark\n");
    expect(logged.join()).toContain("has changed while it is in use");
  });

  within("is known without the list of when it was used, and that list is private", async (stage) => {
    const { clock, profile, backend, stateDir } = stage;
    await run(await backend.open(profile()), "true");
    const path = join(stateDir, "sandbox", "containers.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      entries: [{ sessionKey: "agent:main", image: "chela-test:busybox", backendId: "docker" }],
    });
    for (const damage of ["remove", "{", '{"entries":[{"x":1}]}']) {
      if (damage === "remove") rmSync(path);
      else writeFileSync(path, damage);
      expect(await stage.again().list()).toMatchObject([{ createdAt: clock.now(), lastUsedAt: clock.now() }]);
    }
  });

  within("that belongs to another gateway is neither used, nor listed, nor removed", async (stage) => {
    const { backend, profile } = stage;
    await backend.open(profile());
    await using other = openStage(daemon?.socketPath ?? "");
    expect(await other.backend.list()).toEqual([]);
    const name = await nameOfOnly(backend);
    await other.backend.remove(name);
    await other.clock.advance(30 * 24 * HOUR);
    expect(await prune(other)).toEqual([]);
    expect(await nameOfOnly(backend)).toBe(name);
  });

  within("is gone when its place is closed", async ({ backend, profile }) => {
    const place = await backend.open(profile());
    await place.close();
    expect(await backend.list()).toEqual([]);
  });
});

describe("the setup command", () => {
  within("runs once, before the first command", async ({ backend, profile, workspace }) => {
    const wanted = profile({ container: { setupCommand: "echo once >> /workspace/setup; echo $0" } });
    const place = await backend.open(wanted);
    await engineCall("POST", `/containers/${await nameOfOnly(backend)}/kill`);
    await run(place, "true");
    await backend.open(wanted);
    expect(readFileSync(join(workspace, "setup"), "utf8")).toBe("once\n");
  });

  within("that fails leaves no container, and says what it said", async ({ backend, profile }) => {
    const setupCommand = "echo no such package; exit 4";
    await expect(backend.open(profile({ container: { setupCommand } }))).rejects.toMatchObject({
      code: "SANDBOX_FAILED",
      detail: "the setupCommand failed with code 4; it said: no such package",
    });
    expect(await backend.list()).toEqual([]);
  });

  within("runs again after a crash in the middle of it", async ({ backend, profile, workspace }) => {
    const wanted = profile({ container: { setupCommand: "echo once >> /workspace/setup" } });
    await backend.open(wanted);
    const name = await nameOfOnly(backend);
    // As a crash leaves it: prepared or not, it has not got its name.
    await engineCall("POST", `/containers/${name}/rename?name=${name}.new`);
    await backend.open(wanted);
    expect(readFileSync(join(workspace, "setup"), "utf8")).toBe("once\nonce\n");
    expect(await nameOfOnly(backend)).toBe(name);
  });
});

describe("a command in a container", () => {
  it.for([
    ["its output and its error output", "echo out; echo err >&2", { exitCode: 0, text: /^(out\nerr|err\nout)\n$/ }],
    ["its exit code", "exit 7", { exitCode: 7, signal: null, text: "" }],
    ["a program that is not there", "no-such-program", { exitCode: 127, text: /not found/ }],
    ["a signal it died of by itself", "kill -9 $$", { exitCode: 137, signal: null }],
    ["the directory it starts in", "pwd", { text: "/workspace\n" }],
    ["quotes and line breaks", `printf '%s\n' "a b"\nprintf '%s' 'ö "$HOME"'`, { text: 'a b\nö "$HOME"' }],
    ["NULs among its text", "printf 'a\\000b\\000'", { text: "a\0b\0" }],
    ["no input", "cat; echo end", { exitCode: 0, text: "end\n" }],
  ] as const)("tells %s", async ([, text, expected], context) => {
    if (!standing) return context.skip();
    const stage = standing;
    const ran = await run(await stage.backend.open(stage.profile()), text);
    for (const [key, value] of Object.entries(expected)) {
      if (value instanceof RegExp) expect(ran.text).toMatch(value);
      else expect(ran[key as keyof typeof ran]).toBe(value);
    }
  });

  inside("has the profile's environment, its own, and nothing of the gateway's", async (place) => {
    const { text } = await run(place, "env", { env: { OWN: "a b=c" } });
    const names = text.split("\n").map((line) => line.split("=")[0]);
    expect(text).toContain("OWN=a b=c\n");
    expect(names.toSorted().filter((name) => name && !["PWD", "SHLVL", "OLDPWD", "_"].includes(name))).toEqual([
      "CHELA_COMMAND",
      "HOME",
      "HOSTNAME",
      "LANG",
      "OWN",
      "PATH",
    ]);
  });

  inside("is told when its directory is not there", async (place) => {
    const ran = await run(place, "pwd", { cwd: "/nowhere" });
    expect(ran).toMatchObject({ exitCode: 126, text: "The directory /nowhere is not there in the sandbox.\n" });
  });

  inside("reads what is written to it, until its input is closed", async (place) => {
    const text = `${"x".repeat(200_000)}\nlast`;
    expect((await run(place, "wc -c; echo done >&2", { input: text })).text).toContain("200005");
    const process = await place.start(command("true", { takesInput: true }));
    await process.exited;
    expect([process.write("late"), process.closeInput()]).toEqual([false, false]);
    const closed = await place.start(command("cat"));
    expect([closed.write("none"), closed.closeInput()]).toEqual([false, false]);
    await closed.exited;
  });

  inside("writes a lot, whole, also when its reader pauses", async (place) => {
    let length = 0;
    let pauses = 0;
    const process: SandboxedProcess = await place.start(
      command("yes 0123456789abcde | head -c 20000000", {
        onText: (text) => {
          length += text.length;
          if (pauses >= 20) return;
          pauses += 1;
          process.pause();
          setImmediate(() => process.resume());
        },
      }),
    );
    expect(await process.exited).toEqual({ exitCode: 0, signal: null });
    await process.closed;
    expect([length, pauses]).toEqual([20_000_000, 20]);
  });

  inside("has ended though something it left behind goes on, whose output is still read", async (place, stage) => {
    let text = "";
    const onText = (piece: string): void => void (text += piece);
    const line = "(until [ -e go ]; do sleep 0.05; done; echo from behind) & echo first";
    const process = await place.start(command(line, { onText }));
    expect(await process.exited).toEqual({ exitCode: 0, signal: null });
    expect(text).toBe("first\n");
    writeFileSync(join(stage.workspace, "go"), "");
    await process.closed;
    expect(text).toBe("first\nfrom behind\n");
  });

  inside("sees what other commands of its scope started", async (place) => {
    const server = "nc -l -p 8080 -e echo hello";
    const process = await place.start(command(`ifconfig lo 127.0.0.1 2>/dev/null; ${server}`));
    const client = "until nc 127.0.0.1 8080 </dev/null 2>/dev/null; do sleep 0.05; done";
    expect((await run(place, client)).text).toBe("hello\n");
    process.signal("SIGKILL");
    await process.exited;
  });
});

describe("a signal", () => {
  inside("reaches grandchildren, those in sessions of their own, and those with another environment", async (place) => {
    const tree = "sleep 1000 & (sleep 1001 & sleep 1002) & setsid sleep 1003 & env -i /bin/sleep 1004 & echo up; wait";
    const { process } = await startUntil(place, tree, "up");
    await expect.poll(async () => (await run(place, "ps -o args | grep -Ec '^(/bin/)?sleep 10'")).text).toBe("5\n");
    process.signal("SIGKILL");
    expect(await process.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
    await process.closed;
    expect((await run(place, "ps -o args | grep -Ec '^(/bin/)?sleep 10'")).text).toBe("0\n");
  });

  inside("that can be handled is handled, and what is said then is read", async (place) => {
    const polite = "trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.05; done";
    const { process, text } = await startUntil(place, polite, "up");
    process.signal("SIGTERM");
    expect(await process.exited).toEqual({ exitCode: 5, signal: null });
    expect(text()).toContain("bye\n");
  });

  it.for(["SIGTERM", "SIGINT"] as const)("%s ends what does not handle it", async (signal, context) => {
    if (!standing) return context.skip();
    const stage = standing;
    const place = await stage.backend.open(stage.profile());
    const { process } = await startUntil(place, "echo up; exec sleep 1000", "up");
    process.signal(signal);
    expect(await process.exited).toEqual({ exitCode: null, signal });
  });

  inside("leaves other commands alone", async (place) => {
    const one = await startUntil(place, "echo up; sleep 1000", "up");
    const other = await startUntil(place, "echo up; cat", "up", true);
    one.process.signal("SIGKILL");
    await one.process.exited;
    other.process.write("still here");
    other.process.closeInput();
    expect(await other.process.exited).toEqual({ exitCode: 0, signal: null });
    expect(other.text()).toBe("up\nstill here");
  });

  within("ends a fork bomb, with the whole container where nothing else helps", async ({ backend, profile }) => {
    const place = await backend.open(profile({ limits: { processes: 48 } }));
    const { process } = await startUntil(place, "echo up; f() { f | f & f; }; f; wait", "up");
    process.signal("SIGKILL");
    await process.exited;
    // The kernel takes a moment to count those that are ended no more.
    await expect.poll(async () => (await run(place, "true")).exitCode).toBe(0);
  });

  within("comes to all commands when the gateway stops", async ({ backend, profile, ...stage }) => {
    const place = await backend.open(profile());
    const { process } = await startUntil(place, "echo up; sleep 1000", "up");
    await backend.close();
    expect(await process.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
    const later = await stage.again().open(profile());
    expect((await run(later, "ps -o args | grep -Ec '^(/bin/)?sleep 10'")).text).toBe("0\n");
  });
});

describe("from inside", () => {
  it.for([
    ["the root cannot be written", "touch /here", /Read-only file system/],
    ["there is no network but its own", "grep -c ':' /proc/net/dev; nc -w 1 1.1.1.1 80 2>&1", /^1\n.*unreachable/],
    ["there are no capabilities", "grep -E 'Cap(Eff|Prm|Bnd)' /proc/self/status | grep -vc 0000000000000000", /^0\n$/],
    ["no privileges can be gained", "grep NoNewPrivs /proc/self/status", /NoNewPrivs:\t1/],
    ["there is a system call filter", "grep Seccomp: /proc/self/status", /Seccomp:\t2/],
    ["memory has a limit", "head -c 200000000 /dev/zero | tail | wc -c; true", /Killed|killed|out of memory|^0\n/],
    ["files have a limit", "dd if=/dev/zero of=/workspace/big bs=1M count=64 2>&1; wc -c < /workspace/big", /33554432/],
    ["open files have a limit", "ulimit -n", /^256\n$/],
    ["processor time has a limit", "ulimit -t", /^60\n$/],
    ["the first process is an init, and nobody else's are seen", "ls -d /proc/[0-9]* | wc -l", /^1?\d\n$/],
    ["temporary files are no programs", "cp /bin/busybox /tmp/b && /tmp/b true", /Permission denied/],
  ] as const)("%s", async ([, text, says], context) => {
    if (!standing) return context.skip();
    const stage = standing;
    expect((await run(await stage.backend.open(stage.profile()), text)).text).toMatch(says);
  });

  within("a user who is nobody can write what is theirs only", async ({ backend, profile, workspace }) => {
    chmodSync(workspace, 0o755);
    const place = await backend.open(profile({ container: { user: "65534:65534" } }));
    expect(await run(place, "id -u; touch /workspace/x")).toMatchObject({ exitCode: 1, text: /^65534\n.*denied/s });
    const { process } = await startUntil(place, "echo up; sleep 1000 & wait", "up");
    process.signal("SIGKILL");
    expect(await process.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
    expect(existsSync(join(workspace, "x"))).toBe(false);
  });
});

/** As the room does it. */
async function prune({ backend, clock }: DockerStage, limits = { idleHours: 24, maxAgeDays: 7 }): Promise<string[]> {
  const idle = pickIdle(await backend.list(), clock.now(), limits);
  for (const { name } of idle) await backend.remove(name);
  return idle.map(({ name }) => name);
}

describe("containers nobody needs", () => {
  within("are taken down when idle for a day or a week old, but not while a command runs", async (stage) => {
    const { backend, profile, clock } = stage;
    await backend.open(profile({ scope: "agent:idle" }));
    const used = await backend.open(profile({ scope: "agent:used" }));
    const busy = await backend.open(profile({ scope: "agent:busy" }));
    const { process } = await startUntil(busy, "echo up; cat", "up", true);
    await clock.advance(23 * HOUR);
    await run(used, "true");
    expect(await prune(stage)).toEqual([]);
    await clock.advance(2 * HOUR);
    expect(await prune(stage)).toEqual([expect.stringContaining("agent-idle")]);
    await clock.advance(6 * 24 * HOUR);
    await run(used, "true");
    expect(await prune(stage, { maxAgeDays: 0, idleHours: 0 })).toEqual([]);
    process.closeInput();
    await process.exited;
    await clock.advance(10 * 60_000);
    expect(await prune(stage)).toHaveLength(2);
    expect(await backend.list()).toEqual([]);
  });
});

describe("the image", () => {
  within(
    "is built by a command, from the Dockerfile that comes along or another",
    async ({ backend, profile, stateDir, socketPath }) => {
      const env = { DOCKER_HOST: `unix://${socketPath}`, PATH: process.env["PATH"] ?? "" };
      const build = (flags: string) => runCommand({ stateDir, env }, `sandbox image build ${flags}`);
      const { text } = await build("--print");
      expect(text).toMatch(/^# The sandbox of Chela[^]*\nFROM debian:bookworm-slim\n/);
      const file = join(stateDir, "Dockerfile");
      writeFileSync(file, 'FROM chela-test:busybox\nENV MADE=here\nCMD ["sleep", "1"]\n');
      const made = await build(`--backend docker --tag chela-test:made --file ${file}`);
      expect(made).toMatchObject({ code: 0, text: expect.stringContaining("chela-test:made is there.") });
      const place = await backend.open(profile({ container: { image: "chela-test:made" } }));
      expect((await run(place, "echo $MADE")).text).toBe("here\n");
      writeFileSync(file, "FROM nobody/none:1\n");
      expect(await build(`--backend docker --tag chela-test:none --file ${file}`)).toMatchObject({ code: 1 });
    },
  );
});

describe("what is refused", () => {
  it.for([
    ["the machine's network in another case", { network: { kind: "named", name: "HOST" } }, /not allowed/],
    ["another container's network", { network: { kind: "named", name: "container:abc" } }, /not allowed/],
    ["a network that is not there", { network: { kind: "named", name: "nowhere" } }, /docker network create nowhere/],
    ["a list of hosts", { network: { kind: "hosts", hosts: ["a.example"] } }, /works in the bubblewrap sandbox only/],
    [
      "an image that is not there",
      { container: { image: "nobody/none:1" } },
      /chela sandbox image build.*docker pull nobody\/none:1/,
    ],
    ["no filter at all", { container: { seccompProfile: "unconfined" } }, /not the path of a file/],
    ["no AppArmor at all", { container: { apparmorProfile: "unconfined" } }, /not allowed/],
    ["a name no container can have", { container: { namePrefix: "../x" } }, /cannot begin a container's name/],
  ] as const)("%s", async ([, changes, says], context) => {
    if (!daemon) return context.skip();
    await using stage = openStage(daemon.socketPath);
    const opening = stage.backend.open(stage.profile(changes));
    await expect(opening).rejects.toMatchObject({ code: "SANDBOX_FAILED", detail: expect.stringMatching(says) });
    expect(await stage.backend.list()).toEqual([]);
  });

  within(
    "nothing of what was written out: the machine's network, a system that can be changed",
    async ({ backend, profile }) => {
      const place = await backend.open(
        profile({ network: { kind: "named", name: "host" }, container: { isRootReadOnly: false } }),
      );
      const { text } = await run(place, "ls /sys/class/net | wc -l; touch /made && echo made");
      expect(text).toMatch(/^\d+\nmade\n$/);
      const [standing] = await backend.list();
      const found = (await engineCall("GET", `/containers/${standing?.name}/json`)) as {
        HostConfig: { NetworkMode: string; ReadonlyRootfs: boolean };
      };
      expect(found.HostConfig).toMatchObject({ NetworkMode: "host", ReadonlyRootfs: false });
    },
  );

  within("the machine's network by its number", async ({ backend, profile }) => {
    const found = (await engineCall("GET", "/networks/host")) as { Id: string };
    const opening = backend.open(profile({ network: { kind: "named", name: found.Id } }));
    await expect(opening).rejects.toThrow(/this machine's own; if that is meant, write "host"/);
  });

  within("a seccomp profile that is wrong, while a right one is used", async ({ backend, profile, stateDir }) => {
    const path = join(stateDir, "filter.json");
    writeFileSync(path, "not json");
    await expect(backend.open(profile({ container: { seccompProfile: path } }))).rejects.toThrow(/no JSON/);
    const denied = [{ names: ["mkdir", "mkdirat"], action: "SCMP_ACT_ERRNO" }];
    writeFileSync(path, JSON.stringify({ defaultAction: "SCMP_ACT_ALLOW", syscalls: denied }));
    const place = await backend.open(profile({ container: { seccompProfile: path } }));
    expect(await run(place, "mkdir /tmp/x")).toMatchObject({ exitCode: 1 });
  });
});

describe("the check", () => {
  within("tells the version, and whether the image is there", async ({ backend }) => {
    expect(await backend.check()).toMatchObject({ kind: "ready", version: expect.stringMatching(/^\d+\./) });
    await using other = openStage(daemon?.socketPath ?? "", "nobody/none:1");
    expect(await other.backend.check()).toMatchObject({
      notes: [expect.any(String), expect.stringContaining("docker pull nobody/none:1")],
    });
  });
});

function command(text: string, changes: Partial<SandboxCommand> = {}): SandboxCommand {
  return { command: text, cwd: "/workspace", env: {}, takesInput: false, onText: () => {}, ...changes };
}

/** Starts a command and waits until it has said a word. */
async function startUntil(
  place: SandboxPlace,
  line: string,
  word: string,
  takesInput = false,
): Promise<{ process: SandboxedProcess; text(): string }> {
  let text = "";
  const said = Promise.withResolvers<void>();
  const onText = (piece: string): void => {
    text += piece;
    if (text.includes(word)) said.resolve();
  };
  const process = await place.start(command(line, { onText, takesInput }));
  await said.promise;
  return { process, text: () => text };
}

async function nameOfOnly(backend: DockerStage["backend"]): Promise<string> {
  const [only, ...others] = await backend.list();
  if (!only || others.length > 0) throw new Error("there should be one container");
  return only.name;
}

/** As somebody beside the gateway would speak with the daemon. */
async function engineCall(method: string, path: string): Promise<unknown> {
  const { request } = await import("node:http");
  return await new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: daemon?.socketPath, method, path, agent: false }, (incoming) => {
      let text = "";
      incoming.on("data", (piece) => (text += String(piece)));
      incoming.once("end", () => resolve(text ? JSON.parse(text) : undefined));
    });
    outgoing.once("error", reject);
    outgoing.end();
  });
}
