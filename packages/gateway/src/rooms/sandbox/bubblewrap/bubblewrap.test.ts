// Commands in real sandboxes: output, input, ends, limits, and whoever is inside and means harm.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Logger, SandboxBackend, SandboxPlace } from "@chela/sdk";
import { ensureDebianPackage, warnNotTested } from "../../../../test/support/stages/debian-package.ts";
import { openSmallInternet, type SmallInternet } from "../../../base/http/safe-fetch.test-support.ts";
import { createFilteringProxy } from "../proxy/filtering-proxy.ts";
import { tryEscapes } from "../self-test.ts";
import { findInnerProcesses } from "./processes/inner-processes.ts";
import { findLandlock, type Landlock } from "./landlock.ts";
import { realClock, realIds, run, testBackend, testProfile } from "./bubblewrap.test-support.ts";

const isInstalled = process.platform === "linux" && ensureDebianPackage("bubblewrap", "bwrap");
const check = isInstalled ? await checkOnce() : undefined;
const isReady = check?.kind === "ready";
if (!isReady) warnNotTested("sandboxes by bubblewrap", check ? `${check.why} ${check.fix}` : "it is not installed");

const landlock = isReady ? await findLandlock() : undefined;
const hasLandlock = landlock?.kind === "used";
if (isReady && landlock?.kind === "unused") warnNotTested("the second wall of sandboxes", landlock.why);
const noLandlock = async (): Promise<Landlock> => ({ kind: "unused", why: "Landlock is not wanted here." });

async function checkOnce() {
  const backend = testBackend();
  try {
    return await backend.check();
  } finally {
    await backend.close();
  }
}

let workspace: string;
/** Where the backend has its own. */
let folder: string;
let backend: SandboxBackend;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chela-folders-"));
  backend = testBackend({ environment: { folder } });
});
afterAll(async () => {
  await backend.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "chela-bubblewrap-"));
});
afterEach(async () => {
  for (const { name } of await backend.list()) await backend.remove(name);
  rmSync(workspace, { recursive: true, force: true });
});

const open = (): Promise<SandboxPlace> => backend.open(testProfile(workspace));

describe.skipIf(!isReady)("a command in a sandbox", () => {
  it.each<[string, string, { exitCode: number; text: string }]>([
    ["says what it prints", "echo out; echo err >&2", { exitCode: 0, text: "out\nerr\n" }],
    ["ends with its code", "exit 7", { exitCode: 7, text: "" }],
    ["begins in its folder", "pwd", { exitCode: 0, text: "/workspace\n" }],
    ["has the environment of the profile", "echo $FROM_PROFILE $HOME", { exitCode: 0, text: "yes /workspace\n" }],
    ["sees no file of the gateway", "cat /root/* /home/* /mnt/* 2>/dev/null; echo", { exitCode: 0, text: "\n" }],
    ["is nobody", "id -un; hostname 2>/dev/null || cat /etc/hostname", { exitCode: 0, text: "nobody\nsandbox\n" }],
    ["has nothing to read unless it asks for it", "cat; echo end", { exitCode: 0, text: "end\n" }],
    ["is handed over as it was written", "printf '%s' \"a'b\\\"c\\n$((1+1))\"", { exitCode: 0, text: "a'b\"c\\n2" }],
    ["may have many lines", "cat <<END\none\ntwo\nEND\n", { exitCode: 0, text: "one\ntwo\n" }],
    [
      "has a shell with a number of its own",
      '[ "$$" = "$(sh -c \'echo $PPID\')" ] && echo own',
      { exitCode: 0, text: "own\n" },
    ],
    ["ends itself and nobody else", "kill 0", { exitCode: 143, text: "" }],
  ])("%s", async (_, command, wanted) => {
    expect(await run(await open(), command)).toEqual({ signal: null, ...wanted });
  });

  it("gets variables of its own, whatever is in them", async () => {
    const value = 'a\'b "c" $(id) `id`\n\\x';
    const ran = await run(await open(), 'printf %s "$ODD"', { ODD: value });
    expect(ran.text).toBe(value);
    await expect(run(await open(), "true", { "A;id": "x" })).rejects.toMatchObject({ code: "SANDBOX_FAILED" });
  });

  it("may be longer than an argument can be", async () => {
    const long = `: ${"x".repeat(300_000)}\necho done`;
    expect(await run(await open(), long)).toMatchObject({ exitCode: 0, text: "done\n" });
  });

  it("says so when its folder does not exist", async () => {
    let text = "";
    const place = await open();
    const running = await place.start({
      command: "true",
      cwd: "/nowhere",
      env: {},
      takesInput: false,
      onText: (more) => (text += more),
    });
    expect(await running.exited).toEqual({ exitCode: 1, signal: null });
    await running.closed;
    expect(text).toContain("/nowhere");
  });

  it("takes input until it is closed", async () => {
    let text = "";
    const place = await open();
    const running = await place.start({
      command: "cat; echo over",
      cwd: "/workspace",
      env: {},
      takesInput: true,
      onText: (more) => (text += more),
    });
    expect(running.write("first\n")).toBe(true);
    await expect.poll(() => text).toBe("first\n");
    expect(running.write(Buffer.from("second\n"))).toBe(true);
    expect(running.closeInput()).toBe(true);
    expect(running.write("third\n")).toBe(false);
    expect(await running.exited).toEqual({ exitCode: 0, signal: null });
    await running.closed;
    expect(text).toBe("first\nsecond\nover\n");
  });

  it("may stop to read without harm to who writes", async () => {
    const running = await (
      await open()
    ).start({
      command: "exec <&-; sleep 0.05; exit 3",
      cwd: "/workspace",
      env: {},
      takesInput: true,
      onText: () => {},
    });
    for (let left = 20; left > 0; left -= 1) running.write("x".repeat(100_000));
    expect(await running.exited).toEqual({ exitCode: 3, signal: null });
    expect(running.write("y")).toBe(false);
  });

  it("keeps characters whole, and survives bytes that are none", async () => {
    const place = await open();
    const many = await run(place, "i=0; while [ $i -lt 3000 ]; do printf 'ä€𝄞'; i=$((i+1)); done");
    expect(many.text).toBe("ä€𝄞".repeat(3000));
    const binary = await run(place, "head -c 100000 /dev/urandom; printf '\\377end'");
    expect(binary.text.endsWith("end")).toBe(true);
  });

  it("waits when nobody takes its output, and loses none of it", async () => {
    const total = 50_000_000;
    let seen = 0;
    const place = await open();
    const running = await place.start({
      command: `head -c ${total} /dev/zero; echo done >finished`,
      cwd: "/workspace",
      env: {},
      takesInput: false,
      onText(text) {
        seen += text.length;
        if (seen < 5_000_000 || isHeld) return;
        isHeld = true;
        running.pause();
        heldAt.resolve();
      },
    });
    let isHeld = false;
    const heldAt = Promise.withResolvers<void>();
    await heldAt.promise;
    await run(place, "true");
    expect(seen).toBeLessThan(20_000_000);
    expect(existsSync(join(workspace, "finished"))).toBe(false);
    running.resume();
    expect(await running.exited).toEqual({ exitCode: 0, signal: null });
    await running.closed;
    expect(seen).toBe(total);
  });

  it("runs beside others, and each gets its own output", async () => {
    const place = await open();
    const ran = await Promise.all(
      Array.from({ length: 20 }, (_, at) => run(place, `sleep 0.0${at % 5}; echo ${at}; exit ${at}`)),
    );
    expect(ran.map(({ text, exitCode }) => [text, exitCode])).toEqual(ran.map((_, at) => [`${at}\n`, at]));
  });
});

describe.skipIf(!isReady)("the sandbox of a scope", () => {
  it("keeps what a command left running, its files and its network, for the next one", async () => {
    const place = await open();
    const server = `use IO::Socket::INET; my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:7777") or die; open(F, ">/tmp/up"); close F; while (my $c = $s->accept) { print $c "hello\\n"; close $c }`;
    const first = await place.start({
      command: `perl -e '${server}' & echo started`,
      cwd: "/workspace",
      env: {},
      takesInput: false,
      onText: () => {},
    });
    expect(await first.exited).toEqual({ exitCode: 0, signal: null });
    const client = `use IO::Socket::INET; my $s = IO::Socket::INET->new("127.0.0.1:7777") or die; print <$s>`;
    const second = await run(place, `until [ -e /tmp/up ]; do sleep 0.01; done; perl -e '${client}'`);
    expect(second.text).toBe("hello\n");
    // Its output stays open as long as it runs, and ends when it is ended.
    first.signal("SIGKILL");
    await first.closed;
    expect((await run(place, `perl -e '${client}' 2>&1 || echo gone`)).text).toContain("gone");
  });

  it("is another one for another scope: neither files nor processes are shared", async () => {
    const one = await open();
    const other = await backend.open(testProfile(workspace, { scope: "session:other" }));
    await run(one, "echo secret >/tmp/mine; sleep 5 >/dev/null 2>&1 &");
    expect((await run(other, "cat /tmp/mine /proc/[0-9]*/comm")).text).not.toMatch(/secret|sleep/);
  });

  it("is the same while the profile is, and set up anew when it changed", async () => {
    const place = await open();
    await run(place, "echo kept >/tmp/note");
    expect(await open()).toBe(place);
    const narrow = await backend.open(
      testProfile(workspace, { mounts: [{ outside: workspace, inside: "/workspace", isWritable: false }] }),
    );
    expect(narrow).not.toBe(place);
    expect((await run(narrow, "cat /tmp/note; touch /workspace/x")).text).toMatch(/No such file[^]*Read-only/);
    expect((await backend.list()).length).toBe(1);
  });

  it("is listed, and stands again after it was removed", async () => {
    const place = await open();
    expect(await backend.list()).toMatchObject([
      { backend: "bubblewrap", scope: "session:test", isRunning: true, isOutdated: false },
    ]);
    await backend.remove("session:test");
    expect(await backend.list()).toEqual([]);
    expect((await run(place, "echo again")).text).toBe("again\n");
    expect((await backend.list()).length).toBe(1);
  });

  it("is one of its own for each of many that are opened at once", async () => {
    await open();
    // One launch is ready by then, and nobody shares it.
    await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith("chela-sandbox-")).length).toBe(2);
    const scopes = ["a", "b", "c"].map((name) => `session:${name}`);
    const places = await Promise.all(scopes.map((scope) => backend.open(testProfile(workspace, { scope }))));
    await Promise.all(places.map((place, at) => run(place, `echo ${at} >>/tmp/who`)));
    const seen = await Promise.all(places.map((place) => run(place, "cat /tmp/who")));
    expect(seen.map(({ text }) => text)).toEqual(["0\n", "1\n", "2\n"]);
  });

  it("stays what it is when a gateway of another container shares its folder, and goes with the next one of its own", async () => {
    const place = await open();
    await run(place, "echo kept >/tmp/note");
    const before = readdirSync(folder).toSorted();
    const tidy = `import { removeLeftOvers } from ${JSON.stringify(new URL("./private-folders.ts", import.meta.url).href)}; removeLeftOvers(${JSON.stringify(folder)});`;
    const node = [process.execPath, "--conditions=chela-source", "--input-type=module", "-e", tidy];
    const namespaces = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
    const other = spawnSync("unshare", [...namespaces, ...node], { encoding: "utf8" });
    expect(other).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
    expect((await run(place, "cat /tmp/note")).text).toBe("kept\n");
    // Here their processes can be asked for.
    const [name = ""] = before;
    const dead = [name.replace(/-\d+-/, `-${2 ** 22 + 1}-`), name.replace(/-b[0-9a-f]+n/, "-b000000000000n")];
    for (const one of dead) mkdirSync(join(folder, one));
    spawnSync(node[0] ?? "", node.slice(1));
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
    expect(readdirSync(folder).filter((one) => dead.includes(one))).toEqual([]);
  });

  it.each([
    ["all folders", "chela-"],
    ["the view of the system", "chela-system-"],
    ["its own folder", "chela-sandbox-"],
  ])("is set up anew when somebody removed %s, and whoever runs in it is told", async (_, prefix) => {
    const place = await open();
    let text = "";
    const running = await place.start({
      command: "echo up; sleep 100",
      cwd: "/workspace",
      env: {},
      takesInput: false,
      onText: (more) => (text += more),
    });
    await expect.poll(() => text).toBe("up\n");
    for (const name of readdirSync(folder)) {
      if (name.startsWith(prefix)) rmSync(join(folder, name), { recursive: true, force: true });
    }
    expect(await run(await open(), "cat /etc/hostname")).toMatchObject({ exitCode: 0, text: "sandbox\n" });
    await running.exited;
    expect(text).toContain("its folder was removed by somebody");
    const terminal = place.terminal?.({ command: "cat /etc/hostname", cwd: "/workspace", env: {} });
    expect(spawnSync(terminal?.file ?? "", terminal?.args, { encoding: "utf8", env: {} }).stdout).toBe("sandbox\n");
    expect(await backend.check()).toMatchObject({ kind: "ready" });
  });

  it("is refused while its folders cannot be made, and stands as soon as they can", async () => {
    const own = mkdtempSync(join(tmpdir(), "chela-folders-"));
    const other = testBackend({ environment: { folder: own } });
    const place = await other.open(testProfile(workspace));
    await run(place, "true");
    rmSync(own, { recursive: true });
    await expect(run(place, "true")).rejects.toMatchObject({
      code: "SANDBOX_FAILED",
      detail: expect.stringContaining(`Nothing can be made in ${own} (ENOENT)`),
    });
    expect(await other.check()).toMatchObject({ kind: "unusable", why: expect.stringContaining(own) });
    mkdirSync(own);
    expect((await run(place, "echo again")).text).toBe("again\n");
    await other.close();
    rmSync(own, { recursive: true });
  });

  it.skipIf(process.getuid?.() !== 0)("is refused while /proc is covered, and nothing breaks by it", () => {
    // In a process of its own, whose mounts nobody else sees.
    const program = `
      import { spawnSync } from "node:child_process";
      import { run, testBackend, testProfile } from ${JSON.stringify(new URL("./bubblewrap.test-support.ts", import.meta.url).href)};
      import { signalTree } from ${JSON.stringify(new URL("../../../base/process-tree.ts", import.meta.url).href)};
      import { findInnerProcesses } from ${JSON.stringify(new URL("./processes/inner-processes.ts", import.meta.url).href)};
      const told = (work) => work.then(({ text }) => text.trim(), ({ code, detail }) => code + ": " + detail);
      const backend = testBackend({ environment: { folder: ${JSON.stringify(folder)}, mayUseControlGroups: false } });
      const place = await backend.open(testProfile(${JSON.stringify(workspace)}));
      console.log(await told(run(place, "echo before")));
      spawnSync("mount", ["-t", "tmpfs", "none", "/proc"]);
      console.log(await told(run(place, "echo meanwhile")));
      const check = await backend.check();
      console.log(check.why, check.mayPass);
      signalTree([2 ** 22 + 1], "SIGTERM");
      findInnerProcesses(process.pid);
      spawnSync("umount", ["/proc"]);
      console.log(await told(run(place, "echo after")));
      await backend.close();
    `;
    const node = [process.execPath, "--conditions=chela-source", "--input-type=module", "-e", program];
    const { stdout, stderr } = spawnSync("unshare", ["--mount", ...node], { encoding: "utf8" });
    const why = "The folder /proc is missing or empty, so nobody could say what runs in a sandbox.";
    expect({ stdout: stdout.split("\n"), stderr }).toEqual({
      stdout: [
        "before",
        `SANDBOX_FAILED: ${why} Mount it again: \`mount -t proc proc /proc\`.`,
        `${why} true`,
        "after",
        "",
      ],
      stderr: "",
    });
  });

  it("that cannot be tried for want of descriptors may pass, and does", () => {
    const program = `
      import { closeSync, openSync } from "node:fs";
      import { testBackend } from ${JSON.stringify(new URL("./bubblewrap.test-support.ts", import.meta.url).href)};
      const backend = testBackend({ environment: { folder: ${JSON.stringify(folder)} } });
      const all = [];
      for (const left of [0, 3, 8, 20]) {
        try {
          for (;;) all.push(openSync("/dev/null"));
        } catch {}
        for (let at = 0; at < left; at++) closeSync(all.pop());
        const { kind, mayPass } = await backend.check();
        console.log(kind === "ready" || mayPass);
      }
      all.forEach((fd) => closeSync(fd));
      console.log((await backend.check()).kind);
      await backend.close();
    `;
    const node = [process.execPath, "--conditions=chela-source", "--input-type=module", "-e", program];
    const { stdout, stderr } = spawnSync("prlimit", ["--nofile=128:128", ...node], { encoding: "utf8" });
    expect({ stdout: stdout.split("\n"), stderr }).toEqual({
      stdout: ["true", "true", "true", "true", "ready", ""],
      stderr: "",
    });
  });

  it.skipIf(process.getuid?.() !== 0)("says so when its folder is full, and goes on when there is room", () => {
    const program = `
      import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
      import { spawnSync } from "node:child_process";
      import { run, testBackend, testProfile } from ${JSON.stringify(new URL("./bubblewrap.test-support.ts", import.meta.url).href)};
      const told = (work) => work.then(({ text }) => text.trim(), ({ code, detail }) => code + ": " + detail);
      spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=1777", "none", ${JSON.stringify(folder)}]);
      const backend = testBackend({ environment: { folder: ${JSON.stringify(folder)} } });
      const place = await backend.open(testProfile(${JSON.stringify(workspace)}));
      console.log(await told(run(place, "echo before")));
      const filler = ${JSON.stringify(join(folder, "filler"))};
      const { bavail, bsize } = statfsSync(${JSON.stringify(folder)});
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
      console.log(await told(run(place, "echo meanwhile " + "x".repeat(5000))));
      rmSync(filler);
      console.log(await told(run(place, "echo after")));
      await backend.close();
    `;
    const node = [process.execPath, "--conditions=chela-source", "--input-type=module", "-e", program];
    const { stdout, stderr } = spawnSync("unshare", ["--mount", ...node], { encoding: "utf8" });
    expect({ stdout: stdout.split("\n"), stderr }).toEqual({
      stdout: ["before", `SANDBOX_FAILED: nothing can be written in ${folder} (ENOSPC).`, "after", ""],
      stderr: "",
    });
  });

  it("leaves nothing on the machine when it is closed", async () => {
    const own = mkdtempSync(join(tmpdir(), "chela-folders-"));
    const other = testBackend({ environment: { folder: own } });
    const place = await other.open(testProfile(workspace));
    await run(place, "sleep 100 >/dev/null 2>&1 & true");
    expect(readdirSync(own).length).toBeGreaterThan(1);
    const before = findInnerProcesses(process.pid).length;
    await other.close();
    expect(readdirSync(own)).toEqual([]);
    expect(findInnerProcesses(process.pid).length).toBeLessThan(before);
    await expect(run(place, "true")).rejects.toMatchObject({ code: "SANDBOX_FAILED" });
    rmSync(own, { recursive: true });
  });
});

describe.skipIf(!isReady)("ending a command", () => {
  it("reaches what it started, also what hid in a session of its own", async () => {
    const place = await open();
    let text = "";
    const running = await place.start({
      command: "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo up; sleep 100' & sleep 100 & echo up; wait; sleep 100",
      cwd: "/workspace",
      env: {},
      takesInput: false,
      onText: (more) => (text += more),
    });
    await expect.poll(() => text).toBe("up\nup\n");
    expect(running.pid).toBeGreaterThan(1);
    running.signal("SIGKILL");
    expect(await running.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
    await running.closed;
    expect((await run(place, "cat /proc/[0-9]*/cmdline | tr '\\000' ' '")).text).not.toContain("sleep 100");
  });

  it.each(["SIGTERM", "SIGINT"] as const)("by %s is told by that name", async (signal) => {
    const place = await open();
    let text = "";
    const running = await place.start({
      command: "echo up; exec sleep 100",
      cwd: "/workspace",
      env: {},
      takesInput: false,
      onText: (more) => (text += more),
    });
    await expect.poll(() => text).toBe("up\n");
    running.signal(signal);
    expect(await running.exited).toEqual({ exitCode: null, signal });
  });

  it("can let go of output that something keeps open", async () => {
    const running = await (
      await open()
    ).start({
      command: "sleep 100 & echo left",
      cwd: "/workspace",
      env: {},
      takesInput: false,
      onText: () => {},
    });
    await running.exited;
    running.abandon();
    await running.closed;
  });

  it("does not touch processes outside, whatever the inside pretends to be", async () => {
    const place = await open();
    const bystander = spawnSync("sh", ["-c", "CHELA_COMMAND=c1 sleep 30 >/dev/null 2>&1 & echo $!"], {
      encoding: "utf8",
    });
    const pid = Number(bystander.stdout);
    const running = await place.start({
      command: "sleep 100",
      cwd: "/workspace",
      env: {},
      takesInput: false,
      onText: () => {},
    });
    running.signal("SIGKILL");
    await running.exited;
    expect(() => process.kill(pid, 0)).not.toThrow();
    process.kill(pid, "SIGKILL");
  });
});

it.skipIf(!isReady)("taken down while it is being set up, a sandbox leaves nobody behind", async () => {
  for (let wait = 0; wait < 24; wait += 1) {
    const place = await backend.open(testProfile(workspace, { scope: `session:early-${wait}` }));
    for (let look = 0; look < wait; look += 1) await readFile("/proc/self/stat");
    await place.close();
  }
  const isOurs = (text: string): boolean =>
    text.startsWith("bwrap") && /chela-sandbox-\w+-(\d+)-/.exec(text)?.[1] === String(process.pid);
  expect(readdirSync("/proc").filter((pid) => isOurs(describeProcess(pid)))).toEqual([]);
});

/** Its name, and the control groups it is in. */
function describeProcess(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8") + readFileSync(`/proc/${pid}/cgroup`, "utf8");
  } catch {
    return "";
  }
}

describe.skipIf(!isReady)("whoever means harm inside", () => {
  it("ends the warden: commands are told so, and the next one finds a new sandbox", async () => {
    const place = await open();
    const ran = await run(place, "echo before; kill -9 -1; sleep 100");
    expect(ran).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(ran.text).toContain("before");
    expect(ran.text).toContain("[The sandbox was ended");
    expect((await run(place, "echo after")).text).toBe("after\n");
  });

  it("cannot replace the pipes, the scripts or the warden's text", async () => {
    const place = await open();
    const tries = ["rm -f", "touch", "chmod 777", "ln -sfn /etc/passwd"].map(
      (how) => `for f in /run/chela/* /run/chela/pipes/*; do ${how} $f 2>/dev/null && echo DONE; done`,
    );
    expect(
      (
        await run(
          place,
          [...tries, "mv /run/chela /run/x && echo DONE", "touch /run/chela/new && echo DONE"].join("; "),
        )
      ).text,
    ).not.toContain("DONE");
    expect((await run(place, "echo fine")).text).toBe("fine\n");
  });

  it("writes into pipes of others and reads from them: only its own sandbox is confused", async () => {
    const place = await open();
    await run(
      place,
      "for p in /run/chela/pipes/p*.out; do (echo noise >$p) 2>/dev/null & (head -c 1 $p >/dev/null 2>&1) & done; sleep 0.05; kill %1 %2 2>/dev/null; true",
    );
    const other = await backend.open(testProfile(workspace, { scope: "session:other" }));
    expect(await run(other, "echo calm")).toMatchObject({ exitCode: 0, text: "calm\n" });
  });

  it("stops the warden: the next command is started in a new sandbox", async () => {
    const clock = { ...realClock, after: (ms: number, task: () => void) => realClock.after(Math.min(ms, 300), task) };
    const own = testBackend({ clock });
    const place = await own.open(testProfile(workspace));
    await run(place, "kill -STOP 2; true");
    // The first of these may already have had its processes.
    for (const text of ["again\n", "once more\n"]) {
      expect(await run(place, `printf '${text}'`)).toMatchObject({ exitCode: 0, text });
    }
    await own.close();
  });

  it("plants a link in the workspace, which leads nowhere inside", async () => {
    const secret = join(mkdtempSync(join(tmpdir(), "chela-secret-")), "file");
    writeFileSync(secret, "treasure");
    symlinkSync(secret, join(workspace, "link"));
    expect((await run(await open(), "cat link")).text).not.toContain("treasure");
    rmSync(join(secret, ".."), { recursive: true });
  });

  it("has startup files in its home, which the warden does not read", async () => {
    for (const name of [".bashrc", ".profile", ".bash_profile"])
      writeFileSync(join(workspace, name), "echo READ; exit 9");
    expect(await run(await open(), "echo fine")).toMatchObject({ exitCode: 0, text: "fine\n" });
  });
});

describe.skipIf(!isReady)("every known way out", () => {
  it.each([true, false])("is closed (control groups and Landlock: %s)", async (hasHelp) => {
    const own = testBackend({
      environment: { mayUseControlGroups: hasHelp, ...(hasHelp ? {} : { findLandlock: noLandlock }) },
    });
    const { env, container } = testProfile(workspace);
    const outcomes = await tryEscapes({ clock: realClock, ids: realIds, backend: own, profile: { env, container } });
    await own.close();
    expect(outcomes.length).toBeGreaterThanOrEqual(45);
    expect(outcomes.filter(({ result }) => result !== "held")).toEqual([]);
  });
});

describe.skipIf(!hasLandlock)("the second wall", () => {
  // What bubblewrap lets be written and the rules do not: a process may change what is written about itself.
  const RENAME = "(echo other >/proc/self/comm) 2>&1 && echo renamed";

  it("refuses what the first lets through", async () => {
    const alone = testBackend({ environment: { findLandlock: noLandlock } });
    expect((await run(await alone.open(testProfile(workspace)), RENAME)).text).toBe("renamed\n");
    expect(await alone.check()).toMatchObject({ notes: expect.arrayContaining(["Landlock is not wanted here."]) });
    await alone.close();
    expect((await run(await open(), RENAME)).text).toMatch(/Permission denied/);
  });

  it.each([false, true])(
    "holds when the first has a hole, also at a terminal (older kernel: %s)",
    async (isPartial) => {
      const own = testBackend({
        environment: { findLandlock: async () => ({ ...(await findLandlock()), isPartial }) },
      });
      const place = await own.open(testProfile(workspace));
      const start = (file: string, isNamed: boolean) => {
        const wish = { command: `touch ${file} 2>&1 && echo done; ${RENAME}`, cwd: "/tmp", env: {} };
        const launch = place.terminal?.(wish);
        expect(launch?.args.at(-1)).toBe("/workspace");
        return spawnSync(launch?.file ?? "", launch?.args.slice(0, isNamed ? undefined : -1), {
          encoding: "utf8",
          env: {},
        });
      };
      expect(start("/workspace/a", true)).toMatchObject({
        stdout: expect.stringMatching(/^done\n.*denied/),
        stderr: "",
      });
      // The folder is still mounted for writing, only nobody told the second wall of it.
      expect(start("/workspace/b", false).stdout).toMatch(/^touch: .*Permission denied\n/);
      expect(readdirSync(workspace)).toEqual(["a"]);
      await own.close();
    },
  );

  it.each([
    "echo x >/tmp/x && echo x >/var/tmp/x && echo x >/home/x && echo x >/dev/shm/x && echo x >/dev/null",
    "mkdir -p a/b c && echo x >a/b/x && mv a/b/x c/ && ln c/x a/ && ln -s x c/y && mkfifo c/pipe && rm -r a c",
    "echo x >/dev/stdout && echo x >/proc/self/fd/1 && echo x >/dev/stderr",
    "bash -c 'cat <(echo x) && echo x | tee >(cat >/dev/null)'",
    "f=$(mktemp) && exec 9<>$f && rm $f && echo x >/proc/self/fd/9",
    "script -qec 'stty size' /dev/null </dev/null",
  ])("leaves ordinary work alone: %s", async (command) => {
    expect(await run(await open(), command)).toMatchObject({ exitCode: 0 });
  });
});

describe.skipIf(!isReady)("limits", () => {
  it("end a command that takes too much memory, and say so", async () => {
    const place = await open();
    const ran = await run(
      place,
      `perl -e 'my $x = "a" x 2**26; my @all; push @all, $x . $_ for 1 .. 16; print "escaped"'; echo code $?`,
    );
    expect(ran.text).not.toContain("escaped");
    expect((await run(place, "echo alive")).text).toBe("alive\n");
  });

  it("end a sandbox that fills its temporary folders with empty files, also without control groups", async () => {
    const own = testBackend({ environment: { mayUseControlGroups: false } });
    const disk = { bytes: 2 ** 30, files: 500, keepFreeBytes: 0 };
    const place = await own.open(testProfile(workspace, { disk }));
    const ran = await run(place, "i=0; while : >/tmp/$i; do i=$((i+1)); done");
    expect(ran).toMatchObject({ signal: "SIGKILL", text: expect.stringContaining("held more than 500 files") });
    await own.close();
  });

  it("hold a fork bomb, which is gone when it is ended", async () => {
    const place = await open();
    const running = await place.start({
      command: "perl -e 'while (1) { fork; select undef, undef, undef, 0.01 }'",
      cwd: "/workspace",
      env: {},
      takesInput: false,
      onText: () => {},
    });
    // As many as there may be, and a few of the sandbox itself.
    await expect.poll(() => findInnerProcesses(process.pid).length).toBeGreaterThan(40);
    expect(findInnerProcesses(process.pid).length).toBeLessThan(90);
    running.signal("SIGKILL");
    await running.exited;
    await expect.poll(() => findInnerProcesses(process.pid).length).toBeLessThan(10);
    expect((await run(place, "echo alive")).text).toBe("alive\n");
  });
});

describe.skipIf(!isReady)("a network", () => {
  let proxy: Server | undefined;
  afterEach(() => proxy?.close());

  it("of some hosts goes through the proxy's socket, and nowhere else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "chela-proxy-"));
    const socketPath = join(folder, "socket");
    const asked: string[] = [];
    proxy = createServer((socket) => {
      socket.once("data", (data) => {
        asked.push(data.toString().split("\r\n")[0] ?? "");
        socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 3\r\n\r\nno\n");
      });
    }).listen(socketPath);
    let isClosed = false;
    const own = testBackend({ proxy: async () => ({ socketPath, close: () => void (isClosed = true) }) });
    const place = await own.open(
      testProfile(workspace, {
        network: { kind: "hosts", hosts: ["example.com"] },
        limits: { ...testProfile("").limits, memoryBytes: 512 * 2 ** 20 },
      }),
    );
    const get = `use IO::Socket::INET; $ENV{http_proxy} =~ m{//([^/]+)}; my $s = IO::Socket::INET->new($1) or die; print $s "GET http://example.com/ HTTP/1.1\\r\\n\\r\\n"; print <$s>`;
    expect((await run(place, `perl -e '${get}'`)).text).toContain("403");
    expect(asked).toEqual(["GET http://example.com/ HTTP/1.1"]);
    expect(
      (await run(place, `perl -e 'use IO::Socket::INET; IO::Socket::INET->new("1.1.1.1:443") or print "closed"'`)).text,
    ).toBe("closed");
    await own.close();
    expect(isClosed).toBe(true);
    rmSync(folder, { recursive: true });
  });

  describe("of hosts on a list, with the real proxy behind it,", () => {
    const log = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, log() {}, child: () => log } as Logger;
    const names = { "inner.example": ["127.0.0.1"], "meta.example": ["169.254.169.254"] };
    let internet: SmallInternet;
    let own: SandboxBackend;
    let place: SandboxPlace;
    let channel: string;
    /** Something that listens on the machine's own loopback. */
    let door: Server;

    beforeAll(async () => {
      door = createServer((socket) => socket.end("reached"));
      await new Promise<void>((resolve) => void door.listen(0, "127.0.0.1", resolve));
      channel = mkdtempSync(join(tmpdir(), "chela-proxy-"));
      internet = await openSmallInternet((_, response) => response.end("the page"), { names });
      own = testBackend({
        proxy: (hosts) =>
          createFilteringProxy({
            clock: realClock,
            log,
            hosts: () => hosts,
            listenPath: join(channel, "socket"),
            ...internet.ways,
          }),
      });
      mkdirSync(join(channel, "workspace"));
      const profile = testProfile(join(channel, "workspace"), {
        network: { kind: "hosts", hosts: ["good.example", "inner.example", "meta.example", "odd.example:8080"] },
        limits: { ...testProfile("").limits, memoryBytes: 512 * 2 ** 20 },
      });
      place = await own.open(profile);
    });
    afterAll(async () => {
      door.close();
      await own.close();
      await internet[Symbol.asyncDispose]();
      rmSync(channel, { recursive: true });
    });

    /** By a program that knows nothing of us, and takes its proxy from the environment as all do. */
    const getInside = (url: string) => {
      const program = `require("node:http").get("${url}", (r) => r.on("data", (text) => console.log(r.statusCode, String(text)))).on("error", (e) => console.log("none", e.code))`;
      return run(place, `/run/chela-proxy/node -e '${program}'`);
    };

    it.each([
      ["http://good.example/x", /^200 the page$/m],
      ["http://odd.example:8080/", /^200 the page$/m],
      ["http://other.example/", /^403 other\.example may not be reached from this sandbox; the owner can add it to /],
      ["http://good.example:8080/", /^403 Port 8080 of good\.example may not be reached/],
      ["http://inner.example/", /^403 inner\.example may not be reached .* does not lead to the open internet/],
      ["http://meta.example/", /^403 meta\.example may not be reached/],
      ["http://93.184.216.34/", /^403 93\.184\.216\.34 may not be reached: .* by their names only/],
    ])("%s gives %s", async (url, wanted) => {
      const before = internet.arrived.length;
      expect((await getInside(url)).text).toMatch(wanted);
      expect(internet.arrived.length - before).toBe(wanted.source.startsWith("^200") ? 1 : 0);
    });

    it("nothing gets out beside the proxy, and tunnels are held to the same list", async () => {
      expect((await getInside(`http://127.0.0.1:${(door.address() as AddressInfo).port}/`)).text).toBe(
        "none ECONNREFUSED\n",
      );
      const direct = await run(
        place,
        `http_proxy= HTTP_PROXY= NODE_USE_ENV_PROXY=0 /run/chela-proxy/node -e 'fetch("http://good.example/").catch((e) => console.log(e.cause.code))'`,
      );
      expect(direct.text).toMatch(/^(?:EAI_AGAIN|ENOTFOUND)$/m);
      const ask = (host: string) =>
        run(
          place,
          `/run/chela-proxy/node -e 'require("node:net").connect(3128, "127.0.0.1", function () { this.end("CONNECT ${host}:443 HTTP/1.1\\r\\nHost: ${host}:443\\r\\n\\r\\n"); this.pipe(process.stdout) })'`,
        );
      expect((await ask("good.example")).text).toMatch(/^HTTP\/1\.1 200/);
      expect((await ask("other.example")).text).toMatch(
        /^HTTP\/1\.1 403 [^]*other\.example may not be reached from this sandbox/,
      );
    });
  });

  it.each([{ kind: "named", name: "bridge" } as const, { kind: "hosts", hosts: ["example.com"] } as const])(
    "that cannot be kept is refused: %j",
    async (network) => {
      await expect(backend.open(testProfile(workspace, { network }))).rejects.toMatchObject({ code: "SANDBOX_FAILED" });
    },
  );
});

describe.skipIf(!isReady)("a terminal", () => {
  it("is given a command line that keeps the same walls", async () => {
    const place = await open();
    const launch = place.terminal?.({
      command: "grep Seccomp: /proc/self/status; pwd; echo $MORE; ls /etc/shadow",
      cwd: "/workspace",
      env: { MORE: "more" },
    });
    if (!launch) throw new Error("no terminal");
    const { stdout, stderr } = spawnSync(launch.file, [...launch.args], { env: launch.env, encoding: "utf8" });
    expect(stdout).toBe("Seccomp:\t2\n/workspace\nmore\n");
    expect(stderr).toContain("/etc/shadow");
    expect(launch.args.join(" ")).not.toContain("more");
  });
});

describe("the check", () => {
  it.each<[string, Parameters<typeof testBackend>[0], RegExp, RegExp]>([
    ["another system", { environment: { platform: "darwin" } }, /only exists for Linux/, /Docker/],
    ["another processor", { environment: { processor: "mips" } }, /no filter/, /Docker/],
    [
      "no bubblewrap",
      { environment: { platform: "linux", processor: "x64", places: ["/nowhere"] } },
      /not installed/,
      /apt install/,
    ],
  ])("says what is wrong and what to do: %s", async (_, parts, why, fix) => {
    const own = testBackend(parts);
    expect(await own.check()).toMatchObject({
      kind: "unusable",
      why: expect.stringMatching(why),
      fix: expect.stringMatching(fix),
    });
    await expect(own.open(testProfile(workspace))).rejects.toMatchObject({ code: "SANDBOX_FAILED" });
    await own.close();
  });

  it("does not take a bubblewrap that others could have put there", async () => {
    const folder = mkdtempSync(join(tmpdir(), "chela-fake-"));
    const program = join(folder, "bwrap");
    writeFileSync(program, "#!/bin/sh\necho bubblewrap 0.9.0\n", { mode: 0o777 });
    mkdirSync(join(folder, "x"), { mode: 0o777 });
    spawnSync("chmod", ["777", program]);
    const own = testBackend({ environment: { platform: "linux", processor: "x64", places: [folder] } });
    expect(await own.check()).toMatchObject({ kind: "unusable", why: expect.stringMatching(/not installed/) });
    await own.close();
    rmSync(folder, { recursive: true });
  });

  it.skipIf(!isReady)("tells the version", async () => {
    expect(check).toMatchObject({ kind: "ready", version: expect.stringMatching(/^\d+\.\d+/) });
  });
});
